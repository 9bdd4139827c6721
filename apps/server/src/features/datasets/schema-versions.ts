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

type Texts = { readonly before: string | null; readonly after: string | null }
/** A change to the guidelines or to a question's description, with the text before and after the change. */
export type StoredTextChange =
  | ({ readonly type: 'edit_guidelines' } & Texts)
  | ({ readonly type: 'edit_description'; readonly question_id: string } & Texts)
export type StoredChange = RecordedChange | StoredTextChange
export const isTextChange = (change: StoredChange): change is StoredTextChange =>
  change.type === 'edit_guidelines' || change.type === 'edit_description'

export type StoredVersion = {
  readonly no: number
  readonly at: Micros
  readonly user_id: string
  readonly note: string | null
  readonly changes: readonly StoredChange[]
  readonly snapshot: readonly QuestionLabels[]
  readonly job_id: string | null
}

const columns = ['no', 'at', 'user_id', 'note', 'changes', 'snapshot', 'job_id'] as const

/** The versions of a dataset's labels and texts, newest first. */
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

/** Returns the version that was current at a time; 0 for a time before the first version. */
type VersionAt = (time: Micros) => number

export const versionsByTime = async (db: Db, datasetNo: number): Promise<VersionAt> => {
  const versions = await db.sql
    .selectFrom('schema_versions')
    .select(['no', 'at'])
    .where('dataset_no', '=', datasetNo)
    .orderBy('no', 'desc')
    .execute()
  return (time) => versions.find(({ at }) => at <= time)?.no ?? 0
}

/**
 * Returns when a version became current (`from`) and when the next version replaced it (`until`, null if there is no next
 * version). Returns null if the version doesn't exist.
 */
export const timesOfVersion = async (
  db: Db,
  datasetNo: number,
  no: number,
): Promise<{ readonly from: Micros; readonly until: Micros | null } | null> => {
  const rows = await db.sql
    .selectFrom('schema_versions')
    .select(['no', 'at'])
    .where('dataset_no', '=', datasetNo)
    .where('no', 'in', [no, no + 1])
    .execute()
  const from = no === 0 ? 0 : rows.find((row) => row.no === no)?.at
  return from === undefined ? null : { from, until: rows.find((row) => row.no === no + 1)?.at ?? null }
}

type Since = Pick<StoredVersion, 'no' | 'at' | 'changes'>

/** The versions after the given one, oldest first. */
export const versionsAfter = (db: Db, datasetNo: number, no: number): Promise<readonly Since[]> =>
  db.sql
    .selectFrom('schema_versions')
    .select(['no', 'at', 'changes'])
    .where('dataset_no', '=', datasetNo)
    .where('no', '>', no)
    .orderBy('no')
    .$castTo<Since>()
    .execute()

/**
 * Compares the texts before the first of these versions with the texts after the last one. Texts without a net change are left
 * out.
 */
export const changedTexts = (versions: readonly Pick<StoredVersion, 'changes'>[]) => {
  const texts = new Map<string | null, Texts>()
  for (const change of versions.flatMap(({ changes }) => changes).filter(isTextChange)) {
    const key = change.type === 'edit_guidelines' ? null : change.question_id
    texts.set(key, { before: texts.has(key) ? (texts.get(key)?.before ?? null) : change.before, after: change.after })
  }
  const differing = [...texts].filter(([, { before, after }]) => before !== after)
  return {
    guidelines: differing.find(([key]) => key === null)?.[1] ?? null,
    descriptions: differing.flatMap(([question_id, both]) => (question_id === null ? [] : [{ question_id, ...both }])),
  }
}

type NewVersion = Omit<StoredVersion, 'no' | 'at' | 'job_id'>

/** Adds a version. The caller must lock the dataset first, so that versions are numbered without gaps. */
export const addSchemaVersion = async (db: Db, datasetNo: number, version: NewVersion): Promise<StoredVersion> => {
  const [last] = await schemaVersions(db, datasetNo, 1)
  const stored = { ...version, no: (last?.no ?? 0) + 1, at: now(), job_id: null }
  await db.sql
    .insertInto('schema_versions')
    .values({ dataset_no: datasetNo, ...stored, changes: json(stored.changes), snapshot: json(stored.snapshot) })
    .execute()
  return stored
}
