import { answerSizeFault } from '@postil/contract/answer-size.ts'
import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { ImportedAnswers } from '@postil/contract/jobs.ts'
import { checkAnswerValue } from '@postil/contract/question-types/index.ts'
import { RecordResponse } from '@postil/contract/responses.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { toInputFaults } from '@postil/contract/wire/problems.ts'
import type { PreparedResponse } from '#features/records/public.ts'
import type { FaultyRow } from '../faulty-row.ts'
import type { ConvertedAnswer } from '../foreign/define.ts'
import type { SourceRow } from '../inspect/layout.ts'
import { questionValue } from './question-value.ts'
import type { Recipe } from './recipe.ts'

export const noAnswerCounts: ImportedAnswers = { stored: 0, kept: 0, invalid: 0, left_out: 0, unmapped: 0 }

/** Maximum number of people that an import's result lists. */
const MAX_LISTED = 100

type Unmapped = ImportedAnswers['unmapped_annotators']

const addUnmapped = (a: Unmapped = [], b: Unmapped = []): NonNullable<Unmapped> =>
  [...Map.groupBy([...a, ...b], ({ name }) => name)].slice(0, MAX_LISTED).map(([name, parts]) => {
    const comments = parts.reduce((sum, one) => sum + (one.comments ?? 0), 0)
    const annotations = parts.reduce((sum, one) => sum + one.annotations, 0)
    return { name, annotations, ...(comments > 0 && { comments }) }
  })

const withUnmapped = (counts: ImportedAnswers, found: NonNullable<Unmapped>): ImportedAnswers =>
  found.length === 0 ? counts : { ...counts, unmapped_annotators: found }

/** Adds up the counts of two parts of a file. */
export const addAnswerCounts = (a: ImportedAnswers, b: Partial<ImportedAnswers>): ImportedAnswers =>
  withUnmapped(addNumbers(a, b), addUnmapped(a.unmapped_annotators, b.unmapped_annotators))

/** Like `addAnswerCounts`, but for the counts of single rows, which don't list unmapped annotators. */
export const addNumbers = (a: ImportedAnswers, b: Partial<ImportedAnswers>): ImportedAnswers => ({
  stored: a.stored + (b.stored ?? 0),
  kept: a.kept + (b.kept ?? 0),
  invalid: a.invalid + (b.invalid ?? 0),
  left_out: a.left_out + (b.left_out ?? 0),
  unmapped: a.unmapped + (b.unmapped ?? 0),
})

/** The answers that a row contains. `faults` are annotations that can't be imported as answers. */
export type RowAnswers = {
  readonly responses: readonly PreparedResponse[]
  readonly faults: readonly FaultyRow[]
  readonly counts: ImportedAnswers
}

const none: RowAnswers = { responses: [], faults: [], counts: noAnswerCounts }

/** Why an annotation isn't stored as an answer. @param annotator the person's name in the file */
export const notStored = (annotator: string, reason: Reason): Reason =>
  annotator === '' ? message('answerNotImported', {}, reason) : message('answerOfNotImported', { annotator }, reason)

/**
 * The values of an answer, keyed by question. A submitted annotation may have no value for a question. If the question allows an
 * empty list, as span questions do, the value is then an empty list.
 */
const valuesOf = ({ values, status, missingIsEmpty }: ConvertedAnswer, { mapping, schema }: Recipe) => {
  const isEmptyValid = missingIsEmpty && status === 'submitted'
  const found = mapping.suggestions.flatMap(({ source, target }) => {
    const question = schema.questions.find(({ name }) => name === target)
    if (question === undefined) return []
    const { settings } = question
    const value = questionValue(settings, values.get(source))
    if (value !== undefined) return [[target, { value: value as AnswerValue }] as const]
    const isNothingValid = isEmptyValid && checkAnswerValue([], { settings, submitted: true, fields: {} }) === null
    return isNothingValid ? [[target, { value: [] as AnswerValue }] as const] : []
  })
  return Object.fromEntries(found)
}

/** Converts an annotation to an answer, or returns why it can't be converted. Doesn't check the rules of the dataset. */
const answerOf = (answer: ConvertedAnswer, recipe: Recipe): PreparedResponse | { readonly fault: Reason } => {
  if (answer.fault !== undefined) return { fault: answer.fault }
  const sent = { user_id: answer.user_id, status: answer.status, values: valuesOf(answer, recipe) }
  const result = RecordResponse.safeParse(sent)
  if (!result.success) return { fault: toInputFaults(result.error, 'body', sent)[0]?.reason ?? message('rowInvalid') }
  for (const { value } of Object.values(result.data.values ?? {})) {
    const fault = answerSizeFault(value, recipe.limits.answerBytes)
    if (fault !== null) return { fault }
  }
  return answer.times === undefined ? result.data : { ...result.data, times: answer.times }
}

/** The answers of a row. A record has at most one answer by each user, so further annotations for a user are left out. */
export const answersOf = (source: SourceRow, recipe: Recipe): RowAnswers => {
  const { row, line } = source
  if ('fault' in source || source.annotated === undefined || !recipe.mapping.annotators?.length) return none
  const { answers, leftOut, unmapped } = source.annotated
  const responses = new Map<string, PreparedResponse>()
  const faults: FaultyRow[] = []
  let further = 0
  for (const one of answers) {
    if (responses.has(one.user_id)) {
      further += 1
      continue
    }
    const answer = answerOf(one, recipe)
    if ('fault' in answer) faults.push({ row, line, column: null, reason: notStored(one.annotator, answer.fault) })
    else responses.set(one.user_id, answer)
  }
  const counts = { ...noAnswerCounts, invalid: faults.length, left_out: leftOut + further, unmapped: unmapped.length }
  return { responses: [...responses.values()], faults, counts }
}
