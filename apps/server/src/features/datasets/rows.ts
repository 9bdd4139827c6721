import type { Dataset } from '@postil/contract/datasets.ts'
import { notFound } from '@postil/contract/wire/errors.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import type { SelectQueryBuilder } from 'kysely'
import { isMember } from '#platform/auth/membership.ts'
import { takeChangeTurn } from '#platform/db/dataset-turn.ts'
import type { Db } from '#platform/db/db.ts'
import { byNumberOf } from '#platform/db/keys/dataset-number.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import { together } from '#platform/db/statements/together.ts'
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

/** Datasets that are not being deleted, for a user; `member` is still as the engine has bools. */
const datasetsFor = (db: Db, userId: string) =>
  db.sql.selectFrom('datasets').select(columns).select(isMember(userId).as('member')).where('datasets.gone_at', 'is', null)

/** Datasets that a user sees, oldest first: an owner all, others those of their workspaces; without their activity. */
export const seenDatasets = (db: Db, user: Actor) => {
  const all = datasetsFor(db, user.id).orderBy('datasets.inserted_at').orderBy('datasets.no')
  if (datasetPolicy.list(user, { member: false })) return all
  return all.where(
    'datasets.workspace_id',
    'in',
    db.sql.selectFrom('memberships').select('memberships.workspace_id').where('memberships.user_id', '=', user.id),
  )
}

/** The same datasets with when something was last done in each. */
export const withActivity = async <R extends { readonly no: number }>(
  db: Db,
  datasets: readonly R[],
): Promise<(R & { readonly active_at: Micros | null })[]> => {
  if (datasets.length === 0) return []
  const rows = await db.sql
    .selectFrom('dataset_activity')
    .select(['dataset_no', (of) => of.fn.max('last_activity_at').as('at')])
    .where(
      'dataset_no',
      'in',
      datasets.map(({ no }) => no),
    )
    .groupBy('dataset_no')
    .execute()
  const activeAt = new Map(rows.map(({ dataset_no, at }) => [dataset_no, at]))
  return datasets.map((dataset) => ({ ...dataset, active_at: activeAt.get(dataset.no) ?? null }))
}

type Lock = <O>(query: SelectQueryBuilder<Tables, 'datasets', O>) => SelectQueryBuilder<Tables, 'datasets', O>
type Wanted = { readonly id: string; readonly userId: string; readonly no: number }

const datasetWithActivity = (db: Db, { id, userId, no }: Wanted) =>
  datasetsFor(db, userId)
    .select((eb) =>
      eb
        .selectFrom('dataset_activity')
        .select((of) => of.fn.max('last_activity_at').as('at'))
        .where('dataset_activity.dataset_no', '=', no)
        .as('active_at'),
    )
    .where('datasets.id', '=', id)
    .where('datasets.no', '=', no)
const datasetById = prepared(datasetWithActivity)

/**
 * The dataset with the caller's standing.
 * @param lock `db.dialect.forUpdate` in a command that changes the dataset or its schema: answers wait meanwhile
 * @throws Problem not_found
 */
export const findDataset = async (db: Db, id: string, userId: string, lock?: Lock): Promise<FoundDataset> => {
  const row = await byNumberOf(db, id, async (no) => {
    const wanted = { id, userId, no }
    if (lock === undefined) return (await datasetById(db, wanted))[0]
    const [, found] = await together([takeChangeTurn(db, no), lock(datasetWithActivity(db, wanted)).executeTakeFirst()])
    return found
  })
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
