import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { SearchContext } from '../search-context.ts'
import { SeqSet } from '../seq-set.ts'
import type { Comparison, ComparisonResult } from './atoms.ts'

const RECORDS_PER_BATCH = 2000

/**
 * Returns the same text for equal values. The order of a list's items doesn't matter: they are labels, spans, or options with
 * their ranks.
 */
const textOf = (value: JsonValue): string => {
  if (Array.isArray(value)) return `[${value.map(textOf).sort().join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, item]) => item !== undefined && item !== null)
  return `{${entries
    .map(([key, item]) => `${JSON.stringify(key)}:${textOf(item as JsonValue)}`)
    .sort()
    .join()}}`
}

type Values = { readonly [question: string]: { readonly value: JsonValue } | undefined }
type Answer = { readonly seq: number; readonly values: Values }

type Range = readonly [from: number, to: number]

/** The submitted answers to a range of records. */
const answersIn = async (
  { db, datasetNo }: SearchContext,
  { user }: Comparison,
  [from, to]: Range,
): Promise<readonly Answer[]> => {
  let rows = db.sql
    .selectFrom('responses')
    .select(['seq', 'values'])
    .where('dataset_no', '=', datasetNo)
    .where('status', '=', 'submitted')
    .where('seq', '>=', from)
    .where('seq', '<', to)
  if (user !== null) rows = rows.where('user_id', '=', user)
  return (await rows.execute()) as readonly Answer[]
}

type Suggested = ReadonlyMap<number, ReadonlyMap<number, string>>

/** The suggested values by record and question number. */
const suggestedIn = async (
  { db, datasetNo }: SearchContext,
  { questions }: Comparison,
  [from, to]: Range,
): Promise<Suggested> => {
  const rows = await db.sql
    .selectFrom('suggestions')
    .select(['seq', 'question_no', 'value'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>=', from)
    .where('seq', '<', to)
    .where(
      'question_no',
      'in',
      questions.map(({ no }) => no),
    )
    .execute()
  const found = new Map<number, Map<number, string>>()
  for (const { seq, question_no, value } of rows) {
    const known = found.get(seq) ?? new Map<number, string>()
    found.set(seq, known.set(question_no, textOf(value as JsonValue)))
  }
  return found
}

/** The result for one question; null if there is nothing to compare. */
const compareTexts = (texts: readonly string[], reference: string | undefined | null): ComparisonResult | null => {
  const [first, ...others] = reference === null ? texts : reference === undefined ? [] : [reference, ...texts]
  if (first === undefined || others.length === 0) return null
  return others.every((text) => text === first) ? 'same' : 'different'
}

/** The result for a record: `different` if any of the questions has that result. */
const compareRecord = (
  answers: readonly Answer[],
  { questions, with: reference }: Comparison,
  suggested: ReadonlyMap<number, string> | undefined,
): ComparisonResult | null => {
  let result: ComparisonResult | null = null
  for (const { name, no } of questions) {
    const texts = answers.flatMap(({ values }) => {
      const answer = Object.hasOwn(values, name) ? values[name] : undefined
      return answer === undefined ? [] : [textOf(answer.value)]
    })
    const found = compareTexts(texts, reference === 'answers' ? null : suggested?.get(no))
    if (found === 'different') return found
    result ??= found
  }
  return result
}

/** Returns the records whose submitted answers have one of the comparison's results. Reads all submitted answers. */
export const withComparison = async (context: SearchContext, comparison: Comparison): Promise<SeqSet> => {
  const matching = SeqSet.empty(context.size)
  const { questions, results } = comparison
  if (questions.length === 0 || results.length === 0) return matching
  for (let from = 0; from < context.size; from += RECORDS_PER_BATCH) {
    const range: Range = [from, from + RECORDS_PER_BATCH]
    const answers = await answersIn(context, comparison, range)
    if (answers.length === 0) continue
    const suggested = comparison.with === 'suggestion' ? await suggestedIn(context, comparison, range) : null
    for (const [seq, ofRecord] of Map.groupBy(answers, (answer) => answer.seq)) {
      const result = compareRecord(ofRecord, comparison, suggested?.get(seq))
      if (result !== null && results.includes(result)) matching.add(seq)
    }
  }
  return matching
}
