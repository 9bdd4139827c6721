import { randomInt } from 'node:crypto'
import type { SearchBody } from '@postil/contract/search.ts'
import type { Include } from '@postil/contract/wire/query-lists.ts'
import { assignedToOthersOnly } from '#features/assignments/public.ts'
import { presentPage, type RecordPage, type ScopeDataset, viewerOf } from '#features/records/public.ts'
import { testSearchIn, viewAt } from '#features/saved-views/public.ts'
import { type FirstSearch, isShuffled, orderOf, type QueueContext, type QueueOrder, stateOf } from '#features/search/public.ts'
import { type Checks, isStopped, openTests, placeOf } from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { Micros } from '#platform/time.ts'
import { findCandidates, openPartlyAnswered, type RecordsInProgress, recordsInProgress } from './candidates.ts'
import type { Grant } from './grants.ts'
import { returnedTo } from './holds.ts'
import { closedRecords, countUnavailable, isHeldByViewer, isUnavailable, leasedRecords } from './leased.ts'
import { clockOf, type InDataset, queueDataset, seqsOf, userChecks } from './scope.ts'
import { capOf, isSearched, queueSearches, queueSettingsOf, submittedOf } from './settings.ts'
import { cachedUnavailable, loadUnavailable } from './unavailable-cache.ts'

/**
 * The test items that the queue assigns to the user. @param drafts whether to include test items for which the user has a draft
 */
const assignedTests = async (db: Db, user: Actor, dataset: ScopeDataset, drafts: boolean): Promise<readonly number[]> =>
  userChecks(user, dataset) === null ? [] : openTests(db, { datasetNo: dataset.no, userId: user.id }, { drafts })

/** The maximum number of records that one user may have leased in a dataset. */
const MAX_LEASED = 100

/** The number of candidates to try: a few more than wanted, because others may take some of the records first. */
const candidatesFor = (wanted: number): number => 2 * wanted + 5
const MAX_CANDIDATES = 1000

/**
 * The number of candidates to read. Users whose queues have the same order compete for the same records. After each failed
 * attempt, more candidates are read, and `pickCandidates` chooses different ones for each user.
 */
const candidatesToRead = (wanted: number, attempt: number): number =>
  Math.min(MAX_CANDIDATES, candidatesFor(wanted) * 4 ** attempt)

/** Returns the candidates to try: at the first attempt the first ones, later some that follow each other from a random one on. */
export const pickCandidates = (next: readonly number[], wanted: number, attempt: number): readonly number[] => {
  const spare = next.length - candidatesFor(wanted)
  const from = attempt === 0 || spare <= 0 ? 0 : randomInt(spare + 1)
  return next.slice(from, from + candidatesFor(wanted))
}

export type Found = {
  /** `own`: the `seq`s of the records leased to the user. `next`: the `seq`s of the records to assign next, in this order. */
  readonly own: readonly number[]
  readonly next: readonly number[]
  /** How many of the `next` records are wanted. */
  readonly wanted: number
  /** The search that must be run to find the `next` records. Null if `next` already contains them. */
  readonly search: SearchRequest | null
  /** How test items are assigned to the user; null if they aren't. */
  readonly checks: Checks | null
  /** How a view finds the next test items. Null if no view selects test items, or if the user can't get any. */
  readonly tests: TestPlan | null
  /** Whether the user gets no more records, because too many of the user's answers to test items were wrong. */
  readonly stopped: boolean
}

type TestPlan = {
  readonly view_id: string
  /** The search of the view. */
  readonly body: SearchBody
  readonly place: Awaited<ReturnType<typeof placeOf>>
  /** How many more records and test items the user can get. */
  readonly slots: number
}

/** Plans how a view finds the user's next test items. Null if the view doesn't exist or can't be searched. */
const planTests = async (
  db: Db,
  person: { readonly datasetNo: number; readonly userId: string },
  { view_id }: Checks,
  slots: number,
): Promise<TestPlan | null> => {
  if (view_id === null || slots <= 0) return null
  const [view, place] = await pipeline([viewAt(db, person.datasetNo, view_id), placeOf(db, person)])
  const body = view === undefined ? null : testSearchIn(view)
  return body === null ? null : { view_id, body, place, slots }
}

