import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import type { ExportContext } from '../context.ts'
import { fieldOf } from './spans.ts'

/** The text of a field. Messages of a conversation are joined by line breaks, as in the text to which span offsets refer. */
const textIn = (value: JsonValue | undefined): string | null => {
  if (value === undefined || value === null) return null
  return spanTextOf(value)?.text ?? JSON.stringify(value)
}

/** The text that a question is about: the text of the question's field, or of all fields. */
export const askedText = (question: QuestionRow, { fields }: RecordPayload, context: ExportContext): string => {
  const field = fieldOf(question)
  if (field !== '') return textIn(fields[field] as JsonValue) ?? ''
  return context.fields.flatMap(({ name }) => textIn(fields[name] as JsonValue | undefined) ?? []).join('\n\n')
}

/** The texts of a record's comments that were not deleted. */
export const commentTexts = ({ comments = [] }: RecordPayload): readonly string[] =>
  comments.flatMap(({ text, deleted }) => (deleted ? [] : [text]))
