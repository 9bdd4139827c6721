import type { getInsights, Insights, PersonInsights } from '@postil/contract/insights.ts'
import type { QueryOf } from '@postil/contract/wire/endpoint.ts'
import { LRUCache } from 'lru-cache'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import type { UserShares } from '#platform/shares.ts'
import { type Micros, now, printTime } from '#platform/time.ts'
import { dayPrinter, daysOf, medianOf, totalOf } from './days.ts'
import { forecastOf } from './forecast.ts'
import * as queries from './queries.ts'

type Ctx = { readonly store: Store } & UserShares
type Query = QueryOf<typeof getInsights>

/**
 * Minimum time for which a count is reused, in milliseconds. A slow count is reused for longer: `COST_FACTOR` times the time that
 * it took.
 */
const LEAST_MS = 5_000
const COST_FACTOR = 10
/** Maximum number of counts that a process keeps. */
const MAX_RESULTS = 50
/** Maximum number of days listed per person. */
const PERSON_DAYS = 91

type Result = { readonly counted: queries.Counted; readonly at: Micros; readonly costMs: number; readonly until: number }
type Shared = { readonly results: LRUCache<string, Result>; readonly running: Map<string, Promise<Result>> }
const sharedOf = new WeakMap<Store, Shared>()
const sharedFor = (store: Store): Shared => {
  const known = sharedOf.get(store) ?? { results: new LRUCache<string, Result>({ max: MAX_RESULTS }), running: new Map() }
  sharedOf.set(store, known)
  return known
}

const count = async (ctx: Ctx, user: Actor, dataset_id: string): Promise<Result> => {
  const release = await ctx.slowSearches.take(user.id)
  try {
    const [at, began] = [now(), performance.now()]
    const counted = await ctx.store.read(queries.readInsights, { user: actorOf(user), dataset_id }, { lane: 'slow' })
    const costMs = Math.round(performance.now() - began)
    return { counted, at, costMs, until: performance.now() + Math.max(LEAST_MS, COST_FACTOR * costMs) }
  } finally {
    release()
  }
}

/**
 * A request that arrives while a count is running waits for its result. But a request for a fresh count starts another count when
 * the current one is done.
 */
const resultFor = async (ctx: Ctx, user: Actor, dataset_id: string, fresh: boolean): Promise<Result> => {
  const { results, running } = sharedFor(ctx.store)
  const known = results.get(dataset_id)
  if (!fresh && known !== undefined && performance.now() < known.until) return known
  const current = running.get(dataset_id)
  if (current !== undefined && !fresh) return current
  const next = (current ?? Promise.resolve()).catch(() => undefined).then(() => count(ctx, user, dataset_id))
  running.set(dataset_id, next)
  try {
    const result = await next
    results.set(dataset_id, result)
    return result
  } finally {
    if (running.get(dataset_id) === next) running.delete(dataset_id)
  }
}

type Shown = {
  readonly dayOf: (at: Micros) => string
  /** Whether the caller sees a person's active time. */
  readonly showsTimeOf: (userId: string) => boolean
}

const peopleOf = ({ quarters, activeTimes }: queries.Counted, { dayOf, showsTimeOf }: Shown): PersonInsights[] =>
  [...Map.groupBy(quarters, ({ user_id }) => user_id)]
    .map(([user_id, counts]) => {
      const days = daysOf(counts, dayOf)
      return {
        user_id,
        ...totalOf(days),
        per_day: medianOf(days.map(({ submitted }) => submitted).filter((n) => n > 0)),
        last_seen: printTime(Math.max(...counts.map(({ last_at }) => last_at))),
        active_time: (showsTimeOf(user_id) ? activeTimes.get(user_id) : null) ?? null,
        days: days.slice(-PERSON_DAYS),
      }
    })
    .sort((a, b) => b.submitted - a.submitted || (a.user_id < b.user_id ? -1 : 1))

/**
 * Progress, people, values and suggestions of a dataset. A recent count is reused unless a fresh one is requested.
 * @throws Problem not_found, forbidden, unprocessable
 */
export const insightsOf = async (ctx: Ctx, user: Actor, dataset_id: string, query: Query): Promise<Insights> => {
  const { showsActiveTime } = await ctx.store.read(queries.maySeeInsights, { user: actorOf(user), dataset_id })
  const dayOf = dayPrinter(query.time_zone)
  const { counted, at, costMs } = await resultFor(ctx, user, dataset_id, query.fresh)
  const { records, needed, quarters } = counted
  const days = daysOf(quarters, dayOf)
  return {
    as_of: printTime(at),
    cost_ms: costMs,
    time_zone: query.time_zone,
    records,
    answers: { ...totalOf(days), needed },
    days,
    forecast: forecastOf({ records: records.total, pending: records.pending, needed }, days, dayOf(at)),
    shows_active_time: showsActiveTime,
    people: peopleOf(counted, { dayOf, showsTimeOf: (id) => showsActiveTime || id === user.id }),
    questions: [...counted.questions],
    suggestions: [...counted.suggestions],
    influence: [...counted.influence],
  }
}
