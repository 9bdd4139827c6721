import type { AnswerValue, Span } from '@postil/contract/answer-value.ts'
import { type AnswerForm, answerFormOf } from '@postil/contract/question-types/answer-form.ts'
import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import { piecesOf } from '#platform/http/answers/pieces.ts'
import { annotationsOf, authorOf } from '../annotations.ts'
import type { ExportContext, FormatWriter } from '../context.ts'
import { preferredGroups } from './messages.ts'
import { fieldOf } from './spans.ts'

type Result = { readonly type: string; readonly value: object }

/** The position of an offset in a conversation: the message and the offset in it, both in code points. */
const placeIn = (starts: readonly number[], at: number): { readonly message: number; readonly offset: number } => {
  const message = Math.max(
    0,
    starts.findLastIndex((start) => start <= at),
  )
  return { message, offset: at - (starts[message] ?? 0) }
}

/** The results for the spans in a text (`labels`) or in a conversation (`paragraphlabels`). */
const spanResults = (spans: readonly Span[], content: unknown): readonly Result[] => {
  const found = spanTextOf(content)
  const characters = Array.from(found?.text ?? '')
  const textOf = ({ start, end }: Span): string => characters.slice(start, end).join('')
  const turns = found?.turns ?? null
  if (turns === null)
    return spans.map((span) => ({
      type: 'labels',
      value: { start: span.start, end: span.end, text: textOf(span), labels: [span.label] },
    }))
  const starts = turns.map(({ start }) => Array.from(found?.text.slice(0, start) ?? '').length)
  return spans.map((span) => {
    const [from, to] = [placeIn(starts, span.start), placeIn(starts, span.end - 1)]
    const place = { start: String(from.message), end: String(to.message), startOffset: from.offset, endOffset: to.offset + 1 }
    return { type: 'paragraphlabels', value: { ...place, text: textOf(span), paragraphlabels: [span.label] } }
  })
}

/**
 * The results for values that aren't spans. Label Studio stores the options of a ranking without buckets under the name of its
 * control.
 */
const results: { readonly [F in Exclude<AnswerForm, 'spans'>]: (value: AnswerValue, name: string) => Result } = {
  text: (value) => ({ type: 'textarea', value: { text: [value] } }),
  number: (value) => ({ type: 'rating', value: { rating: value } }),
  label: (value) => ({ type: 'choices', value: { choices: [value] } }),
  labels: (value) => ({ type: 'choices', value: { choices: value } }),
  order: (value, name) => ({ type: 'ranker', value: { ranker: { [name]: preferredGroups('order', value).flat() } } }),
}

const resultsOf = (question: QuestionRow, value: AnswerValue, record: RecordPayload): readonly Result[] => {
  const form = answerFormOf(question.settings)
  if (form === 'spans') return spanResults(value as readonly Span[], record.fields[fieldOf(question)])
  return [results[form](value, question.name)]
}

const taskOf = (record: RecordPayload, context: ExportContext, shape: 'wide' | 'long' | 'final'): object => {
  const { questions, fields } = context
  const [firstField] = fields
  const printResults = (origin: string, values: ReadonlyMap<string, AnswerValue>, scores?: ReadonlyMap<string, number>) =>
    questions.flatMap((question) => {
      const { name } = question
      const value = values.get(name)
      if (value === undefined) return []
      const score = scores?.get(name)
      return resultsOf(question, value, record).map((result, i) => ({
        id: `${name}-${i + 1}`,
        from_name: name,
        to_name: fieldOf(question) || firstField?.name,
        origin,
        ...result,
        ...(score !== undefined && { score }),
      }))
    })
  // Label Studio refuses annotations by authors whose email addresses it doesn't know
  const authorKeys = (user: string | null) => ({
    ...(user !== null && { annotator: user }),
    ...(user?.includes('@') && { completed_by: { email: user } }),
  })
  const timesOf = ({ inserted_at, updated_at }: Response) => ({ created_at: `${inserted_at}Z`, updated_at: `${updated_at}Z` })
  const annotations = annotationsOf(record, context, shape).map(({ values, user, response }) => ({
    ...authorKeys(user),
    result: printResults('manual', values),
    was_cancelled: false,
    ground_truth: response === null,
    ...(response !== null && timesOf(response)),
  }))
  const canceled = (shape === 'final' ? [] : (record.responses ?? []))
    .filter(({ status }) => status === 'discarded')
    .map((response) => ({
      ...authorKeys(authorOf(response, context)),
      result: [],
      was_cancelled: true,
      ground_truth: false,
      ...timesOf(response),
    }))
  const byAgent = Map.groupBy(record.suggestions ?? [], ({ agent }) => agent)
  const predictions = [...byAgent].map(([agent, suggested]) => {
    const named = suggested.flatMap((one) => {
      const question = questions.find(({ id }) => id === one.question_id)
      return question === undefined ? [] : [{ ...one, name: question.name }]
    })
    const scores = new Map(named.flatMap(({ name, score }) => (typeof score === 'number' ? [[name, score] as const] : [])))
    const mean = [...scores.values()].reduce((sum, score) => sum + score / scores.size, 0)
    return {
      ...(agent !== null && { model_version: agent }),
      ...(scores.size > 0 && { score: mean }),
      result: printResults('prediction', new Map(named.map(({ name, value }) => [name, value])), scores),
    }
  })
  return {
    id: record.external_id ?? record.id,
    data: record.fields,
    meta: record.metadata ?? {},
    annotations: [...annotations, ...canceled],
    predictions,
  }
}

/**
 * Writes a JSON list of tasks. Answers become annotations, and suggestions become predictions. Each question becomes a control
 * with the same name.
 */
export const labelStudio: FormatWriter = (context, { shape, isContinued }) => {
  if (isContinued) throw unprocessable(message('cannotContinue', { format: 'label_studio' }))
  let before = '[\n'
  return {
    push: (records) =>
      piecesOf(
        records.values().map((record) => {
          const printed = `${before}${JSON.stringify(taskOf(record, context, shape))}`
          before = ',\n'
          return printed
        }),
      ),
    end: () => Buffer.from(before === '[\n' ? '[]\n' : '\n]\n'),
  }
}
