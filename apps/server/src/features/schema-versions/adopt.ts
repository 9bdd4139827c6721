import { type StoredVersion, schemaVersions } from '#features/datasets/public.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { noCounts, type RelabelJobArgs, relabel } from './job.ts'

export type AdoptedVersion = Omit<StoredVersion, 'job_id'>

/** The number of the version that this version reverts; null if it reverts none. */
const revertedBy = ({ changes }: AdoptedVersion): number | null => {
  for (const change of changes) if (change.type === 'revert') return change.no
  return null
}

/** Adds a job that applies a version's label changes to answers. These answers were copied to this server before the version. */
const enqueueRelabel = async (db: Db, datasetNo: number, version: AdoptedVersion): Promise<void> => {
  const { n } = await db.sql
    .selectFrom('records')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('dataset_no', '=', datasetNo)
    .executeTakeFirstOrThrow()
  const args: RelabelJobArgs = {
    after: -1,
    version: version.no,
    reverts: revertedBy(version),
    relabeled: noCounts,
    isScanned: false,
    isCopied: true,
  }
  const job_id = await enqueueJob(db, relabel, { dataset_no: datasetNo, user_id: version.user_id, args, total: Number(n) })
  await db.sql
    .updateTable('schema_versions')
    .set({ job_id })
    .where('dataset_no', '=', datasetNo)
    .where('no', '=', version.no)
    .execute()
}

/**
 * Stores versions of labels and texts from another server. The questions already have the labels of the last version. If the
 * dataset has a different version with one of the numbers, stores nothing.
 * @param hasAnswers whether answers may have been copied before these versions. If so, jobs update the labels in them
 * @returns the numbers of the versions that could not be stored
 */
export const adoptVersions = async (
  db: Db,
  datasetNo: number,
  versions: readonly AdoptedVersion[],
  hasAnswers: boolean,
): Promise<readonly number[]> => {
  const stored = new Map((await schemaVersions(db, datasetNo, Number.MAX_SAFE_INTEGER)).map((one) => [one.no, one]))
  const other = versions.filter(({ no, at }) => stored.has(no) && stored.get(no)?.at !== at)
  if (other.length > 0) return versions.filter(({ no, at }) => stored.get(no)?.at !== at).map(({ no }) => no)
  const added = versions.filter(({ no }) => !stored.has(no))
  await db.dialect.insertMany(
    db.sql,
    'schema_versions',
    added.map(({ changes, snapshot, ...version }) => ({
      ...version,
      dataset_no: datasetNo,
      changes: json(changes),
      snapshot: json(snapshot),
      job_id: null,
    })),
  )
  if (hasAnswers) for (const version of added) if (version.snapshot.length > 0) await enqueueRelabel(db, datasetNo, version)
  return []
}
