import { notFound } from '@postil/contract/errors.ts'
import { isMember } from '#platform/auth/membership.ts'
import type { Db } from '#platform/db/db.ts'
import type { DatasetStatus, RecordStatus } from '#platform/db/tables.ts'
import { datasetNoOf } from '#platform/ids.ts'
import type { Actor } from './policy.ts'

export type ScopeDataset = {
  readonly id: string
  readonly no: number
  readonly status: DatasetStatus
  readonly min_submitted: number
  readonly allow_extra_metadata: boolean
  /** Whether the caller is linked to the dataset's workspace. */
  readonly member: boolean
}
export type ScopeRecord = { readonly id: string; readonly seq: number; readonly status: RecordStatus; readonly submitted: number }

const datasetsFor = (db: Db, userId: string) =>
  db.sql
    .selectFrom('datasets')
    .select(['id', 'no', 'status', 'min_submitted', 'allow_extra_metadata'])
    .select(isMember(userId).as('member'))
    .where('gone_at', 'is', null)

/** `hold`: the dataset and its schema stay as they are until the command ends; answers and other bulks go on. */
type Hold = { readonly hold: boolean }

/** The dataset with the caller's standing. @throws Problem not_found */
export const datasetScope = async (db: Db, id: string, user: Actor, { hold }: Hold): Promise<ScopeDataset> => {
  const query = datasetsFor(db, user.id).where('datasets.id', '=', id)
  const row = await (hold ? db.dialect.forShare(query) : query).executeTakeFirst()
  if (row === undefined) throw notFound('Dataset', id)
  return { ...row, member: Boolean(row.member) }
}

/** The dataset that an id of a record or suggestion was made for, or null when there is none. */
export const datasetScopeOf = async (db: Db, childId: string, user: Actor, { hold }: Hold): Promise<ScopeDataset | null> => {
  const query = datasetsFor(db, user.id).where('datasets.no', '=', datasetNoOf(childId))
  const row = await (hold ? db.dialect.forShare(query) : query).executeTakeFirst()
  return row === undefined ? null : { ...row, member: Boolean(row.member) }
}

export type RecordScope = { readonly dataset: ScopeDataset; readonly record: ScopeRecord }

/** A record in its dataset; held, nobody else changes either until the command ends. @throws Problem not_found */
export const recordScope = async (db: Db, id: string, user: Actor, hold: Hold): Promise<RecordScope> => {
  const dataset = await datasetScopeOf(db, id, user, hold)
  if (dataset === null) throw notFound('Record', id)
  const query = db.sql
    .selectFrom('records')
    .select(['id', 'seq', 'status', 'submitted'])
    .where('dataset_no', '=', dataset.no)
    .where('id', '=', id)
  const record = await (hold.hold ? db.dialect.forUpdate(query) : query).executeTakeFirst()
  if (record === undefined) throw notFound('Record', id)
  return { dataset, record }
}