/** The input of the searches for the next records. */
export type SearchRequest = {
  readonly searches: readonly Omit<FirstSearch, 'parts'>[]
  /** Records with a submitted answer from any user. These come first. */
  readonly partly: readonly number[]
  /** Records that must not be assigned now. */
  readonly skip: readonly number[]
  /** Records whose missing answers are all leased to others. */
  readonly unavailable: readonly number[]
  readonly count: number
  /**
   * How many of the records that the request excludes couldn't be assigned to the user anyway, for example because the user has
   * already answered them.
   */
  readonly closed: number
  /**
   * The number of records that are leased to the user although they are assigned to others. The searches can't find these
   * records.
   */
  readonly heldOfOthers: number
}
type FindArgs = InDataset & {
  readonly limit: number
  readonly exclude: readonly string[]
  /** Whether records with the user's draft may be assigned. */
  readonly drafts: boolean
  readonly thorough: boolean
  /** How many attempts of this request have found only records that others took first. */
  readonly attempt: number
}

const usernameOf = async (db: Db, id: string): Promise<string> =>
  (await db.sql.selectFrom('users').select('username').where('id', '=', id).executeTakeFirstOrThrow()).username

/** For each wanted record, this many candidates are read, because some candidates are leased to other users. */
const SCAN_FACTOR = 3

type ScanContext = {
  readonly inProgress: RecordsInProgress
  readonly at: Micros
  readonly minSubmitted: number
  readonly hasExtra: boolean
  readonly thorough: boolean
}
type Next = { readonly count: number; readonly skip: ReadonlySet<number> }

/**
 * The first available records in the user's order. Null if finding them would take too long. Unavailable records are excluded in
 * advance only if most of the first records are unavailable, as in a large team or near the end of a dataset.
 */
const findFreeRecords = async (
  context: QueueContext,
  order: QueueOrder,
  { inProgress, at, minSubmitted, hasExtra, thorough }: ScanContext,
  { count, skip }: Next,
): Promise<readonly number[] | null> => {
  const { db, datasetNo } = context
  const maxPerPerson = count * SCAN_FACTOR
  /** Reads the first candidates, except those in `some`, and returns the free ones. */
  const findFreeExcept = async (
    some: ReadonlySet<number>,
  ): Promise<{ readonly free: readonly number[]; readonly isAll: boolean } | null> => {
    const first = await findCandidates(context, order, inProgress, {
      count: maxPerPerson,
      skip: new Set([...skip, ...some]),
      thorough,
    })
    if (first === null || first.length === 0) return first && { free: [], isAll: some.size === 0 }
    const leased = await leasedRecords(db, datasetNo, { userId: order.userId, at, among: first })
    const unavailable = new Set(leased.filter((record) => isUnavailable(record, minSubmitted)).map(({ seq }) => seq))
    return { free: first.filter((seq) => !unavailable.has(seq)), isAll: some.size === 0 && first.length < maxPerPerson }
  }
  const firstPass = await findFreeExcept(cachedUnavailable(db, datasetNo) ?? new Set())
  if (firstPass === null || firstPass.isAll || firstPass.free.length >= count) return firstPass?.free.slice(0, count) ?? null
  const secondPass = await findFreeExcept(await loadUnavailable(db, datasetNo, { at, minSubmitted, hasExtra }))
  return secondPass?.free.slice(0, count) ?? null
}

/**
 * Finds the records that could be assigned to a user next. Returns null if finding them would take too long.
 * @throws Problem not_found, forbidden
 */
