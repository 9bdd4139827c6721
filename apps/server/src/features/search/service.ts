import type { MetadataHistogram, MetadataMetrics } from '@postil/contract/metadata-properties.ts'
import type { AnswerMetrics, SuggestionMetrics } from '@postil/contract/question-metrics.ts'
import type { ResponseStatus } from '@postil/contract/responses.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import { pageItems } from '#features/records/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Query } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import { APPROXIMATE_FROM } from '#platform/db/vectors/vector-index.ts'
import type { JsonStream, RawJson } from '#platform/http/answers/answers.ts'
import { jsonList } from '#platform/http/answers/json-list.ts'
import type { UserShares } from '#platform/shares.ts'
import * as histogram from './overviews/histogram.ts'
import * as overviews from './overviews/overviews.ts'
import * as questions from './overviews/question-metrics.ts'
import * as queries from './queries.ts'
import { type FirstArgs, type FirstOfResult, findFirst } from './queue/first.ts'
import { findTestRecords, type TestRecords, type TestRecordsArgs } from './queue/test-records.ts'
import { type CachedResult, CacheEntries, type CacheEntry, isUsable, type Stamp } from './search-cache.ts'
import { buildVectorIndex } from './vector-index.ts'

type Log = { readonly warn: (fields: object, message: string) => void }
type Ctx = { readonly store: Store; readonly log: Log } & UserShares

/**
 * State that is shared by all searches in a store:
 * - `entries`: the results that were computed in the slow lane. Searches in other threads can reuse them
 * - `inProgress`: the searches in progress
 * - `indexRecheckAt`: for each vector setting, the time from which its index may be checked again
 */
type SharedCache = {
  readonly entries: CacheEntries
  readonly inProgress: Map<string, Promise<unknown>>
  readonly indexRecheckAt: Map<string, number>
}

const sharedCaches = new WeakMap<Store, SharedCache>()
const sharedCacheOf = (store: Store): SharedCache => {
  const known = sharedCaches.get(store) ?? {
    entries: new CacheEntries(),
    inProgress: new Map(),
    indexRecheckAt: new Map(),
  }
  sharedCaches.set(store, known)
  return known
}

const cachedEntries = ({ entries }: SharedCache, keys: readonly string[], stamp: Stamp): CacheEntry[] =>
  keys.map((key) => entries.get(key)).filter((entry) => entry !== undefined && isUsable(entry, stamp)) as CacheEntry[]

/** Time between two checks of an index, in milliseconds. Vectors that change between checks are searched without the index. */
const RECHECK_MS = 60_000

/**
 * Time before a failed index build is tried again, in milliseconds. Builds are slow, and a build that failed, for example for
 * lack of space, is likely to fail again.
 */
const RETRY_MS = 3_600_000

/** Builds a large setting's index in the background. */
const startVectorIndex = ({ store, log }: Ctx, { indexRecheckAt }: SharedCache, large: NonNullable<Found['large']>): void => {
  const name = `${large.datasetNo} ${large.settingNo}`
  if (large.count < APPROXIMATE_FROM || performance.now() < (indexRecheckAt.get(name) ?? 0)) return
  indexRecheckAt.set(name, Number.POSITIVE_INFINITY)
  const postponeFor = (ms: number) => indexRecheckAt.set(name, performance.now() + ms)
  buildVectorIndex(store, large).then(
    () => postponeFor(RECHECK_MS),
    (error: unknown) => {
      postponeFor(RETRY_MS)
      log.warn({ err: error, setting: name }, 'could not create the index of a vector setting')
    },
  )
}

type Found = Extract<queries.SearchOutcome, { readonly page: unknown }>

const searchQuickly = async ({ store }: Ctx, cache: SharedCache, args: queries.SearchArgs): Promise<queries.SearchOutcome> => {
  let provided: readonly CacheEntry[] = []
  for (;;) {
    const outcome = await store.read(queries.runSearch, { ...args, quick: true, provided })
    if (!('missingKeys' in outcome)) return outcome
    const entries = cachedEntries(cache, outcome.missingKeys, outcome.stamp)
    // `provided` contains cache entries that were missing in earlier attempts. If one of them is missing again, the other
    // provided entries have evicted it. The slow lane must then run the search, because it has enough memory for all of them.
    if (
      entries.length < outcome.missingKeys.length ||
      outcome.missingKeys.length === 0 ||
      entries.some((entry) => provided.includes(entry))
    )
      return outcome
    provided = [...provided, ...entries]
  }
}

