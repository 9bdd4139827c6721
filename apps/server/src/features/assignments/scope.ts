import { notFound } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { isMember } from '#platform/auth/membership.ts'
import type { Db } from '#platform/db/db.ts'
import type { DatasetStatus } from '#platform/db/tables.ts'

export type AssignmentDataset = {
  readonly id: string
  readonly no: number
  readonly name: string
  readonly status: DatasetStatus
  readonly workspace_id: string
  readonly member: boolean
}
export type InDataset = { readonly user: Actor; readonly dataset_id: string }

const datasetsFor = (db: Db, user: Actor) =>
  db.sql
    .selectFrom('datasets')
    .select(['id', 'no', 'name', 'status', 'workspace_id'])
    .select(isMember(user.id).as('member'))
    .where('gone_at', 'is', null)

export const datasetAt = async (db: Db, no: number, user: Actor): Promise<AssignmentDataset | null> => {
  const row = await datasetsFor(db, user).where('no', '=', no).executeTakeFirst()
  return row === undefined ? null : { ...row, member: Boolean(row.member) }
}

/** @throws Problem not_found */
export const datasetOf = async (db: Db, { user, dataset_id }: InDataset): Promise<AssignmentDataset> => {
  const row = await datasetsFor(db, user).where('id', '=', dataset_id).executeTakeFirst()
  if (row === undefined) throw notFound('Dataset', dataset_id)
  return { ...row, member: Boolean(row.member) }
}
