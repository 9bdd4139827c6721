import type { Include } from '@postil/contract/query-lists.ts'
import { presentRecords, viewerOf } from '#features/records/service.ts'
import { orderOf, stateOf } from '#features/search/service.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { together } from '#platform/db/together.ts'
import { type Micros, printTime } from '#platform/time.ts'
import { begunRecords, findCandidates } from './candidates.ts'
import type { Grant } from './grants.ts'
import { isTaken, type Leased, leasedRecords } from './leased.ts'
import { clockOf, type InDataset, queueDataset, seqsOf } from './scope.ts'

/** The most records that one person has in hand in a dataset. */
const MOST_HELD = 100
/** Others may be quicker with some of what was found: so many more are named. */
const spareFor = (wanted: number): number => wanted + 5

export type Found = {
  /** Records that the user has in hand, and others to be handed out next; in order, by `seq`. */
  readonly own: readonly number[]
  readonly next: readonly number[]
  /** How many of `next` are wanted. */
  readonly wanted: number
  /** Whether leases are there that can be forgotten. */
  readonly stale: boolean
}
type FindArgs = InDataset & {
  readonly limit: number
  readonly exclude: readonly string[]
  /** Whether records with a draft of the user are among what is handed out. */
  readonly drafts: boolean
  readonly far: boolean
}

const isInHand = ({ own }: Leased, at: Micros): boolean => own !== null && own > at

/** What could be handed to a user next; null when it takes long to find out. @throws Problem not_found, forbidden */
export const findNext = query(
  'queue.find',
  async (db, { user, limit, exclude, drafts, far, ...of }: FindArgs): Promise<Found | null> => {
    const [dataset, state, at] = await together([
      queueDataset(db, { user, ...of }, 'take', { hold: false }),
      stateOf(db, of.dataset_id),
      clockOf(db),
    ])
    if (dataset.status === 'draft') return { own: [], next: [], wanted: 0, stale: false }
    const reach = { db, datasetNo: dataset.no, size: state.stamp.nextSeq, counts: state.counts, reopened: state.reopened }
    const { keyOf, buckets } = orderOf(user.id, dataset.no, state.counts.pending + state.counts.completed)
    const start = (buckets[0] ?? 0) * 2 ** 24
    const [leased, excluded, begun] = await together([
      leasedRecords(db, dataset.no, { userId: user.id, at }),
      seqsOf(db, dataset.no, exclude),
      begunRecords(reach, user.id, { start, overlap: dataset.min_submitted, drafts }),
    ])
    const unwanted = new Set(excluded.values())
    const held = leased.records.filter((record) => isInHand(record, at) && !record.answered)
    const own = held
      .filter(({ seq, drafted }) => !unwanted.has(seq) && (drafts || !drafted))
      .map(({ seq, shuffle, submitted }) => ({ seq, partly: submitted > 0, key: keyOf(shuffle) }))
      .sort((a, b) => Number(b.partly) - Number(a.partly) || a.key - b.key || a.seq - b.seq)
      .slice(0, limit)
      .map(({ seq }) => seq)
    const wanted = Math.min(limit - own.length, MOST_HELD - held.length)
    if (wanted <= 0) return { own, next: [], wanted: 0, stale: leased.stale }
    const taken = leased.records.filter((record) => isTaken(record, dataset.min_submitted))
    const skip = new Set([...unwanted, ...held.map(({ seq }) => seq), ...taken.map(({ seq }) => seq)])
    const next = await findCandidates(reach, user.id, begun, { count: wanted + spareFor(wanted), skip, far })
    return next === null ? null : { own, next, wanted, stale: leased.stale }
  },
)

/** How many pending records the user has submitted or discarded, or has a draft of where drafts are left out. */
const answeredOf = async (db: Db, datasetNo: number, userId: string, drafts: boolean): Promise<number> => {
  const query = db.sql
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number | null>('n').as('n'))
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', userId)
    .where('record_status', '=', 'pending')
  const row = await (drafts ? query.where('response_status', '!=', 'draft') : query).executeTakeFirst()
  return row?.n ?? 0
}

const include: Include = { responses: true, suggestions: true, vectors: 'none' }

/**
 * What was handed out as JSON, with the number of records that can be handed to the user: from counters, and from the records
 * that are leased. @throws Problem not_found, forbidden
 */
export const presentQueue = query(
  'queue.present',
  async (
    db,
    { user, granted, drafts, ...of }: InDataset & { readonly granted: readonly Grant[]; readonly drafts: boolean },
  ): Promise<string> => {
    const [dataset, { counts }, at, viewer] = await together([
      queueDataset(db, { user, ...of }, 'take', { hold: false }),
      stateOf(db, of.dataset_id),
      clockOf(db),
      viewerOf(db, of.dataset_id, user, { own: true }),
    ])
    const seqs = granted.map(({ seq }) => seq)
    const [presented, leased, answered] = await together([
      presentRecords(db, dataset, seqs, { include, viewer }),
      leasedRecords(db, dataset.no, { userId: user.id, at }),
      answeredOf(db, dataset.no, user.id, drafts),
    ])
    const taken = leased.records.filter(
      (record) =>
        !record.answered && (drafts || !record.drafted) && !isInHand(record, at) && isTaken(record, dataset.min_submitted),
    )
    const untils = new Map(granted.map(({ seq, until }) => [seq, until]))
    const items = presented.map(
      ({ seq, text }) => `{"record":${text},"lease":{"until":${JSON.stringify(printTime(untils.get(seq) ?? at))}}}`,
    )
    return `{"items":[${items.join(',')}],"left":${counts.pending - answered - taken.length}}`
  },
)