/** Waits until it is the user's turn to use the slow lane, and then runs the query there. */
const readSlowly = async <A extends { readonly user: Actor }, T>(
  { store, slowSearches }: Pick<Ctx, 'store' | 'slowSearches'>,
  asked: Query<A, T>,
  args: A,
): Promise<T> => {
  const giveBack = await slowSearches.take(args.user.id)
  try {
    return await store.read(asked, args, { lane: 'slow' })
  } finally {
    giveBack()
  }
}

/** Runs the search in the slow lane. The caller must first wait for the user's turn (`slowSearches.take`). */
const searchSlowly = async (ctx: Ctx, cache: SharedCache, args: queries.SearchArgs): Promise<Found> => {
  const outcome = await ctx.store.read(queries.runSearch, { ...args, quick: false, provided: [] }, { lane: 'slow' })
  if ('missingKeys' in outcome) throw new Error('the slow lane returned no result')
  for (const entry of outcome.made) cache.entries.put(entry)
  return outcome
}

const printFound = (
  ctx: Ctx,
  { user, dataset_id, include, isOwn }: queries.SearchArgs,
  { page, found: { hits, total } }: Found,
): RawJson | JsonStream => {
  const scores = new Map(hits.map(({ seq, score }) => [seq, score]))
  const items = pageItems(
    ctx,
    { user, dataset_id, include, own: isOwn },
    page,
    ({ seq, text }) => `{"record":${text},"query_score":${JSON.stringify(scores.get(seq) ?? null)},"number":${seq}}`,
  )
  return jsonList(items, `"total":${total}`)
}

/**
 * Searches in the slow lane, where each user runs one search at a time. If another user's identical search is already running,
 * waits for its result instead. A search that still waits for its own turn isn't shared, so nobody waits for another user's turn.
 */
const searchInTurn = async (ctx: Ctx, args: queries.SearchArgs, missingKeys: readonly string[]): Promise<Found> => {
  const cache = sharedCacheOf(ctx.store)
  const giveBack = await ctx.slowSearches.take(args.user.id)
  try {
    if (missingKeys.length === 0) return await searchSlowly(ctx, cache, args)
    const name = missingKeys.join('\n')
    const leader = cache.inProgress.get(name)
    if (leader === undefined) {
      const work = searchSlowly(ctx, cache, args)
      cache.inProgress.set(name, work)
      return await work.finally(() => cache.inProgress.delete(name))
    }
    await leader.catch(() => undefined)
    const outcome = await searchQuickly(ctx, cache, args)
    return 'missingKeys' in outcome ? await searchSlowly(ctx, cache, args) : outcome
  } finally {
    giveBack()
  }
}

/**
 * Searches in the fast lane, which runs only cheap queries. If expensive results are needed that aren't cached, searches in the
 * slow lane instead.
 */
const search = async (ctx: Ctx, args: queries.SearchArgs): Promise<RawJson | JsonStream> => {
  const cache = sharedCacheOf(ctx.store)
  const outcome = await searchQuickly(ctx, cache, args)
  const found = 'missingKeys' in outcome ? await searchInTurn(ctx, args, outcome.missingKeys) : outcome
  if (found.large) startVectorIndex(ctx, cache, found.large)
  return printFound(ctx, args, found)
}

/** Runs a query in the fast lane. If its result isn't cached anywhere, runs the query in the slow lane. */
const runCached = async <A extends { readonly user: Actor }, T>(
  ctx: Ctx,
  asked: Query<A & queries.SearchLane, CachedResult<T>>,
  args: A,
): Promise<T> => {
  const { store } = ctx
  const cache = sharedCacheOf(store)
  const quick = await store.read(asked, { ...args, quick: true, provided: [] })
  if ('value' in quick) return quick.value
  const provided = cachedEntries(cache, quick.missingKeys, quick.stamp)
  const isCached = provided.length > 0 && provided.length === quick.missingKeys.length
  const again = isCached ? await store.read(asked, { ...args, quick: true, provided }) : quick
  if ('value' in again) return again.value
  const slow = await readSlowly(ctx, asked, { ...args, quick: false, provided: [] })
  if ('missingKeys' in slow) throw new Error('the slow lane returned no result')
  for (const entry of slow.made) cache.entries.put(entry)
  return slow.value
}

