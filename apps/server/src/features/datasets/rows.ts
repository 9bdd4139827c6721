import type { Dataset } from '@postil/contract/datasets.ts'
import { notFound } from '@postil/contract/wire/errors.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { isMember } from '#platform/auth/membership.ts'
import type { Db } from '#platform/db/db.ts'
import { withDatasetNumber } from '#platform/db/keys/dataset-number.ts'
import { holdDataset, lockDatasetChanges } from '#platform/db/locks.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { DatasetStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { printTime } from '#platform/time.ts'
import { datasetPolicy } from './policy.ts'

/**
 * A dataset row. `active_at`: time of the dataset's last activity, not counting changes to the row itself; null if there was
 * none.
 */
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

/** A dataset, and whether the calling user is a member of its workspace. */
export type FoundDataset = DatasetRow & {
  readonly member: boolean
  /** The assignment settings as saved; null for the defaults. */
  readonly queue: { readonly [key: string]: unknown } | null
  /** The review settings as saved; null for the defaults. */
  readonly review: { readonly [key: string]: unknown } | null
  /** The suggestion settings as saved; null for the defaults. */
  readonly suggestion_rule: { readonly [key: string]: unknown } | null
}

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
  'datasets.queue',
  'datasets.review',
  'datasets.suggestion_rule',
  'datasets.inserted_at',
  'datasets.updated_at',
] as const

/** Datasets that aren't being deleted, with the user's membership. `member` is in the engine's native boolean format. */
const datasetsFor = (db: Db, userId: string) =>
  db.sql.selectFrom('datasets').select(columns).select(isMember(userId).as('member')).where('datasets.gone_at', 'is', null)

/**
 * Datasets that a user can see, oldest first. Owners see all datasets. Other users see the datasets in their workspaces. Doesn't
 * include the times of last activity.
 */
export const visibleDatasets = (db: Db, user: Actor) => {
  const all = datasetsFor(db, user.id).orderBy('datasets.inserted_at').orderBy('datasets.no')
  if (datasetPolicy.list(user, { member: false })) return all
  return all.where(
    'datasets.workspace_id',
    'in',
    db.sql.selectFrom('memberships').select('memberships.workspace_id').where('memberships.user_id', '=', user.id),
  )
}

/** Adds each dataset's time of last activity. */
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

/**
 * `hold`: the dataset doesn't change until the command ends. `change`: in addition, no other command can use the dataset until
 * then.
 */
type Lock = 'hold' | 'change'
type DatasetKey = { readonly id: string; readonly userId: string; readonly no: number }

const datasetById = prepared((db, { id, userId, no }: DatasetKey) =>
  datasetsFor(db, userId)
    .select((eb) =>
      eb
        .selectFrom('dataset_activity')
        .select((of) => of.fn.max('last_activity_at').as('at'))
        .where('dataset_activity.dataset_no', '=', no)
        .as('active_at'),
    )
    .where('datasets.id', '=', id)
    .where('datasets.no', '=', no),
)

/**
 * The dataset, and whether the caller is a member of its workspace.
 * @param lock `change` in a command that changes the dataset or its schema
 * @throws Problem not_found
 */
export const findDataset = async (db: Db, id: string, userId: string, lock?: Lock): Promise<FoundDataset> => {
  const row = await withDatasetNumber(db, id, async (no) => {
    const locked = lock === 'change' ? lockDatasetChanges(db, no) : lock === 'hold' ? holdDataset(db, no) : null
    const [, [found]] = await pipeline([locked, datasetById(db, { id, userId, no })])
    return found
  })
  if (row === undefined) throw notFound('Dataset', id)
  return { ...row, member: Boolean(row.member) }
}

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
