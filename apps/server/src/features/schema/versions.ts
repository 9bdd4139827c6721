import type { LabelsSnapshot, RecordedChange } from '@postil/contract/schema-versions.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'
import { now } from '#platform/time.ts'

/** What a version changes in one question. */
export type QuestionLabels = {
  readonly question_id: string
  readonly before: LabelsSnapshot
  readonly after: LabelsSnapshot
  /** The earlier value of each label that was renamed, so that a revert can rename it back. */
  readonly renamed: { readonly [label: string]: string }
}

export type StoredVersion = {
  readonly no: number
  readonly at: Micros
  readonly user_id: string
  readonly note: string | null
  readonly changes: readonly RecordedChange[]
  readonly snapshot: readonly QuestionLabels[]
  readonly job_id: string | null
}

const columns = ['no', 'at', 'user_id', 'note', 'changes', 'snapshot', 'job_id'] as const

/** The versions of a dataset's labels, newest first. */
export const schemaVersions = (db: Db, datasetNo: number, limit: number): Promise<StoredVersion[]> =>
  db.sql
    .selectFrom('schema_versions')
    .select(columns)
    .where('dataset_no', '=', datasetNo)
    .orderBy('no', 'desc')
    .limit(limit)
    // The contract's schemas validated the JSON columns before they were stored.
    .$castTo<StoredVersion>()
    .execute()

export const schemaVersion = async (db: Db, datasetNo: number, no: number): Promise<StoredVersion | null> =>
  (await db.sql
    .selectFrom('schema_versions')
    .select(columns)
    .where('dataset_no', '=', datasetNo)
    .where('no', '=', no)
    .$castTo<StoredVersion>()
    .executeTakeFirst()) ?? null

type NewVersion = Omit<StoredVersion, 'no' | 'at' | 'job_id'>

/** Adds a version. The caller has locked the dataset, so that versions are numbered without gaps. */
export const addSchemaVersion = async (db: Db, datasetNo: number, version: NewVersion): Promise<StoredVersion> => {
  const [last] = await schemaVersions(db, datasetNo, 1)
  const stored = { ...version, no: (last?.no ?? 0) + 1, at: now(), job_id: null }
  await db.sql
    .insertInto('schema_versions')
    .values({ dataset_no: datasetNo, ...stored, changes: json(stored.changes), snapshot: json(stored.snapshot) })
    .execute()
  return stored
}
