import type { MetadataHistogram, MetadataMetrics } from '@postil/contract/metadata-properties.ts'
import type { AnswerMetrics, SuggestionMetrics } from '@postil/contract/question-metrics.ts'
import type { ResponseStatus } from '@postil/contract/responses.ts'
import type { SuggestionOptions } from '@postil/contract/search.ts'
import type { Query } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import { APPROXIMATE_FROM } from '#platform/db/vectors/vector-index.ts'
import { type RawJson, rawJson } from '#platform/http/answers/answers.ts'
import { type Kept, KeptEntries, type KeptEntry, type Stamp, sameStamp } from './kept.ts'
import * as histogram from './overviews/histogram.ts'
import * as overviews from './overviews/overviews.ts'
import * as questions from './overviews/question-metrics.ts'
import type { Actor } from './policy.ts'
import * as queries from './queries.ts'
import { type First, type FirstArgs, findFirst } from './queue/first.ts'
import { buildVectorIndex } from './vector-index.ts'

/*
 * For other features, inside their queries:
 */
// What others call inside their own operations.
export { orderOf } from './order/user-order.ts'
export { findMine, refuseUnknown, stateOf } from './queries.ts'
export { openRecords, type Placed, type QueueReach } from './queue/queue-walk.ts'

type Log = { readonly warn: (fields: object, message: string) => void }
type Ctx = { readonly store: Store; readonly log: Log }
const actorOf = ({ id, role }: Actor): Actor => ({ id, role })

/** What a store's slow lane has made for its other threads, what is being made now, and until when the index of a setting is not looked at. */
type Shared = {
  readonly entries: KeptEntries
  readonly underway: Map<string, Promise<unknown>>
  readonly indexedUntil: Map<string, number>
}
const shared = new WeakMap<Store, Shared>()
const sharedOf = (store: Store): Shared => {
  const known = shared.get(store) ?? { entries: new KeptEntries(), underway: new Map(), indexedUntil: new Map() }
  shared.set(store, known)
  return known
}

const atHand = ({ entries }: Shared, keys: readonly string[], stamp: Stamp): KeptEntry[] =>
  keys.map((key) => entries.get(key)).filter((entry) => entry !== undefined && sameStamp(entry.stamp, stamp)) as KeptEntry[]

/** Vectors that changed meanwhile are found without an index until it is looked after again. */
const LOOK_AGAIN_MS = 60_000
/** What failed, for lack of room perhaps, takes long and is likely to fail again. */
const TRY_AGAIN_MS = 3_600_000

/** A large setting gets an index of its own, beside the work for users. */
const startIndex = ({ store, log }: Ctx, { indexedUntil }: Shared, large: NonNullable<Found['large']>): void => {
  const name = `${large.datasetNo} ${large.settingNo}`
  if (large.count < APPROXIMATE_FROM || performance.now() < (indexedUntil.get(name) ?? 0)) return
  indexedUntil.set(name, Number.POSITIVE_INFINITY)
  const restFor = (ms: number) => indexedUntil.set(name, performance.now() + ms)
  buildVectorIndex(store, large).then(
    () => restFor(LOOK_AGAIN_MS),
    (error: unknown) => {
      restFor(TRY_AGAIN_MS)
      log.warn({ err: error, setting: name }, 'the index of a vector setting could not be made')
    },
  )
}

type Found = Extract<queries.SearchOutcome, { readonly text: string }>

const quickly = async ({ store }: Ctx, mine: Shared, args: queries.SearchArgs): Promise<queries.SearchOutcome> => {
  let given: readonly KeptEntry[] = []
  for (;;) {
    const outcome = await store.read(queries.runSearch, { ...args, quick: true, given })
    if (!('cold' in outcome)) return outcome
    const entries = atHand(mine, outcome.cold, outcome.stamp)
    // NOTE: what was handed over and is asked for again was pushed out by something else: the slow lane has room
    if (entries.length < outcome.cold.length || outcome.cold.length === 0 || entries.some((entry) => given.includes(entry)))
      return outcome
    given = [...given, ...entries]
  }
}

const slowly = async (ctx: Ctx, mine: Shared, args: queries.SearchArgs): Promise<Found> => {
  const outcome = await ctx.store.read(queries.runSearch, { ...args, quick: false, given: [] }, { lane: 'slow' })
  if ('cold' in outcome) throw new Error('the slow lane takes its time')
  for (const entry of outcome.made) mine.entries.put(entry)
  return outcome
}

