import { comparableText } from '@postil/contract/comparable-text.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { isEvaluated, rangesOf, type SearchContext } from '../search-context.ts'
import { SeqSet } from '../seq-set.ts'
import type { Comparison, ComparisonResult } from './atoms.ts'

const RECORDS_PER_BATCH = 2000

type Values = { readonly [question: string]: { readonly value: JsonValue } | undefined }
type Answer = { readonly seq: number; readonly values: Values }

type Range = readonly [from: number, to: number]

/** The submitted answers to a range of records. */
const answersIn = async (context: SearchContext, { users }: Comparison, [from, to]: Range): Promise<readonly Answer[]> => {
  const { db, datasetNo } = context
  let rows = db.sql
    .selectFrom('responses')
    .select(['seq', 'values'])
    .where('dataset_no', '=', datasetNo)
    .where('status', '=', 'submitted')
    .where('seq', '>=', from)
    .where('seq', '<', to)
    .where(isEvaluated(context))
  if (users !== null) rows = rows.where('user_id', 'in', [...users])
  return (await rows.execute()) as readonly Answer[]
}

type Suggested = ReadonlyMap<number, ReadonlyMap<number, string>>

/** The suggested values by record and question number. */
const suggestedIn = async (context: SearchContext, { questions, agent }: Comparison, [from, to]: Range): Promise<Suggested> => {
  const { db, datasetNo } = context
  let query = db.sql
    .selectFrom('suggestions')
    .select(['seq', 'question_no', 'value'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>=', from)
    .where('seq', '<', to)
    .where(isEvaluated(context))
    .where(
      'question_no',
      'in',
      questions.map(({ no }) => no),
    )
  if (agent !== null) query = agent === '' ? query.where('agent', 'is', null) : query.where('agent', '=', agent)
  const found = new Map<number, Map<number, string>>()
  for (const { seq, question_no, value } of await query.execute()) {
    const known = found.get(seq) ?? new Map<number, string>()
    found.set(seq, known.set(question_no, comparableText(value as JsonValue)))
  }
  return found
}

type Results = ReadonlySet<ComparisonResult>
const noResult: Results = new Set()

/** The results for one question; none if there is nothing to compare. */
const compareTexts = (texts: readonly string[], reference: string | undefined | null): Results => {
  const [first, ...others] = reference === null ? texts : reference === undefined ? [] : [reference, ...texts]
  if (first === undefined) return noResult
  if (others.length === 0) return reference === null ? new Set(['single']) : noResult
  const equal = others.filter((text) => text === first).length
  const result = equal === others.length ? 'same' : 'different'
  return new Set(reference !== null && equal > 0 ? [result, 'any_same'] : [result])
}

/**
 * Combines the results of a record's questions. The record's main result is the first of `different`, `same` and `single` that
 * any question has. `any_same` is added if any question has it.
 */
const compareRecord = (
  answers: readonly Answer[],
  { questions, with: reference }: Comparison,
  suggested: ReadonlyMap<number, string> | undefined,
): Results => {
  let found: Results = noResult
  for (const { name, no } of questions) {
    const texts = answers.flatMap(({ values }) => {
      const answer = Object.hasOwn(values, name) ? values[name] : undefined
      return answer === undefined ? [] : [comparableText(answer.value)]
    })
    found = new Set([...found, ...compareTexts(texts, reference === 'answers' ? null : suggested?.get(no))])
  }
  const main = (['different', 'same', 'single'] as const).find((result) => found.has(result))
  return new Set([...(main === undefined ? [] : [main]), ...(found.has('any_same') ? (['any_same'] as const) : [])])
}

/**
 * Returns the records whose submitted answers have one of the comparison's results. Reads all submitted answers that the
 * comparison considers.
 */
export const withComparison = async (context: SearchContext, comparison: Comparison): Promise<SeqSet> => {
  const matching = SeqSet.empty(context.size)
  const { questions, results } = comparison
  if (questions.length === 0 || results.length === 0) return matching
  for (const range of rangesOf(context, RECORDS_PER_BATCH)) {
    const answers = await answersIn(context, comparison, range)
    if (answers.length === 0) continue
    const suggested = comparison.with === 'suggestion' ? await suggestedIn(context, comparison, range) : null
    for (const [seq, ofRecord] of Map.groupBy(answers, (answer) => answer.seq)) {
      const found = compareRecord(ofRecord, comparison, suggested?.get(seq))
      if (results.some((result) => found.has(result))) matching.add(seq)
    }
  }
  return matching
}