type Body = Pick<queries.SearchArgs, 'body' | 'offset' | 'limit' | 'include'>

/**
 * Searches a dataset. Answer filters and sort keys refer to all users' answers. @throws Problem not_found, forbidden,
 * unprocessable, business
 */
export const searchAll = (ctx: Ctx, user: Actor, dataset_id: string, body: Body): Promise<RawJson | JsonStream> =>
  search(ctx, { user: actorOf(user), dataset_id, isOwn: false, ...body })

/**
 * Searches a dataset in the caller's order. Answer filters and sort keys refer to the caller's answers. @throws Problem
 * not_found, forbidden, unprocessable, business
 */
export const searchOwn = (ctx: Ctx, user: Actor, dataset_id: string, body: Body): Promise<RawJson | JsonStream> =>
  search(ctx, { user: actorOf(user), dataset_id, isOwn: true, ...body })

/**
 * Returns the first results of searches. Answer filters and sort keys refer to one user's answers. The searches may use metadata
 * that is hidden from the user.
 * @returns for each search and each element of its `parts`, the `seq`s of the first results and the total number of results
 * @throws Problem not_found, forbidden, unprocessable
 */
export const firstOf = (ctx: Ctx, args: FirstArgs): Promise<readonly (readonly FirstOfResult[])[]> =>
  runCached(ctx, findFirst, args)

/** Whether a search failed because it refers to something that the dataset doesn't have. */
const refersToUnknown = (error: unknown): boolean =>
  error instanceof Problem && ['unprocessable', 'validation'].includes(error.data.kind)

/**
 * Uses a view's search to find records for the user's next test items. Also returns the total number of records that the search
 * finds. If the view refers to parts that the dataset no longer has, it finds nothing. @throws Problem not_found, forbidden
 */
export const testRecords = async (ctx: Ctx, args: TestRecordsArgs): Promise<TestRecords> => {
  try {
    return await runCached(ctx, findTestRecords, args)
  } catch (error) {
    if (refersToUnknown(error)) return { seqs: [], total: 0 }
    throw error
  }
}

/**
 * Returns the `seq`s of all records that match a search, in search order. Answer filters and sort keys refer to all users'
 * answers. @throws Problem as `searchAll`
 */
export const findAll = (ctx: Ctx, user: Actor, dataset_id: string, body: queries.SearchArgs['body']): Promise<Float64Array> =>
  readSlowly(ctx, queries.findAll, { user: actorOf(user), dataset_id, body })

/** Returns the values in use for a metadata property. @throws Problem not_found, forbidden */
export const metadataMetrics = (ctx: Ctx, user: Actor, property_id: string): Promise<MetadataMetrics> =>
  runCached(ctx, overviews.metadataMetrics, { user: actorOf(user), property_id })

/**
 * Returns the distribution of a property's numbers over the records, in at most `bins` bins. @throws Problem not_found,
 * forbidden, unprocessable
 */
export const metadataHistogram = (ctx: Ctx, user: Actor, property_id: string, bins: number): Promise<MetadataHistogram> =>
  runCached(ctx, histogram.metadataHistogram, { user: actorOf(user), property_id, bins })

/**
 * For the suggestions to a question, returns how often each value and each agent occurs, and a histogram of the scores with at
 * most `bins` bins. @throws Problem not_found, forbidden
 */
export const suggestionMetrics = (ctx: Ctx, user: Actor, question_id: string, bins: number): Promise<SuggestionMetrics> =>
  runCached(ctx, questions.suggestionMetrics, { user: actorOf(user), question_id, bins })

/**
 * Returns how often the caller gave each answer to a question, with the given status or with any status. @throws Problem
 * not_found, forbidden
 */
export const answerMetrics = (ctx: Ctx, user: Actor, question_id: string, status?: ResponseStatus): Promise<AnswerMetrics> =>
  runCached(ctx, questions.answerMetrics, { user: actorOf(user), question_id, status })
