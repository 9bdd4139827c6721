import type { SchemaVersion } from '@postil/contract/schema-versions.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { usernamesOf } from '#features/gold/public.ts'
import { printJob } from '#features/jobs/public.ts'
import {
  labelSettings,
  questionRows,
  readableDataset,
  type StoredVersion,
  schemaVersions,
  settled,
  snapshotOf,
} from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import type { JobRow } from '#platform/jobs/operations.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'
import { printTime } from '#platform/time.ts'

const MAX_VERSIONS = 200

const jobsOf = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, JobRow>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('jobs')
    .select(['id', 'kind', 'user_id', 'args', 'state', 'done', 'total', 'reason', 'reason_parts'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const printVersions = async (
  db: Db,
  dataset: { readonly id: string },
  versions: readonly StoredVersion[],
): Promise<SchemaVersion[]> => {
  const jobs = await jobsOf(
    db,
    versions.flatMap(({ job_id }) => job_id ?? []),
  )
  const names = await usernamesOf(
    db,
    versions.map(({ user_id }) => user_id),
  )
  const questions = new Map((await questionRows(db, dataset.id)).map(({ id, settings }) => [id, labelSettings(settings)]))
  const isBusy = [...jobs.values()].some(({ state }) => (UNFINISHED as readonly string[]).includes(state))
  const isCurrent = ({ snapshot }: StoredVersion) =>
    snapshot.every(({ question_id, after }) => {
      const labels = questions.get(question_id)
      return labels != null && jsonEquals(snapshotOf(settled(labels)), after)
    })
  return versions.map((version) => {
    const { no, at, user_id, note, changes, snapshot, job_id } = version
    const username = names.get(user_id)
    const job = job_id === null ? undefined : jobs.get(job_id)
    return {
      no,
      at: printTime(at),
      user: username === undefined ? null : { id: user_id, username },
      note,
      changes: [...changes],
      questions: snapshot.map(({ question_id, before, after }) => ({ question_id, before, after })),
      job: job === undefined ? null : printJob(job),
      revertible: !isBusy && !changes.some(({ type }) => type === 'revert') && isCurrent(version),
    }
  })
}

export const printVersion = async (db: Db, dataset: { readonly id: string }, version: StoredVersion): Promise<SchemaVersion> => {
  const [printed] = await printVersions(db, dataset, [version])
  if (printed === undefined) throw new Error('the version was not printed')
  return printed
}

/** @throws Problem not_found, forbidden */
export const listVersions = query(
  'schema-versions.list',
  async (db, { user, dataset_id }: { readonly user: Actor; readonly dataset_id: string }): Promise<SchemaVersion[]> => {
    const dataset = await readableDataset(db, dataset_id, user)
    return printVersions(db, dataset, await schemaVersions(db, dataset.no, MAX_VERSIONS))
  },
)
