import type { LeasesBody, LeasesResult, QueueBody, QueuePurpose } from '@postil/contract/queue.ts'
import { pageItems } from '#features/records/public.ts'
import { firstOf, testRecords } from '#features/search/public.ts'
import { countDue } from '#features/test-items/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import type { JsonStream, RawJson } from '#platform/http/answers/answers.ts'
import { jsonList } from '#platform/http/answers/json-list.ts'
import type { UserShares } from '#platform/shares.ts'
import { printTime } from '#platform/time.ts'
import * as commands from './commands.ts'
import type { Grant } from './grants.ts'
import * as queries from './queries.ts'
import type { InDataset } from './scope.ts'

type Ctx = UserShares & {
  readonly store: Store
  readonly config: Pick<Config, 'leaseMs'>
  readonly log: { readonly warn: (fields: object, message: string) => void }
}
const inDataset = (user: Actor, dataset_id: string): InDataset => ({ user: actorOf(user), dataset_id })
const leaseOf = ({ config }: Ctx): number => config.leaseMs * 1000

/** Maximum number of rounds. Another round is needed if other users take all the records that were found. */
const ROUNDS = 3

type TakeRequest = {
  readonly limit: number
  readonly exclude: readonly string[]
  readonly drafts: boolean
  readonly purpose: QueuePurpose
}

/**
 * The records that the searches find for the user, and the total number of records that can be assigned to the user. In each
 * search, partially answered records come first. If the order is by agreement, records that have an agreement come before the
 * partially answered ones.
 */
const searchNext = async (
  ctx: Ctx,
  of: InDataset,
  { searches, partly, skip, unavailable, count, heldOfOthers }: queries.SearchRequest,
): Promise<{ readonly next: readonly number[]; readonly left: number }> => {
  // All searches have the same order
  const [first] = searches[0]?.body.sort ?? []
  const isByAgreement = first?.scope.entity === 'record' && first.scope.property === 'agreement'
  const parts = [
    // If records are sorted by agreement, the records with an agreement come first. They are searched separately, because the
    // length of `partly` is limited, so it may contain only some of them.
    ...(isByAgreement ? [{ among: null, withAgreement: true, limit: count + skip.length }] : []),
    { among: partly, limit: count },
    { among: null, limit: count + skip.length + partly.length },
    { among: unavailable, limit: 0 },
  ]
  const results = await firstOf(ctx, { ...of, searches: searches.map((search) => ({ ...search, parts })) })
  const excluded = new Set(skip)
  const next = new Set(results.flatMap((parts) => parts.flatMap(({ seqs }) => seqs)).filter((seq) => !excluded.has(seq)))
  const left = results
    .map((parts) => parts.slice(-2))
    .reduce((sum, [all, others]) => sum + (all?.total ?? 0) - (others?.total ?? 0), 0)
  return { next: [...next].slice(0, count), left: left + heldOfOthers }
}

type Next = queries.Found & { readonly left: number | null }

/** Finds the next records. Runs in the fast lane, or in the slow lane if the query would block the fast lane. */
const findNext = async (ctx: Ctx, of: InDataset, wanted: TakeRequest, attempt: number): Promise<Next> => {
  const { store } = ctx
  const args = { ...of, ...wanted, attempt }
  const quick = await store.read(queries.findNext, { ...args, thorough: false })
  const found = quick ?? (await store.read(queries.findNext, { ...args, thorough: true }, { lane: 'slow' }))
  if (found === null) throw new Error('the slow lane returned no result')
  const { next, left } = found.search === null ? { next: found.next, left: null } : await searchNext(ctx, of, found.search)
  return { ...found, next: queries.pickCandidates(next, found.wanted, attempt), left }
}

type TakeResult = {
  readonly granted: readonly Grant[]
  /** Whether the caller may get records in addition to those already leased to them. */
  readonly wantsMore: boolean
  readonly searched: number | null
  /**
   * How many of the records that the request excludes were unavailable to the user anyway, counted before the search. Null if
   * there was no search.
   */
  readonly closed: number | null
  readonly stopped: boolean
}

/**
 * If test items are taken from a saved view: finds records of this view for the test items that are due. Null if none are due.
 * Finds twice as many records as are due, because some may no longer be usable when they are assigned.
 */
const findTestRecords = async (
  ctx: Ctx,
  of: InDataset,
  { checks, tests, next, wanted }: Next,
): Promise<commands.TestRecordsOfView | null> => {
  if (checks === null || tests === null) return null
  const { view_id, body, place, slots } = tests
  const due = countDue(place, checks.every, { records: Math.min(wanted, next.length), slots })
  return due === 0 ? null : { view_id, seqs: (await testRecords(ctx, { ...of, body, count: due * 2 })).seqs }
}

