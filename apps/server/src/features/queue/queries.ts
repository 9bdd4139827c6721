import type { SearchBody } from '@postil/contract/search.ts'
import type { Include } from '@postil/contract/wire/query-lists.ts'
import { presentRecords, viewerOf } from '#features/records/service.ts'
import { orderOf, type QueueReach, stateOf } from '#features/search/service.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { together } from '#platform/db/statements/together.ts'
import { type Micros, printTime } from '#platform/time.ts'
import { type Begun, begunRecords, findCandidates, partlyOpen } from './candidates.ts'
import { lookAtTaken, recentlyTaken } from './crowd.ts'
import type { Grant } from './grants.ts'
import { closedAmong, countTaken, isInHand, isTaken, leasedRecords } from './leased.ts'
import { clockOf, type InDataset, queueDataset, seqsOf } from './scope.ts'
import { capOf, isSearched, queueSettingsOf, searchFor, submittedOf } from './settings.ts'

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
  /** By a search: `next` is then still to be found; null where the walk of the queue has found it. */
  readonly search: Searched | null
}
/** What a search for the next records has to know. */
export type Searched = {
  readonly body: SearchBody
  /** Records that somebody has submitted an answer to, which come first. */
  readonly partly: readonly number[]
  /** Not to be handed out now. */
  readonly skip: readonly number[]
  /** Records of which all answers are in others' hands. */
  readonly taken: readonly number[]
  readonly count: number
  /** How many of what is excluded the user could not have anyway. */
  readonly closed: number
}
type FindArgs = InDataset & {
  readonly limit: number
  readonly exclude: readonly string[]
  /** Whether records with a draft of the user are among what is handed out. */
  readonly drafts: boolean
  readonly far: boolean
}

const usernameOf = async (db: Db, id: string): Promise<string> =>
  (await db.sql.selectFrom('users').select('username').where('id', '=', id).executeTakeFirstOrThrow()).username

/** So many times as many records as are wanted are looked at first, some of which others have in hand. */
const LOOKED_AT = 3

type Look = { readonly begun: Begun; readonly at: Micros; readonly minSubmitted: number; readonly far: boolean }
type Next = { readonly count: number; readonly skip: ReadonlySet<number> }

/**
 * The first records in the user's order that are not taken; null when it takes long to find out. NOTE: all that is taken is left out beforehand
 * only where most of what comes first is: in a large team, and towards the end of a dataset.
 */
const freeRecords = async (
  reach: QueueReach,
  userId: string,
  { begun, at, minSubmitted, far }: Look,
  { count, skip }: Next,
): Promise<readonly number[] | null> => {
  const { db, datasetNo } = reach
  const most = count * LOOKED_AT
  /** What is free of the first records beside some. */
  const freeBeside = async (
    some: ReadonlySet<number>,
  ): Promise<{ readonly free: readonly number[]; readonly isAll: boolean } | null> => {
    const first = await findCandidates(reach, userId, begun, { count: most, skip: new Set([...skip, ...some]), far })
    if (first === null || first.length === 0) return first && { free: [], isAll: some.size === 0 }
    const leased = await leasedRecords(db, datasetNo, { userId, at, among: first })
    const taken = new Set(leased.filter((record) => isTaken(record, minSubmitted)).map(({ seq }) => seq))
    return { free: first.filter((seq) => !taken.has(seq)), isAll: some.size === 0 && first.length < most }
  }
  const early = await freeBeside(recentlyTaken(db, datasetNo) ?? new Set())
  if (early === null || early.isAll || early.free.length >= count) return early?.free.slice(0, count) ?? null
  const late = await freeBeside(await lookAtTaken(db, datasetNo, { at, minSubmitted }))
  return late?.free.slice(0, count) ?? null
}

