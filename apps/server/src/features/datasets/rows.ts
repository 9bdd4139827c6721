import type { Dataset } from '@postil/contract/datasets.ts'
import { notFound } from '@postil/contract/errors.ts'
import type { JsonObject } from '@postil/contract/json.ts'
import type { SelectQueryBuilder } from 'kysely'
import { isMember } from '#platform/auth/membership.ts'
import type { Db } from '#platform/db/db.ts'
import { prepared } from '#platform/db/prepared.ts'
import type { DatasetStatus, Tables } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { printTime } from '#platform/time.ts'
import type { Actor } from './policy.ts'
import { datasetPolicy } from './policy.ts'

/** A dataset as the store has it; `active_at` is its last activity apart from changes of its own row, null when there was none. */
export type DatasetRow = {
  readonly id: string
  readonly no: number
  readonly workspace_id: string
  readonly name: string
  readonly guidelines: string | null
  readonly allow_extra_metadata: boolean
  readonly status: DatasetStatus
  readonly min_submitted: number
  readonly metadata: { readonly [key: string]: unknown } | null
  readonly inserted_at: Micros
  readonly updated_at: Micros
  readonly active_at: Micros | null
}
/** With whether the user who asks is linked to the dataset's workspace. */
export type FoundDataset = DatasetRow & { readonly member: boolean }

const columns = [
  'datasets.id',
  'datasets.no',
  'datasets.workspace_id',
  'datasets.name',
  'datasets.guidelines',
  'datasets.allow_extra_metadata',
  'datasets.status',
  'datasets.min_submitted',
  'datasets.metadata',
  'datasets.inserted_at',
  'datasets.updated_at',
] as const

/** Datasets that are not being deleted, as `FoundDataset`s for a user; `member` is still as the engine has bools. */
export const datasetsFor = (db: Db, userId: string) =>
  db.sql
    .selectFrom('datasets')
    .select(columns)
    .select((eb) => [
      eb
        .selectFrom('dataset_activity')
        .select((of) => of.fn.max('last_activity_at').as('at'))
        .whereRef('dataset_activity.dataset_no', '=', 'datasets.no')
        .as('active_at'),
      isMember(userId).as('member'),
    ])
    .where('datasets.gone_at', 'is', null)

/** Datasets that a user sees, oldest first: an owner all, others those of their workspaces. */
export const seenDatasets = (db: Db, user: Actor) => {
  const all = datasetsFor(db, user.id).orderBy('datasets.inserted_at').orderBy('datasets.no')
  if (datasetPolicy.list(user, { member: false })) return all
  return all.where(
    'datasets.workspace_id',
    'in',
    db.sql.selectFrom('memberships').select('memberships.workspace_id').where('memberships.user_id', '=', user.id),
  )
}

type Lock = <O>(query: SelectQueryBuilder<Tables, 'datasets', O>) => SelectQueryBuilder<Tables, 'datasets', O>

const datasetById = prepared((db, { id, userId }: { readonly id: string; readonly userId: string }) =>
  datasetsFor(db, userId).where('datasets.id', '=', id),
)

/**
 * The dataset with the caller's standing.
 * @param lock `db.dialect.forUpdate` in a command that changes the dataset or its schema: answers wait meanwhile
 * @throws Problem not_found
 */
export const findDataset = async (db: Db, id: string, userId: string, lock?: Lock): Promise<FoundDataset> => {
  const row = lock
    ? await lock(datasetsFor(db, userId).where('datasets.id', '=', id)).executeTakeFirst()
    : (await datasetById(db, { id, userId }))[0]
  if (row === undefined) throw notFound('Dataset', id)
  return { ...row, member: Boolean(row.member) }
}

/** A dataset as the wire has it. */
export const printDataset = (row: DatasetRow): Dataset => ({
  id: row.id,
  name: row.name,
  guidelines: row.guidelines,
  allow_extra_metadata: row.allow_extra_metadata,
  status: row.status,
  distribution: { strategy: 'overlap', min_submitted: row.min_submitted },
  metadata: row.metadata as JsonObject | null,
  workspace_id: row.workspace_id,
  last_activity_at: printTime(Math.max(row.updated_at, row.active_at ?? 0)),
  inserted_at: printTime(row.inserted_at),
  updated_at: printTime(row.updated_at),
})