export const findNext = query(
  'queue.find',
  async (db, { user, limit, exclude, drafts, thorough, attempt, ...of }: FindArgs): Promise<Found | null> => {
    const [dataset, state, at] = await pipeline([
      queueDataset(db, { user, ...of }, 'take'),
      stateOf(db, of.dataset_id),
      clockOf(db),
    ])
    const checks = userChecks(user, dataset)
    const nothing = { own: [], next: [], wanted: 0, search: null, checks: null, tests: null, stopped: false }
    if (dataset.status === 'draft') return nothing
    if (await isStopped(db, dataset.no, user.id, checks)) return { ...nothing, stopped: true }
    const settings = await queueSettingsOf(db, dataset)
    const hasAssignments = state.assignmentsVersion > 0
    const searched = isSearched(settings) || hasAssignments
    const { hasExtra } = state
    const context = { db, datasetNo: dataset.no, size: state.stamp.nextSeq, counts: state.counts, reopened: state.reopened }
    const order: QueueOrder = { userId: user.id, shuffled: isShuffled(dataset) }
    const { keyOf, buckets } = orderOf(order, dataset.no, state.counts.pending + state.counts.completed)
    const start = (buckets[0] ?? 0) * 2 ** 24
    const tests = await assignedTests(db, user, dataset, drafts)
    const [leased, returned, excluded, inProgress, submitted] = await pipeline([
      leasedRecords(db, dataset.no, { userId: user.id, at, among: searched ? 'all' : 'own' }),
      returnedTo(db, dataset.no, user.id),
      seqsOf(db, dataset.no, exclude),
      recordsInProgress(context, order, { start, overlap: hasExtra ? dataset.min_submitted + 1 : dataset.min_submitted, drafts }),
      settings.max_per_person === null ? 0 : submittedOf(db, dataset.no, user.id),
    ])
    const allowed = (settings.max_per_person ?? Number.POSITIVE_INFINITY) - submitted
    const excludedSeqs = new Set(excluded.values())
    const held = leased.filter((record) => isHeldByViewer(record, at) && !record.answered)
    const first = returned.map(({ seq }) => seq).filter((seq) => !excludedSeqs.has(seq))
    const leasedToUser = held
      .filter((record) => !record.returned && !excludedSeqs.has(record.seq) && (drafts || !record.drafted))
      .map(({ seq, shuffle, submitted }) => ({ seq, partly: submitted > 0, key: keyOf(order.shuffled ? shuffle : seq) }))
      .sort((a, b) => Number(b.partly) - Number(a.partly) || a.key - b.key || a.seq - b.seq)
      .slice(0, Math.max(0, Math.min(limit, allowed)))
      .map(({ seq }) => seq)
    const own = [...first, ...leasedToUser].slice(0, limit)
    const wanted = Math.max(0, Math.min(limit - own.length, MAX_LEASED - held.length, allowed - held.length - tests.length))
    const shown = own.length + tests.filter((seq) => !excludedSeqs.has(seq)).length
    const slots = Math.min(limit - shown, allowed - held.length - tests.length)
    const found = {
      checks,
      tests: checks === null ? null : await planTests(db, { datasetNo: dataset.no, userId: user.id }, checks, slots),
      stopped: false,
    }
    const skip = new Set([...excludedSeqs, ...[...held, ...returned].map(({ seq }) => seq)])
    const count = candidatesToRead(wanted, attempt)
    if (searched) {
      const unavailable = leased.filter((record) => isUnavailable(record, dataset.min_submitted))
      const others = unavailable.filter((record) => !isHeldByViewer(record, at)).map(({ seq }) => seq)
      for (const { seq } of unavailable) skip.add(seq)
      const named = { id: user.id, username: await usernameOf(db, user.id) }
      const searches = queueSearches(settings, { user: named, hasAssignments, drafts })
      const person = { userId: user.id, at, minSubmitted: dataset.min_submitted, drafts, tests }
      const { length: closed } = await closedRecords(db, dataset, person, exclude)
      const scanned = hasAssignments ? inProgress.scanned.map(({ seq }) => seq) : []
      const ofOthers = await assignedToOthersOnly(db, dataset.no, user.id, scanned)
      const partly = openPartlyAnswered(context, order, inProgress, { count, skip, ofOthers })
      const heldOfOthers = await assignedToOthersOnly(
        db,
        dataset.no,
        user.id,
        settings.others_answer_assigned
          ? []
          : held.filter((record) => drafts || !(record.drafted || record.returned)).map(({ seq }) => seq),
      )
      const search = { searches, partly, skip: [...skip], unavailable: others, count, closed, heldOfOthers: heldOfOthers.size }
      return { ...found, own, next: [], wanted, search }
    }
    if (wanted === 0) return { ...found, own, next: [], wanted, search: null }
    const scan = { inProgress, at, minSubmitted: dataset.min_submitted, hasExtra, thorough }
    const next = await findFreeRecords(context, order, scan, { count, skip })
    return next === null ? null : { ...found, own, next, wanted, search: null }
  },
)

