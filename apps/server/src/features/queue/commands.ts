import type { QueuePurpose } from '@postil/contract/queue.ts'
import { notFound } from '@postil/contract/wire/errors.ts'
import { maxQueueRecords } from '@postil/contract/wire/limits.ts'
import { parseIds } from '@postil/contract/wire/query-lists.ts'
import type { ExpressionBuilder } from 'kysely'
import type { ScopeDataset } from '#features/records/public.ts'
import { openTests, withTests } from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { withDatasetNumber } from '#platform/db/keys/dataset-number.ts'
import { holdDataset, holdUsers, lockUser } from '#platform/db/locks.ts'
import { command } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { Tables } from '#platform/db/tables.ts'
import { type Micros, readTime } from '#platform/time.ts'
import { type Grant, grant, lockOffered } from './grants.ts'
import { returnedTo } from './holds.ts'
import { removeStaleRows } from './leased.ts'
import { clockOf, durationOf, type InDataset, queueDataset, seqsOf, userChecks, VIEW_LEASE_US } from './scope.ts'
import { capOf, isAssigned, othersAnswerAssigned, submittedOf } from './settings.ts'

type LeaseArgs = InDataset & {
  /**
   * The result of `queue.find`. `own` contains the records leased to the user. `next` contains candidates for further records,
   * and `wanted` is the number of further records needed.
   */
  readonly own: readonly number[]
  readonly next: readonly number[]
  readonly wanted: number
  readonly purpose: QueuePurpose
  /** Duration of a lease in microseconds while someone works on the record. */
  readonly lease: number
}

type Person = { readonly datasetNo: number; readonly userId: string }

/**
 * Returns the dataset if the user may perform the action. Holds the dataset and the user until the command ends. A concurrent
 * command that removes the user from the workspace has to wait. It then also releases the leases that were granted here.
 * @param alone whether the same user's concurrent requests also wait, so that two browser windows together can't exceed the
 * user's limit
 * @throws Problem forbidden; not_found for a missing dataset, or for a deleted or deactivated user. Nobody would release the
 * leases of such a user
 */
const lockPersonAndDataset = async (db: Db, of: InDataset, action: 'take' | 'renew', alone: boolean) => {
  const { id } = of.user
  const found = await withDatasetNumber(db, of.dataset_id, async (no) => {
    const [, , person, dataset] = await pipeline([
      holdDataset(db, no),
      alone ? lockUser(db, id) : holdUsers(db, [id]),
      db.sql.selectFrom('users').select('id').where('id', '=', id).where('deactivated_at', 'is', null).executeTakeFirst(),
      queueDataset(db, of, action),
    ])
    return dataset.no === no ? { person, dataset } : undefined
  })
  if (found === undefined) throw notFound('Dataset', of.dataset_id)
  if (found.person === undefined) throw notFound('User', id)
  return found.dataset
}

const placeOf = (dataset: Awaited<ReturnType<typeof lockPersonAndDataset>>, { id }: Actor) => ({
  datasetNo: dataset.no,
  userId: id,
  minSubmitted: dataset.min_submitted,
  othersAnswerAssigned: othersAnswerAssigned(dataset),
})

/**
 * How many more records may be leased to the user. @param cap how many records one user may submit answers to; null for no
 * limit
 */
const remainingCapacity = async (db: Db, { datasetNo, userId }: Person, cap: number | null): Promise<number> => {
  const [submitted, tests, { held }] = await pipeline([
    cap === null ? 0 : submittedOf(db, datasetNo, userId),
    cap === null ? [] : openTests(db, { datasetNo, userId }, { drafts: true }),
    db.sql
      .selectFrom('leases')
      .select((eb) => eb.fn.countAll<number>().as('held'))
      .where('dataset_no', '=', datasetNo)
      .where('user_id', '=', userId)
      .where('until', '>', db.dialect.now)
      .executeTakeFirstOrThrow(),
  ])
  const leased = Number(held)
  return Math.max(0, Math.min(maxQueueRecords - leased, (cap ?? Number.POSITIVE_INFINITY) - submitted - leased - tests.length))
}

type Leased = { readonly granted: readonly Grant[]; readonly known: number }

/**
 * Keeps the user's leases, and leases up to `wanted` of the next records. Leaves out:
 * - records that have all their answers
 * - records whose missing answers are leased to others
 * - records that are assigned only to others
 *
 * @returns `known`: how many of the granted records the user already had
 */