/** @param attempts how many attempts were made before. Later attempts try other records */
const leaseSome = async (ctx: Ctx, of: InDataset, request: TakeRequest, attempts: number): Promise<TakeResult> => {
  let taken: commands.Taken = { granted: [], leased: 0 }
  let searched: number | null = null
  let closed: number | null = null
  let wantsMore = false
  let foundTests: commands.TestRecordsOfView | null = null
  for (let round = 1; round <= ROUNDS; round++) {
    const found = await findNext(ctx, of, request, attempts + round - 1)
    const { own, next, wanted, left, search, checks, stopped } = found
    searched = left
    closed = search?.closed ?? null
    wantsMore = wanted > 0
    const nothing = { granted: [], wantsMore, searched, closed, stopped }
    if (stopped || (own.length + next.length === 0 && checks === null)) return nothing
    const { purpose, exclude, limit, drafts } = request
    const lease = leaseOf(ctx)
    foundTests ??= await findTestRecords(ctx, of, found)
    taken = await ctx.store.write(commands.leaseRecords, {
      ...of,
      own,
      next,
      wanted,
      purpose,
      lease,
      exclude,
      limit,
      drafts,
      testRecords: foundTests,
    })
    // Another round is needed if fewer records were leased than expected. In it, `own` includes the records leased in this round.
    if (taken.leased >= own.length + Math.min(wanted, next.length)) break
  }
  return { granted: taken.granted, wantsMore, searched, closed, stopped: false }
}

/**
 * Assigns the next records to the caller, starting with the records already leased to them.
 * @throws Problem not_found, forbidden
 */
export const take = async (
  ctx: Ctx,
  user: Actor,
  dataset_id: string,
  { limit, exclude, drafts, purpose }: QueueBody,
): Promise<RawJson | JsonStream> => {
  const of = inDataset(user, dataset_id)
  const request = { limit, exclude: exclude ?? [], drafts, purpose }
  const leaseAndPresent = async (round = 1): Promise<queries.Presented> => {
    const { closed, wantsMore, ...unavailable } = await leaseSome(ctx, of, request, (round - 1) * ROUNDS)
    const presented = await ctx.store.read(queries.presentQueue, { ...of, ...unavailable, exclude: request.exclude, drafts })
    // The search and this read run at different times. An answer that was stored between them may be included in only one of the
    // two counts.
    const isConsistent = closed === null || closed === presented.closed
    // Some records may have become free after the search, because other users no longer hold them. The search then runs again.
    const excludedCount = request.exclude.length - presented.closed
    const isMissed = wantsMore && unavailable.granted.length === 0 && presented.left > excludedCount
    return (isConsistent && !isMissed) || round === ROUNDS ? presented : leaseAndPresent(round + 1)
  }
  const { page, untils, rest, stale } = await leaseAndPresent()
  if (stale) await ctx.store.write(commands.removeStaleLeases, of)
  const items = pageItems(ctx, { ...of, include: queries.queueInclude, own: true }, page, ({ seq, text }) => {
    const until = untils.get(seq) ?? null
    return `{"record":${text},"lease":${JSON.stringify(until === null ? null : { until: printTime(until) })}}`
  })
  return jsonList(items, rest)
}

/** Renews the caller's leases. @throws Problem not_found, forbidden */
export const renew = async (ctx: Ctx, user: Actor, dataset_id: string, body: LeasesBody): Promise<LeasesResult> => {
  const args = { ...inDataset(user, dataset_id), ...body, lease: leaseOf(ctx) }
  const items = await ctx.store.write(commands.renewLeases, args)
  return {
    items: items.map(({ record_id, until }) => ({ record_id, lease: until === null ? null : { until: printTime(until) } })),
  }
}

/**
 * Releases all leases of a user who leaves, in every dataset or in the datasets of one workspace, so that nobody has to wait
 * until the leases expire. Processes one dataset at a time, because a transaction must not change two datasets.
 */
export const releaseEverywhere = async (
  { store }: Pick<Ctx, 'store'>,
  user_id: string,
  workspace_id: string | null = null,
): Promise<void> => {
  for (const dataset_no of await store.read(queries.datasetsWithLeases, { user_id, workspace_id }))
    await store.write(commands.releaseLeasesOf, { user_id, dataset_no })
}