/** On the page's path when all is at hand, else on the slow lane, where equal searches wait for one another. */
const search = async (ctx: Ctx, args: queries.SearchArgs): Promise<RawJson> => {
  const mine = sharedOf(ctx.store)
  let outcome = await quickly(ctx, mine, args)
  if ('cold' in outcome && outcome.cold.length > 0) {
    const name = outcome.cold.join('\n')
    const leader = mine.underway.get(name)
    if (leader !== undefined) {
      await leader.catch(() => undefined)
      outcome = await quickly(ctx, mine, args)
    } else {
      const work = slowly(ctx, mine, args)
      mine.underway.set(name, work)
      outcome = await work.finally(() => mine.underway.delete(name))
    }
  }
  const found = 'cold' in outcome ? await slowly(ctx, mine, args) : outcome
  if (found.large) startIndex(ctx, mine, found.large)
  return rawJson(found.text)
}

/** Asks on the page's path, and on the slow lane for what is nowhere at hand. */
const kept = async <A extends object, T>({ store }: Ctx, asked: Query<A & queries.SearchLane, Kept<T>>, args: A): Promise<T> => {
  const mine = sharedOf(store)
  const quick = await store.read(asked, { ...args, quick: true, given: [] })
  if ('value' in quick) return quick.value
  const given = atHand(mine, quick.cold, quick.stamp)
  const isThere = given.length > 0 && given.length === quick.cold.length
  const again = isThere ? await store.read(asked, { ...args, quick: true, given }) : quick
  if ('value' in again) return again.value
  const slow = await store.read(asked, { ...args, quick: false, given: [] }, { lane: 'slow' })
  if ('cold' in slow) throw new Error('the slow lane takes its time')
  for (const entry of slow.made) mine.entries.put(entry)
  return slow.value
}

type Body = Pick<queries.SearchArgs, 'body' | 'offset' | 'limit' | 'include'>

/** By everyone's answers. @throws Problem not_found, forbidden, unprocessable, business */
export const searchAll = (ctx: Ctx, user: Actor, dataset_id: string, body: Body): Promise<RawJson> =>
  search(ctx, { user: actorOf(user), dataset_id, mine: false, ...body })

/** By the caller's answers, in the caller's order. @throws Problem not_found, forbidden, unprocessable, business */
export const searchMine = (ctx: Ctx, user: Actor, dataset_id: string, body: Body): Promise<RawJson> =>
  search(ctx, { user: actorOf(user), dataset_id, mine: true, ...body })

/**
 * What comes first of what a search finds for a user, by their answers; it may look at metadata that they are not shown.
 * @returns for each of `some` its `seq`s and their number in all
 * @throws Problem not_found, forbidden, unprocessable
 */
export const firstOf = (ctx: Ctx, args: FirstArgs): Promise<readonly First[]> => kept(ctx, findFirst, args)

/** `seq`s of all records that a search by everyone's answers finds, in its order. @throws Problem as `searchAll` */
export const findAll = (ctx: Ctx, user: Actor, dataset_id: string, body: queries.SearchArgs['body']): Promise<Float64Array> =>
  ctx.store.read(queries.findAll, { user: actorOf(user), dataset_id, body }, { lane: 'slow' })

/** Agents by question. @throws Problem not_found, forbidden */
export const suggestionOptions = (ctx: Ctx, user: Actor, dataset_id: string): Promise<SuggestionOptions> =>
  ctx.store.read(overviews.suggestionOptions, { user: actorOf(user), dataset_id })

/** Values of a metadata property in use. @throws Problem not_found, forbidden */
export const metadataMetrics = (ctx: Ctx, user: Actor, property_id: string): Promise<MetadataMetrics> =>
  kept(ctx, overviews.metadataMetrics, { user: actorOf(user), property_id })

/** How many records have which numbers, in so many bins at most. @throws Problem not_found, forbidden, unprocessable */
export const metadataHistogram = (ctx: Ctx, user: Actor, property_id: string, bins: number): Promise<MetadataHistogram> =>
  kept(ctx, histogram.metadataHistogram, { user: actorOf(user), property_id, bins })

/** What is suggested to a question, by whom and how sure, in so many bins at most. @throws Problem not_found, forbidden */
export const suggestionMetrics = (ctx: Ctx, user: Actor, question_id: string, bins: number): Promise<SuggestionMetrics> =>
  kept(ctx, questions.suggestionMetrics, { user: actorOf(user), question_id, bins })

/** What the caller has answered to a question, in answers of one status or of any. @throws Problem not_found, forbidden */
export const answerMetrics = (ctx: Ctx, user: Actor, question_id: string, status?: ResponseStatus): Promise<AnswerMetrics> =>
  kept(ctx, questions.answerMetrics, { user: actorOf(user), question_id, status })
