import { notFound } from '@postil/contract/wire/errors.ts'
import { isMember } from '#platform/auth/membership.ts'
import { afterChanges } from '#platform/db/dataset-turn.ts'
import type { Db } from '#platform/db/db.ts'
import { inDatasetOf } from '#platform/db/keys/dataset-of-id.ts'
import type { DatasetStatus, RecordStatus } from '#platform/db/tables.ts'
import type { Actor } from './policy.ts'

export type ScopeDataset = {
  readonly id: string
  readonly no: number
  readonly status: DatasetStatus
  readonly min_submitted: number
  readonly allow_extra_metadata: boolean
  /** How records are handed out, as it was set; null: as usual. */
  readonly queue: { readonly [key: string]: unknown } | null
  /** Whether the caller is linked to the dataset's workspace. */
  readonly member: boolean
}
export type ScopeRecord = { readonly id: string; readonly seq: number; readonly status: RecordStatus; readonly submitted: number }

const datasetsFor = (db: Db, userId: string) =>
  db.sql
    .selectFrom('datasets')
    .select(['id', 'no', 'status', 'min_submitted', 'allow_extra_metadata', 'queue'])
    .select(isMember(userId).as('member'))
    .where('gone_at', 'is', null)

/** `hold`: the dataset and its schema stay as they are until the command ends; answers and other bulks go on. */
type Hold = { readonly hold: boolean }

/**
 * Commands that bring many records into a dataset take turns: each finds the records of the one before it instead of making them again, and who
 * wants the dataset for themselves, to change or to delete it, waits for one of them, not for a gap between all.
 */
export const takeBulkTurn = (db: Db, datasetId: string): Promise<void> => db.dialect.takeTurn(db.sql, `bulk ${datasetId}`)

/** The dataset with the caller's standing. @throws Problem not_found */
export const datasetScope = async (db: Db, id: string, user: Actor, { hold }: Hold): Promise<ScopeDataset> => {
  const query = datasetsFor(db, user.id).where('datasets.id', '=', id)
  const row = await (hold ? db.dialect.forShare(query.where(afterChanges(db))) : query).executeTakeFirst()
  if (row === undefined) throw notFound('Dataset', id)
  return { ...row, member: Boolean(row.member) }
}

/** The dataset of a number, or null when there is none. */
export const datasetScopeAt = async (db: Db, no: number, user: Actor, { hold }: Hold): Promise<ScopeDataset | null> => {
  const query = datasetsFor(db, user.id).where('datasets.no', '=', no)
  const row = await (hold ? db.dialect.forShare(query.where(afterChanges(db))) : query).executeTakeFirst()
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

/** A record in its dataset; held, nobody else changes either until the command ends. @throws Problem not_found */
export const recordScope = async (db: Db, id: string, user: Actor, hold: Hold): Promise<RecordScope> => {
  const look = async (no: number) => recordIn(db, await datasetScopeAt(db, no, user, hold), id, hold)
  const found = await inDatasetOf(db, 'records', id, look)
  if (found === null) throw notFound('Record', id)
  return found
}
