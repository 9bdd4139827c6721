import type { Agreement, Confusion, getAgreement, QuestionAgreement } from '@postil/contract/agreement.ts'
import type { QueryOf } from '@postil/contract/wire/endpoint.ts'
import { notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { parseIds } from '@postil/contract/wire/query-lists.ts'
import { parseUuid } from '@postil/contract/wire/scalars.ts'
import { LRUCache } from 'lru-cache'
import { findAll, parseTime } from '#features/search/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import type { UserShares } from '#platform/shares.ts'
import { now, printTime } from '#platform/time.ts'
import { measureInThread } from './measure-in-thread.ts'
import { unitCount } from './measures/answers.ts'
import type { MeasureInput, Measures } from './measures/measure.ts'
import * as queries from './queries.ts'

type Log = { readonly warn: (fields: object, message: string) => void }
type Ctx = { readonly store: Store; readonly log: Log } & UserShares
type Query = QueryOf<typeof getAgreement>

/**
 * Minimum time for which a result is reused, in milliseconds. Slow results are reused for longer: for `COST_FACTOR` times their
 * computation time.
 */
const LEAST_MS = 5_000
const COST_FACTOR = 10
/** Maximum number of results that a process keeps. */
const MAX_RESULTS = 100

type Result = { readonly agreement: Agreement; readonly until: number }
type Shared = { readonly results: LRUCache<string, Result>; readonly running: Map<string, Promise<unknown>> }
const sharedOf = new WeakMap<Store, Shared>()
const sharedFor = (store: Store): Shared => {
  const known = sharedOf.get(store) ?? { results: new LRUCache<string, Result>({ max: MAX_RESULTS }), running: new Map() }
  sharedOf.set(store, known)
  return known
}

/** The final answers as one side of a comparison. */
const FINAL = 'gold'

/** @throws Problem unprocessable */
const refuseOtherRaters = (raters: string): void => {
  if (raters === 'humans' || raters === FINAL) return
  throw unprocessable(`\`${raters}\` cannot be compared. The supported values are \`humans\` and \`${FINAL}\``)
}

const printQuestion = (
  { id, name, labels }: queries.QuestionAnswers,
  found: Measures,
  users: readonly string[],
): QuestionAgreement => {
  const raters = found.pairs.raters.filter(({ answers }) => answers > 0)
  return {
    question_id: id,
    name,
    measure: found.measure,
    value: found.value,
    reason: found.reason,
    interval: found.interval === null ? null : [...found.interval],
    observed: found.observed,
    expected: found.expected,
    units: found.units,
    units_single: found.unitsSingle,
    answers: found.answers,
    raters: raters.length,
    secondary: [...found.secondary],
    labels: found.labels.map(({ alpha, count }, i) => ({ value: labels[i]!, alpha: alpha.value, count })),
    users: raters.map(({ rater, answers, withOthers, withReference, references }) => ({
      user_id: users[rater]!,
      answers,
      with_others: withOthers,
      with_gold: withReference,
      gold_n: references,
    })),
    pairs: found.pairs.pairs.map(({ a, b, units, observed, kappa }) => ({
      users: [users[a]!, users[b]!],
      units,
      observed,
      kappa: kappa?.value ?? null,
    })),
    pairs_left_out: found.pairs.leftOut,
  }
}

const compute = async (ctx: Ctx, user: Actor, dataset_id: string, query: Query): Promise<Agreement> => {
  const began = performance.now()
  const selection = {
    users: query.user_ids === undefined ? null : parseIds(query.user_ids),
    since: query.since === undefined ? null : parseTime(query.since, 'since').from,
    version: query.version ?? null,
    seqs: query.search === undefined ? null : await findAll(ctx, user, dataset_id, query.search),
  }
  const release = await ctx.slowSearches.take(user.id)
  try {
    const at = now()
    const args = { user: actorOf(user), dataset_id, selection, withFinal: query.raters === FINAL }
    const { users, questions } = await ctx.store.read(queries.readAgreement, args, { lane: 'slow' })
    const found = await measureInThread(questions.map(({ input }) => input))
    return {
      as_of: printTime(at),
      cost_ms: Math.round(performance.now() - began),
      questions: questions.map((question, i) => printQuestion(question, found[i]!, users)),
    }
  } finally {
    release()
  }
}

/** Runs `work` after the dataset's earlier computations have ended. */
const inTurn = async <T>({ running }: Shared, dataset_id: string, work: () => Promise<T>): Promise<T> => {
  const turn = (running.get(dataset_id) ?? Promise.resolve()).then(work)
  const ended = turn.catch(() => undefined)
  running.set(dataset_id, ended)
  try {
    return await turn
  } finally {
    if (running.get(dataset_id) === ended) running.delete(dataset_id)
  }
}

/**
 * The agreement of all questions. Only one computation per dataset runs at a time, and a recent result is reused unless a fresh
 * one is requested.
 * @throws Problem not_found, forbidden, unprocessable
 */
export const agreementOf = async (ctx: Ctx, user: Actor, dataset_id: string, query: Query): Promise<Agreement> => {
  await ctx.store.read(queries.mayCompare, { user: actorOf(user), dataset_id })
  refuseOtherRaters(query.raters)
  const shared = sharedFor(ctx.store)
  const { fresh, ...selection } = query
  const key = `${dataset_id} ${JSON.stringify(selection)}`
  const recent = (): Agreement | undefined => {
    const result = shared.results.get(key)
    return result !== undefined && performance.now() < result.until ? result.agreement : undefined
  }
  return inTurn(shared, dataset_id, async () => {
    const known = fresh ? undefined : recent()
    if (known !== undefined) return known
    const agreement = await compute(ctx, user, dataset_id, query)
    const until = performance.now() + Math.max(LEAST_MS, COST_FACTOR * agreement.cost_ms)
    shared.results.set(key, { agreement, until })
    return agreement
  })
}

/** The user's ID, or null for the final answers. @throws Problem unprocessable */
const raterOf = (rater: string): string | null => {
  if (rater === FINAL) return null
  const id = parseUuid(rater)
  if (id === null) throw unprocessable(`\`${rater}\` cannot be compared. Only IDs of users and \`${FINAL}\` are supported`)
  return id
}

/** The two raters' values for each unit that both have answered. If `first` or `second` is null, it means the reference. */
const pairsOf = ({ answers, reference }: MeasureInput, first: number | null, second: number | null) => {
  const { starts, raters, values } = answers
  const pairs: (readonly [number, number])[] = []
  for (let unit = 0; unit < unitCount(answers); unit += 1) {
    const expected = reference?.[unit] ?? -1
    let [x, y] = [first === null ? expected : -1, second === null ? expected : -1]
    for (let i = starts[unit]!; i < starts[unit + 1]!; i += 1) {
      if (raters[i] === first) x = values[i]!
      if (raters[i] === second) y = values[i]!
    }
    if (x >= 0 && y >= 0) pairs.push([x, y])
  }
  return pairs
}

/**
 * Returns the number of records for each pair of values. The values of a pair are the answers of two users, or a user's answer
 * and the final answer.
 * @throws Problem not_found, forbidden, unprocessable for a question without a fixed list of values
 */
export const confusionOf = async (
  ctx: Ctx,
  user: Actor,
  question_id: string,
  raters: { readonly a: string; readonly b: string },
): Promise<Confusion> => {
  const [a, b] = [raterOf(raters.a), raterOf(raters.b)]
  const compared = [a, b].filter((rater) => rater !== null)
  if (compared.length === 0) throw unprocessable('Final answers cannot be compared with themselves')
  const args = { user: actorOf(user), question_id, users: compared, withFinal: compared.length === 1 }
  const { users, questions } = await ctx.store.read(queries.readCompared, args, { lane: 'slow' })
  const [question] = questions
  if (question === undefined) throw notFound('Question', question_id)
  const { input, labels } = question
  if (input.kind !== 'categories' && input.kind !== 'scale')
    throw unprocessable(`Question \`${question.name}\` has no confusion matrix. Only labels and ratings have one`)
  const indexOf = (rater: string | null): number | null => (rater === null ? null : users.indexOf(rater))
  const pairs = pairsOf(input, indexOf(a), indexOf(b))
  const listed = (side: 0 | 1): number[] => [...new Set(pairs.map((pair) => pair[side]))].sort((i, j) => i - j)
  const [rows, columns] = [listed(0), listed(1)]
  const rowOf = new Map(rows.map((value, i) => [value, i]))
  const columnOf = new Map(columns.map((value, i) => [value, i]))
  const counts = rows.map(() => columns.map(() => 0))
  for (const [x, y] of pairs) counts[rowOf.get(x)!]![columnOf.get(y)!]! += 1
  return { rows: rows.map((i) => labels[i]!), columns: columns.map((i) => labels[i]!), counts }
}
