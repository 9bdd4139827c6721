import type { RecordedChange, SchemaDiff, SchemaVersion } from '@postil/contract/schema-versions.ts'
import { notFound } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import {
  changedTexts,
  isTextChange,
  type StoredChange,
  type StoredTextChange,
  type StoredVersion,
  schemaVersion,
  schemaVersions,
} from '#features/datasets/public.ts'
import { usernamesOf } from '#features/gold/public.ts'
import { printJob } from '#features/jobs/public.ts'
import { labelSettings, type QuestionRow, questionRows, readableDataset, settled, snapshotOf } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import type { JobRow } from '#platform/jobs/operations.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'
import { printTime } from '#platform/time.ts'
import { hasCurrentConditions } from './conditions.ts'

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

type Dataset = { readonly id: string; readonly guidelines: string | null }

/** The current version of the text that a change affects. */
export const textIn = (change: StoredTextChange, { guidelines }: Dataset, questions: readonly QuestionRow[]): string | null =>
  change.type === 'edit_guidelines' ? guidelines : (questions.find(({ id }) => id === change.question_id)?.description ?? null)

/** Texts are printed only in the diff of a version. */
const printChange = (change: StoredChange): RecordedChange => {
  if (!isTextChange(change)) return change
  return change.type === 'edit_guidelines' ? { type: change.type } : { type: change.type, question_id: change.question_id }
}

const printVersions = async (db: Db, dataset: Dataset, versions: readonly StoredVersion[]): Promise<SchemaVersion[]> => {
  const jobs = await jobsOf(
    db,
    versions.flatMap(({ job_id }) => job_id ?? []),
  )
  const names = await usernamesOf(
    db,
    versions.map(({ user_id }) => user_id),
  )
  const rows = await questionRows(db, dataset.id)
  const questions = new Map(rows.map(({ id, settings }) => [id, labelSettings(settings)]))
  const isBusy = [...jobs.values()].some(({ state }) => (UNFINISHED as readonly string[]).includes(state))
  const isCurrent = ({ snapshot, changes }: StoredVersion) =>
    changes.every((change) => !isTextChange(change) || textIn(change, dataset, rows) === change.after) &&
    hasCurrentConditions({ changes, snapshot }, rows) &&
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
      changes: changes.map(printChange),
      questions: snapshot.map(({ question_id, before, after }) => ({ question_id, before, after })),
      job: job === undefined ? null : printJob(job),
      revertible: !isBusy && !changes.some(({ type }) => type === 'revert') && isCurrent(version),
    }
  })
}

export const printVersion = async (db: Db, dataset: Dataset, version: StoredVersion): Promise<SchemaVersion> => {
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

type OfVersion = { readonly user: Actor; readonly dataset_id: string; readonly version_no: string }

/** Returns the texts and questions that a schema version has changed. @throws Problem not_found, forbidden */
export const versionDiff = query(
  'schema-versions.diff',
  async (db, { user, dataset_id, version_no }: OfVersion): Promise<SchemaDiff> => {
    const dataset = await readableDataset(db, dataset_id, user)
    const no = Number(version_no)
    const version = Number.isSafeInteger(no) ? await schemaVersion(db, dataset.no, no) : null
    if (version === null) throw notFound('Schema version', version_no)
    const questions = version.snapshot.map(({ question_id, before, after }) => ({ question_id, before, after }))
    return { no, ...changedTexts([version]), questions }
  },
)
