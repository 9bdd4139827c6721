import { maxMetricTerms } from '@postil/contract/metadata-properties.ts'
import type { AnswerMetrics, SuggestionMetrics, ValueCounts } from '@postil/contract/question-metrics.ts'
import { forbidden, notFound } from '@postil/contract/wire/errors.ts'
import { datasetFor, type FoundDataset } from '#features/datasets/public.ts'
import { type QuestionRow, questionRows } from '#features/schema/public.ts'
import { hidingRuleFor } from '#features/suggestion-visibility/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { indexKey, isLongKey } from '#platform/db/keys/index-keys.ts'
import { query } from '#platform/db/operations.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import type { Indexed } from '#question-types/define.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import { compareTexts, textOfKey } from '../conditions/long-terms.ts'
import { searchPolicy } from '../policy.ts'
import { type SearchLane, stateOf } from '../queries.ts'
import { type CachedResult, runWithCache, SearchCache } from '../search-cache.ts'
import { binsOver, countByRows } from './histogram.ts'
import { countedOf, countTerms, rangeOf } from './overviews.ts'

/** Returns the question and its dataset, if the caller can see the question. @throws Problem not_found, forbidden */
const findQuestion = async (
  db: Db,
  id: string,
  user: Actor,
  may: (u: Actor, s: FoundDataset) => boolean,
): Promise<{ dataset: FoundDataset; question: QuestionRow }> => {
  const place = await db.sql
    .selectFrom('questions')
    .innerJoin('datasets', 'datasets.id', 'questions.dataset_id')
    .select('dataset_id')
    .where('questions.id', '=', id)
    .where('datasets.gone_at', 'is', null)
    .executeTakeFirst()
  const absent = notFound('Question', id)
  if (place === undefined) throw absent
  const dataset = await datasetFor(db, place.dataset_id, user)
  const question = (await questionRows(db, dataset.id)).find((row) => row.id === id)
  if (question === undefined) throw absent
  if (!may(user, dataset)) throw forbidden()
  return { dataset, question }
}

/** Sorts by descending count, then by value. */
const byCount = <T extends string | number>(
  counts: Iterable<readonly [T, number]>,
  compare: (a: T, b: T) => number,
): { value: T; count: number }[] =>
  [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compare(a.value, b.value))
    .slice(0, maxMetricTerms)

const compareNumbers = (a: number, b: number): number => a - b

type Suggested = { readonly db: Db; readonly datasetNo: number; readonly question: QuestionRow }

const termsOf = async ({ db, datasetNo, question }: Suggested, facet: 'value' | 'agent') => {
  const key = indexKey(question.no, facet)
  const values = { table: 'record', key, kind: 'terms', user: null, origin: { in: 'suggestion', question } } as const
  return byCount(await countTerms(db, datasetNo, values), compareTexts)
}

const suggestedValues: { readonly [I in Indexed]: (of: Suggested) => Promise<ValueCounts> } = {
  terms: (of) => termsOf(of, 'value'),
  numbers: async ({ db, datasetNo, question }) => {
    const rows = await db.sql
      .selectFrom('record_numbers')
      .select((eb) => ['number', eb.fn.countAll<number>().as('n')])
      .where('dataset_no', '=', datasetNo)
      .where('key', '=', indexKey(question.no))
      .groupBy('number')
      .execute()
    return byCount(
      rows.map(({ number, n }) => [number, n]),
      compareNumbers,
    )
  },
  nothing: async () => [],
}

const scoresOf = async ({ db, datasetNo, question }: Suggested, most: number): Promise<SuggestionMetrics['scores']> => {
  const key = indexKey(question.no, 'score')
  if ((await rangeOf(db, datasetNo, key)) === null) return []
  const bins = binsOver({ min: 0, max: 1 }, most, false)
  // A list of values may have a list of scores, so records are counted instead of rows.
  const counts = await countByRows(db, datasetNo, key, bins, 'records')
  return bins.map((bin, i) => ({ ...bin, count: counts[i] ?? 0 }))
}

type OfQuestion = SearchLane & { readonly user: Actor; readonly question_id: string }