const lease = async (
  db: Db,
  dataset: ScopeDataset,
  { user, own, next, wanted, purpose, lease: fullLease }: LeaseArgs,
): Promise<Leased> => {
  const place = placeOf(dataset, user)
  const granted: Grant[] = []
  const duration = durationOf(user, dataset, purpose, fullLease)
  const cap = capOf(dataset)
  if (own.length > 0) {
    const { at, offered } = await lockOffered(db, place, own, { waitForLocks: true })
    const stillOpen = own.filter((seq) => {
      const record = offered.get(seq)
      // Owners and admins who only view records keep a live lease, but can't renew an expired one.
      return (
        (record?.lease === 'live' && (duration !== null || !record.isReturned)) || (duration !== null && record?.free === true)
      )
    })
    const leased = await grant(db, place, stillOpen, { until: at + (duration ?? 0), longest: at + fullLease })
    const leases = new Map(leased.map((one) => [one.seq, one]))
    // Returned answers are shown to their authors even if their records are already complete. No lease is needed for these
    // records.
    const returned = new Set((await returnedTo(db, dataset.no, user.id)).map(({ seq }) => seq))
    const shown = own.filter((seq) => leases.has(seq) || returned.has(seq))
    granted.push(...shown.map((seq) => leases.get(seq) ?? { seq, until: null }))
  }
  const known = granted.length
  // Records that are only shown need no lock
  if (duration === null) return { granted: [...granted, ...next.slice(0, wanted).map((seq) => ({ seq, until: null }))], known }
  // Computed after existing leases are extended, because the extended leases count toward the limit
  let missing = next.length === 0 ? 0 : Math.min(wanted, await remainingCapacity(db, place, cap))
  for (let from = 0; missing > 0 && from < next.length; ) {
    const some = next.slice(from, from + missing)
    from += some.length
    const { at, offered } = await lockOffered(db, place, some, { waitForLocks: false })
    const free = some.filter((seq) => offered.get(seq)?.free)
    granted.push(...(await grant(db, place, free, { until: at + duration, longest: at + fullLease })))
    missing -= free.length
  }
  return { granted, known }
}

type TakeArgs = LeaseArgs & {
  /** The records that the user's list contains already. */
  readonly exclude: readonly string[]
  readonly limit: number
  /** Whether test items with the user's draft are returned. */
  readonly drafts: boolean
  /** The records that a saved view's search found as possible test items. Null if there was no search. */
  readonly testRecords: TestRecordsOfView | null
}

export type TestRecordsOfView = { readonly view_id: string; readonly seqs: readonly number[] }

export type Taken = {
  readonly granted: readonly Grant[]
  /** How many records were leased, excluding test items. */
  readonly leased: number
}

/** Leases the user's next records, and adds test items to them. @throws Problem not_found, forbidden */
export const leaseRecords = command(
  'queue.take',
  async (db, { exclude, limit, drafts, testRecords, ...args }: TakeArgs): Promise<Taken> => {
    const { user, dataset_id } = args
    // Steps that may wait for locks come first. Every command takes locks in the same order: the user, then the records.
    const dataset = await lockPersonAndDataset(db, { user, dataset_id }, 'take', true)
    const { granted, known } = await lease(db, dataset, args)
    const checks = userChecks(user, dataset)
    if (checks === null) return { granted, leased: granted.length }
    const excluded = new Set((await seqsOf(db, dataset.no, exclude)).values())
    const cap = capOf(dataset)
    const spare = cap === null ? Number.POSITIVE_INFINITY : await remainingCapacity(db, placeOf(dataset, user), cap)
    const handed = await withTests(db, {
      datasetNo: dataset.no,
      userId: user.id,
      checks,
      seqs: granted.map(({ seq }) => seq),
      known,
      exclude: excluded,
      limit,
      room: spare + granted.length - known,
      drafts,
      among: checks.view_id === null ? null : checks.view_id === testRecords?.view_id ? testRecords.seqs : [],
    })
    // Records that were displaced by test items are released, so that the next request can return them in the order of the queue.
    const shown = new Set(handed)
    const displaced = granted.slice(known).flatMap(({ seq }) => (shown.has(seq) ? [] : [seq]))
    if (displaced.length > 0)
      await db.sql
        .deleteFrom('leases')
        .where('dataset_no', '=', dataset.no)
        .where('user_id', '=', user.id)
        .where('seq', 'in', db.dialect.listed(displaced))
        .execute()
    const grants = new Map(granted.map((one) => [one.seq, one]))
    const until = (await clockOf(db)) + (durationOf(user, dataset, args.purpose, args.lease) ?? 0)
    return {
      granted: handed.map((seq) => grants.get(seq) ?? { seq, until }),
      leased: granted.length,
    }
  },
)

type RenewArgs = InDataset & {
  readonly record_ids: readonly string[]
  readonly purpose: QueuePurpose
  /** Whether to also lease records that the user has no lease on. */
  readonly acquire: boolean
  readonly lease: number
}
type Renewed = { readonly record_id: string; readonly until: Micros | null }

/**
 * Renews the user's leases on the given records.
 * - An expired lease is renewed if the record still needs more answers than other people have leases on it. If the record is
 *   assigned only to others, an expired lease isn't renewed.
 * - With `acquire`, free records on which the user has no lease are leased, too, within the user's limits. This doesn't happen if
 *   the dataset assigns records to named users.
 * - In the result, `until` is null if the lease ended because the user answered, or because the record was leased or assigned to
 *   another user.
 *
 * @throws Problem not_found, forbidden
 */