/**
 * The number of pending records for which the user has submitted or discarded an answer. Includes records with the user's draft
 * if drafts are left out of the queue.
 */
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
  /** The number of records that can be assigned to the user, as counted by a search. If null, the counters are used. */
  readonly searched: number | null
  readonly stopped: boolean
}
/** The parts of records that the queue returns. */
export const queueInclude: Include = { responses: true, suggestions: true, vectors: 'none', agreement: false, gold: false }

export type Presented = {
  readonly page: RecordPage
  /** When each record's lease ends. Null for a record without a lease. */
  readonly untils: ReadonlyMap<number, Micros | null>
  /** The other keys of the response as JSON, without braces. */
  readonly rest: string
  /** How many records can be assigned to the user, computed from counters and leased records. */
  readonly left: number
  /** Whether there are stale leases to delete. */
  readonly stale: boolean
  /** How many excluded records aren't included in `left`. */
  readonly closed: number
}

/** The assigned records. @throws Problem not_found, forbidden */
export const presentQueue = query(
  'queue.present',
  async (db, { user, granted, exclude, drafts, searched, stopped, ...of }: InDataset & PresentArgs): Promise<Presented> => {
    const [dataset, { counts, hasExtra }, at, viewer] = await pipeline([
      queueDataset(db, { user, ...of }, 'take'),
      stateOf(db, of.dataset_id),
      clockOf(db),
      viewerOf(db, of.dataset_id, user, { own: true }),
    ])
    const person = { userId: user.id, at, minSubmitted: dataset.min_submitted, hasExtra, drafts }
    const maxPerPerson = capOf(dataset)
    const seqs = granted.map(({ seq }) => seq)
    // `searched` and the counters don't include test items.
    const tests = stopped ? [] : await assignedTests(db, user, dataset, drafts)
    const [page, { unavailable, stale }, closed, answered, returned, submitted] = await pipeline([
      presentPage(db, dataset, seqs, { include: queueInclude, viewer }),
      countUnavailable(db, dataset.no, person),
      closedRecords(db, dataset, { ...person, tests }, exclude),
      answeredOf(db, dataset.no, user.id, drafts),
      returnedTo(db, dataset.no, user.id),
      maxPerPerson === null ? 0 : submittedOf(db, dataset.no, user.id),
    ])
    const untils = new Map(granted.map(({ seq, until }) => [seq, until]))
    // Returned answers are drafts, so the counters and searches include them only if drafts are included.
    const uncounted = returned.filter(({ isPending }) => !(isPending && drafts)).length
    const open = (searched ?? counts.pending - answered - unavailable) + uncounted + tests.length
    const counted = maxPerPerson === null ? open : Math.max(returned.length, Math.min(open, maxPerPerson - submitted))
    const left = stopped ? 0 : counted
    const cap = maxPerPerson === null ? null : { most: maxPerPerson, submitted }
    const rest = JSON.stringify({ left, closed, cap, stopped })
    return { page, untils, rest: rest.slice(1, -1), left, stale, closed: closed.length }
  },
)

/** The numbers of the datasets in which a user has leases. @param workspace_id null for every workspace */
export const datasetsWithLeases = query(
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