/** Forbidden for annotators from whom some of the suggestions are hidden. @throws Problem not_found, forbidden */
export const suggestionMetrics = query(
  'search.suggestion-metrics',
  async (
    db,
    { user, question_id, bins, ...lane }: OfQuestion & { readonly bins: number },
  ): Promise<CachedResult<SuggestionMetrics>> => {
    const { dataset, question } = await findQuestion(db, question_id, user, searchPolicy.options)
    if (hidingRuleFor(user, dataset) !== null) throw forbidden()
    const of = { db, datasetNo: dataset.no, question }
    const { indexed } = serverQuestionType(question.settings)
    const count = async (): Promise<SuggestionMetrics> => ({
      values: await suggestedValues[indexed](of),
      agents: await termsOf(of, 'agent'),
      scores: await scoresOf(of, bins),
    })
    return countedOf(db, dataset, {
      ...lane,
      name: `suggestions ${question.no} ${bins}`,
      isUnfilled: false,
      needsScan: true,
      count,
    })
  },
)

type Own = Suggested & { readonly user: Actor; readonly status: ResponseStatus | undefined }

/**
 * Selects the caller's answers, then looks up their index rows one by one. SQLite executes a cross join in the order in which
 * it is written; with any other join, it would start with all users' rows.
 */
const ownAnswers = ({ db, datasetNo, user, status }: Own) => {
  const own = db.sql
    .selectFrom('responses')
    .where('responses.dataset_no', '=', datasetNo)
    .where('responses.user_id', '=', user.id)
  return status === undefined ? own : own.where('responses.status', '=', status)
}

const answeredValues: { readonly [I in Indexed]: (of: Own) => Promise<ValueCounts> } = {
  terms: async (of) => {
    const { db, datasetNo, question, user } = of
    const key = indexKey(question.no)
    const rows = await ownAnswers(of)
      .crossJoin('response_terms as found')
      .whereRef('found.seq', '=', 'responses.seq')
      .whereRef('found.user_id', '=', 'responses.user_id')
      .where('found.dataset_no', '=', datasetNo)
      .where('found.key', '=', key)
      .select((eb) => ['found.value_key', eb.fn.countAll<number>().as('n'), eb.fn.min('found.seq').as('seq')])
      .groupBy('found.value_key')
      .execute()
    const values = { table: 'response', key, kind: 'terms', user: user.id, origin: { in: 'answer', question } } as const
    const counts: [string, number][] = []
    for (const { value_key, n, seq } of rows)
      counts.push([isLongKey(value_key) ? await textOfKey(db, datasetNo, values, value_key, seq) : value_key, n])
    return byCount(counts, compareTexts)
  },
  numbers: async (of) => {
    const { datasetNo, question } = of
    const rows = await ownAnswers(of)
      .crossJoin('response_numbers as found')
      .whereRef('found.seq', '=', 'responses.seq')
      .whereRef('found.user_id', '=', 'responses.user_id')
      .where('found.dataset_no', '=', datasetNo)
      .where('found.key', '=', indexKey(question.no))
      .select((eb) => ['found.number', eb.fn.countAll<number>().as('n')])
      .groupBy('found.number')
      .execute()
    return byCount(
      rows.map(({ number, n }) => [number, n]),
      compareNumbers,
    )
  },
  nothing: async () => [],
}

const answersOf = async ({ db, datasetNo, user, status }: Own): Promise<number> => {
  let counted = db.sql
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number | null>('n').as('n'))
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', user.id)
  if (status !== undefined) counted = counted.where('response_status', '=', status)
  return (await counted.executeTakeFirst())?.n ?? 0
}

/** Not cached, because answers change all the time. @throws Problem not_found, forbidden */
export const answerMetrics = query(
  'search.answer-metrics',
  async (
    db,
    { user, question_id, status, ...lane }: OfQuestion & { readonly status?: ResponseStatus | undefined },
  ): Promise<CachedResult<AnswerMetrics>> => {
    const { dataset, question } = await findQuestion(db, question_id, user, searchPolicy.mine)
    const own = { db, datasetNo: dataset.no, question, user, status }
    const cache = new SearchCache(db, dataset.no, (await stateOf(db, dataset.id)).stamp, lane)
    const { indexed } = serverQuestionType(question.settings)
    return runWithCache(cache, async () => {
      return cache.missOfCost(await answersOf(own)) ?? { values: await answeredValues[indexed](own) }
    })
  },
)