/** What could be handed to a user next; null when it takes long to find out. @throws Problem not_found, forbidden */
export const findNext = query(
  'queue.find',
  async (db, { user, limit, exclude, drafts, far, ...of }: FindArgs): Promise<Found | null> => {
    const [dataset, state, at] = await together([
      queueDataset(db, { user, ...of }, 'take', { hold: false }),
      stateOf(db, of.dataset_id),
      clockOf(db),
    ])
    if (dataset.status === 'draft') return { own: [], next: [], wanted: 0, search: null }
    const settings = await queueSettingsOf(db, dataset)
    const reach = { db, datasetNo: dataset.no, size: state.stamp.nextSeq, counts: state.counts, reopened: state.reopened }
    const { keyOf, buckets } = orderOf(user.id, dataset.no, state.counts.pending + state.counts.completed)
    const start = (buckets[0] ?? 0) * 2 ** 24
    const [leased, excluded, begun, submitted] = await together([
      leasedRecords(db, dataset.no, { userId: user.id, at, among: isSearched(settings) ? 'all' : 'own' }),
      seqsOf(db, dataset.no, exclude),
      begunRecords(reach, user.id, { start, overlap: dataset.min_submitted, drafts }),
      settings.max_per_person === null ? 0 : submittedOf(db, dataset.no, user.id),
    ])
    const allowed = (settings.max_per_person ?? Number.POSITIVE_INFINITY) - submitted
    const unwanted = new Set(excluded.values())
    const held = leased.filter((record) => isInHand(record, at) && !record.answered)
    const own = held
      .filter(({ seq, drafted }) => !unwanted.has(seq) && (drafts || !drafted))
      .map(({ seq, shuffle, submitted }) => ({ seq, partly: submitted > 0, key: keyOf(shuffle) }))
      .sort((a, b) => Number(b.partly) - Number(a.partly) || a.key - b.key || a.seq - b.seq)
      .slice(0, Math.max(0, Math.min(limit, allowed)))
      .map(({ seq }) => seq)
    const wanted = Math.max(0, Math.min(limit - own.length, MOST_HELD - held.length, allowed - held.length))
    const skip = new Set([...unwanted, ...held.map(({ seq }) => seq)])
    const count = wanted + spareFor(wanted)
    if (isSearched(settings)) {
      const taken = leased.filter((record) => isTaken(record, dataset.min_submitted))
      const others = taken.filter((record) => !isInHand(record, at)).map(({ seq }) => seq)
      for (const { seq } of taken) skip.add(seq)
      const body = searchFor(settings, { username: await usernameOf(db, user.id), drafts })
      const person = { userId: user.id, at, minSubmitted: dataset.min_submitted, drafts }
      const { length: closed } = await closedAmong(db, dataset.no, person, exclude)
      const partly = partlyOpen(reach, user.id, begun, { count, skip })
      const search = { body, partly, skip: [...skip], taken: others, count, closed }
      return { own, next: [], wanted, search }
    }
    if (wanted === 0) return { own, next: [], wanted, search: null }
    const look = { begun, at, minSubmitted: dataset.min_submitted, far }
    const next = await freeRecords(reach, user.id, look, { count, skip })
    return next === null ? null : { own, next, wanted, search: null }
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

type PresentArgs = {
  readonly granted: readonly Grant[]
  readonly exclude: readonly string[]
  readonly drafts: boolean
  /** How many records a search says can be handed to the user; null where counters say it. */
  readonly searched: number | null
}
const include: Include = { responses: true, suggestions: true, vectors: 'none' }

export type Presented = {
  /** As JSON, with the number of records that can be handed to the user: from counters, and from the records that are leased. */
  readonly text: string
  readonly left: number
  /** Whether leases are there that can be forgotten. */
  readonly stale: boolean
  /** How many of what is excluded is not counted in it. */
  readonly closed: number
}

/** What was handed out. @throws Problem not_found, forbidden */
export const presentQueue = query(
  'queue.present',
  async (db, { user, granted, exclude, drafts, searched, ...of }: InDataset & PresentArgs): Promise<Presented> => {
    const [dataset, { counts }, at, viewer] = await together([
      queueDataset(db, { user, ...of }, 'take', { hold: false }),
      stateOf(db, of.dataset_id),
      clockOf(db),
      viewerOf(db, of.dataset_id, user, { own: true }),
    ])
    const person = { userId: user.id, at, minSubmitted: dataset.min_submitted, drafts }
    const most = capOf(dataset)
    const seqs = granted.map(({ seq }) => seq)
    const [presented, { taken, stale }, closed, answered, submitted] = await together([
      presentRecords(db, dataset, seqs, { include, viewer }),
      countTaken(db, dataset.no, person),
      closedAmong(db, dataset.no, person, exclude),
      answeredOf(db, dataset.no, user.id, drafts),
      most === null ? 0 : submittedOf(db, dataset.no, user.id),
    ])
    const untils = new Map(granted.map(({ seq, until }) => [seq, until]))
    const items = presented.map(
      ({ seq, text }) => `{"record":${text},"lease":{"until":${JSON.stringify(printTime(untils.get(seq) ?? at))}}}`,
    )
    const open = searched ?? counts.pending - answered - taken
    const left = most === null ? open : Math.max(0, Math.min(open, most - submitted))
    const cap = most === null ? null : { most, submitted }
    const rest = JSON.stringify({ left, closed, cap })
    return { text: `{"items":[${items.join(',')}],${rest.slice(1)}`, left, stale, closed: closed.length }
  },
)

/** The datasets, by number, in which a user has records in hand. @param workspace_id null: of every workspace */
export const datasetsInHand = query(
  'queue.datasets-in-hand',
  async (db, { user_id, workspace_id }: { user_id: string; workspace_id: string | null }): Promise<readonly number[]> => {
    const held = db.sql
      .selectFrom('leases')
      .innerJoin('datasets', 'datasets.no', 'leases.dataset_no')
      .select('datasets.no')
      .distinct()
      .where('leases.user_id', '=', user_id)
      .where('gone_at', 'is', null)
    const rows = await (workspace_id === null ? held : held.where('workspace_id', '=', workspace_id)).orderBy('no').execute()
    return rows.map(({ no }) => no)
  },
)
