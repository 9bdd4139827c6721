import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import type { ExportContext } from '../context.ts'

type Span = { readonly start: number; readonly end: number; readonly label: string }
export type SpanQuestion = { readonly name: string; readonly field: string; readonly allow_overlapping: boolean }

/** The requested span question. Default: the only span question. @throws Problem unprocessable when there is none */
export const spanQuestionOf = ({ questions }: ExportContext, wanted: string | undefined): SpanQuestion => {
  const spans = questions.flatMap(({ name, settings }) => ('field' in settings ? [{ name, ...settings }] : []))
  const names = spans.map(({ name }) => `\`${name}\``).join(', ')
  if (spans.length === 0) throw unprocessable('This format exports spans, but the dataset has no span question')
  const found = wanted === undefined ? (spans.length === 1 ? spans[0] : undefined) : spans.find(({ name }) => name === wanted)
  if (found !== undefined) return found
  throw unprocessable(
    wanted === undefined
      ? `Choose the span question to export with \`question\`: ${names}`
      : `\`${wanted}\` is not a span question of this dataset. Span questions: ${names}`,
  )
}

export type Annotated = {
  readonly text: string
  readonly spans: readonly Span[]
  readonly record: RecordPayload
  readonly userId: string
}

/** The submitted answers of a record, each with its text. Spans are ordered by position. */
export const annotatedTexts = (record: RecordPayload, { name, field }: SpanQuestion): readonly Annotated[] => {
  const text = spanTextOf(record.fields[field])?.text
  if (text === undefined) return []
  return (record.responses ?? []).flatMap(({ status, values, user_id }) => {
    const spans = values?.[name]?.value as readonly Span[] | undefined
    if (status !== 'submitted' || spans === undefined) return []
    return [{ text, spans: [...spans].sort((a, b) => a.start - b.start || a.end - b.end), record, userId: user_id }]
  })
}
