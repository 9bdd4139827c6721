import type { QueuePurpose } from '@postil/contract/queue.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { sql } from 'kysely'
import { datasetScope, type ScopeDataset } from '#features/records/public.ts'
import { type Checks, checksFor } from '#features/test-items/public.ts'
import { type Actor, isAdminOf, isOwner, refuseAgent } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'
import { queuePolicy } from './policy.ts'

export type InDataset = { readonly user: Actor; readonly dataset_id: string }

/** Returns the dataset if the user may perform the action. @throws Problem not_found, forbidden */
export const queueDataset = async (
  db: Db,
  { user, dataset_id }: InDataset,
  action: keyof typeof queuePolicy,
): Promise<ScopeDataset> => {
  const dataset = await datasetScope(db, dataset_id, user, { hold: false })
  if (!queuePolicy[action](user, dataset)) throw forbidden()
  // Agents can't answer, and an agent's lease would keep the record from others.
  if (action === 'take') refuseAgent(user)
  return dataset
}

/**
 * Duration of an annotator's lease on a record that is only viewed, in microseconds. The web app renews the lease while the
 * record's page is visible.
 */
export const VIEW_LEASE_US = 90_000_000

/**
 * The duration of a lease in microseconds; null if no lease is granted. Owners and admins view records more often than they
 * answer them, so viewing a record must not keep it from others. @param lease the duration while someone works on the record
 */
export const durationOf = (user: Actor, dataset: ScopeDataset, purpose: QueuePurpose, lease: number): number | null => {
  if (purpose === 'work') return lease
  return isOwner(user) || isAdminOf(user, dataset) ? null : Math.min(lease, VIEW_LEASE_US)
}

/** The `seq`s of existing records, by ID. */
export const seqsOf = async (db: Db, datasetNo: number, ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; seq: number | null }>`
    select each.value as id, (select seq from records where dataset_no = ${datasetNo} and id = each.value) as seq
    from ${db.dialect.each(ids, 'uuid')}`.execute(db.sql)
  return new Map(rows.flatMap(({ id, seq }): [string, number][] => (seq === null ? [] : [[id, seq]])))
}

/** Returns the time on the database's clock. Processes must not compare leases with their own clocks. */
export const clockOf = async (db: Db): Promise<Micros> => {
  const { at } = await db.sql.selectNoFrom(db.dialect.now.as('at')).executeTakeFirstOrThrow()
  return at
}

/** How test items are assigned to the user; null if they aren't. */
export const userChecks = (user: Actor, dataset: ScopeDataset): Checks | null =>
  checksFor(dataset, user.id, isOwner(user) || isAdminOf(user, dataset))
