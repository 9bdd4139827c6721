import { notFound } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { isMember } from '#platform/auth/membership.ts'
import type { Db } from '#platform/db/db.ts'
import { withDatasetNumber } from '#platform/db/keys/dataset-number.ts'
import { withDatasetOf } from '#platform/db/keys/find-dataset.ts'
import { holdDataset } from '#platform/db/locks.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { DatasetStatus, RecordStatus } from '#platform/db/tables.ts'

export type ScopeDataset = {
  readonly id: string
  readonly no: number
  readonly status: DatasetStatus
  readonly min_submitted: number
  readonly allow_extra_metadata: boolean
  /** The assignment settings as saved; null for the defaults. */
  readonly queue: { readonly [key: string]: unknown } | null
  /** The review settings as saved; null for the defaults. */
  readonly review: { readonly [key: string]: unknown } | null
  /** The suggestion settings as saved; null for the defaults. */
  readonly suggestion_rule: { readonly [key: string]: unknown } | null
  readonly member: boolean
}
export type ScopeRecord = { readonly id: string; readonly seq: number; readonly status: RecordStatus; readonly submitted: number }

const datasetsFor = (db: Db, userId: string) =>
  db.sql
    .selectFrom('datasets')
    .select(['id', 'no', 'status', 'min_submitted', 'allow_extra_metadata', 'queue', 'review', 'suggestion_rule'])
    .select(isMember(userId).as('member'))
    .where('gone_at', 'is', null)

/**
 * `hold`: locks the dataset and its schema against changes until the command ends. Answers and other bulk requests aren't
 * blocked.
 */
type Hold = { readonly hold: boolean }

/**
 * Commands that add many records to a dataset run one after another. Each command then finds the records of the previous command
 * instead of creating them again. A command that changes or deletes the dataset needs exclusive access. Because commands that add
 * many records never run at the same time, it has to wait for only one of them.
 */
export const lockBulkOrder = (db: Db, datasetId: string): Promise<void> => db.dialect.acquireLock(db.sql, `bulk ${datasetId}`)

/** Locks a dataset against changes, then reads it. */
const held = async (db: Db, no: number, query: ReturnType<typeof datasetsFor>) => {
  const [, row] = await pipeline([holdDataset(db, no), query.executeTakeFirst()])
  return row
}

/** Returns the dataset, and whether the caller is a member of its workspace. @throws Problem not_found */
export const datasetScope = async (db: Db, id: string, user: Actor, { hold }: Hold): Promise<ScopeDataset> => {
  const query = datasetsFor(db, user.id).where('datasets.id', '=', id)
  const row = hold
    ? await withDatasetNumber(db, id, (no) => held(db, no, query.where('datasets.no', '=', no)))
    : await query.executeTakeFirst()
  if (row === undefined) throw notFound('Dataset', id)
  return { ...row, member: Boolean(row.member) }
}

export const datasetScopeAt = async (db: Db, no: number, user: Actor, { hold }: Hold): Promise<ScopeDataset | null> => {
  const query = datasetsFor(db, user.id).where('datasets.no', '=', no)
  const row = await (hold ? held(db, no, query) : query.executeTakeFirst())
  return row === undefined ? null : { ...row, member: Boolean(row.member) }
}

export type RecordScope = { readonly dataset: ScopeDataset; readonly record: ScopeRecord }

const recordIn = async (db: Db, dataset: ScopeDataset | null, id: string, { hold }: Hold): Promise<RecordScope | null> => {
  if (dataset === null) return null
  const query = db.sql
    .selectFrom('records')
    .select(['id', 'seq', 'status', 'submitted'])
    .where('dataset_no', '=', dataset.no)
    .where('id', '=', id)
  const record = await (hold ? db.dialect.forUpdate(query) : query).executeTakeFirst()
  return record === undefined ? null : { dataset, record }
}

/**
 * Returns a record and its dataset. With `hold`, no other command can change either until this command ends. @throws Problem
 * not_found
 */
export const recordScope = async (db: Db, id: string, user: Actor, hold: Hold): Promise<RecordScope> => {
  const lookUpIn = async (no: number) => recordIn(db, await datasetScopeAt(db, no, user, hold), id, hold)
  const found = await withDatasetOf(db, 'records', id, lookUpIn)
  if (found === null) throw notFound('Record', id)
  return found
}