export const renewLeases = command(
  'queue.renew',
  async (db, { user, record_ids, purpose, acquire, lease: fullLease, ...of }: RenewArgs): Promise<readonly Renewed[]> => {
    const dataset = await lockPersonAndDataset(db, { user, ...of }, 'renew', acquire)
    const place = placeOf(dataset, user)
    const seqs = await seqsOf(db, dataset.no, record_ids)
    if (seqs.size === 0) return record_ids.map((record_id) => ({ record_id, until: null }))
    const { at, offered } = await lockOffered(db, place, [...seqs.values()], { waitForLocks: true })
    // Owners and admins who only view records keep their leases, but these aren't extended.
    const lease = durationOf(user, dataset, purpose, fullLease) ?? 0
    const stillOpen = [...offered.values()].filter(
      ({ lease: own, isReturned, free }) =>
        (own === 'live' && (lease > 0 || !isReturned)) || (lease > 0 && own === 'over' && free),
    )
    const mayAcquire = acquire && lease > 0 && !isAssigned(dataset)
    const open = mayAcquire ? [...offered.values()].filter(({ lease: own, free }) => own === null && free) : []
    const capacity = open.length === 0 ? 0 : await remainingCapacity(db, place, capOf(dataset))
    const granted = await grant(
      db,
      place,
      [...stillOpen, ...open.slice(0, capacity)].map(({ seq }) => seq),
      { until: at + lease, longest: at + fullLease },
    )
    // Test items aren't leased, but must look as if they were.
    const tests = userChecks(user, dataset) === null ? [] : await openTests(db, place, { drafts: true })
    const untils = new Map([
      ...tests.map((seq) => [seq, at + lease] as const),
      ...granted.map(({ seq, until }) => [seq, until] as const),
    ])
    return record_ids.map((record_id) => ({ record_id, until: untils.get(seqs.get(record_id) ?? -1) ?? null }))
  },
)

type ReleaseArgs = InDataset & {
  readonly ids: string | null
  readonly purpose: QueuePurpose
  /**
   * The latest end of the leases that the caller knows of. Leases that end later are kept. If null, leases are released
   * regardless of when they end.
   */
  readonly until: string | null
  /** The number of seconds after which the leases end; 0 to end them immediately. */
  readonly delay: number
}

/**
 * Releases leases, so that others can get the records. If `delay` isn't 0, the leases end after this delay, and the user can
 * still renew them before then. These leases are kept:
 * - with the purpose `view`: leases that last longer than a lease for viewing
 * - with `until`: leases that end later than `until`, because they have been renewed
 * @param ids null for all leases. @throws Problem not_found, forbidden, unprocessable
 */
export const releaseLeases = command(
  'queue.give-back',
  async (db, { user, ids, purpose, until, delay, ...of }: ReleaseArgs): Promise<void> => {
    const dataset = await queueDataset(db, { user, ...of }, 'giveBack')
    const at = await clockOf(db)
    const seqs = ids === null ? null : [...(await seqsOf(db, dataset.no, parseIds(ids))).values()]
    const knownUntil = until === null ? null : readTime(until)
    const released = (eb: ExpressionBuilder<Tables, 'leases'>) =>
      eb.and([
        eb('dataset_no', '=', dataset.no),
        eb('user_id', '=', user.id),
        ...(seqs === null ? [] : [eb('seq', 'in', db.dialect.listed(seqs))]),
        ...(purpose === 'view' ? [eb('until', '<=', at + VIEW_LEASE_US)] : []),
        ...(knownUntil === null ? [] : [eb('until', '<=', knownUntil)]),
      ])
    const end = at + delay * 1_000_000
    // A delay must not make a lease longer.
    if (delay > 0) await db.sql.updateTable('leases').set({ until: end }).where(released).where('until', '>', end).execute()
    else await db.sql.deleteFrom('leases').where(released).execute()
  },
)

/** Releases all of a user's leases in a dataset, at the request of another user who has the right to do so. */
export const releaseLeasesOf = command(
  'queue.give-back-of',
  async (db, { user_id, dataset_no }: { readonly user_id: string; readonly dataset_no: number }): Promise<void> => {
    await db.sql.deleteFrom('leases').where('dataset_no', '=', dataset_no).where('user_id', '=', user_id).execute()
  },
  { isPreparation: true },
)

/** Deletes leases that expired long ago. @throws Problem not_found, forbidden */
export const removeStaleLeases = command('queue.forget', async (db, of: InDataset): Promise<void> => {
  const dataset = await queueDataset(db, of, 'take')
  await removeStaleRows(db, dataset.no, await clockOf(db))
})
