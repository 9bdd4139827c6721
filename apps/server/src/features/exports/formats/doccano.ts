import type { Span } from '@postil/contract/answer-value.ts'
import { answerFormOf } from '@postil/contract/question-types/answer-form.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { type Answer, answersTo, questionOf } from '../annotations.ts'
import type { FormatWriter } from '../context.ts'
import { jsonLines } from './json-lines.ts'
import { askedText, commentTexts } from './texts.ts'

/** doccano's keys. Metadata with these names is left out. */
const KEYS = ['id', 'text', 'label', 'Comments', 'user']

/**
 * Writes one line for each annotation, as a JSON object. `label` is a list. It contains one `[start, end, label]` per span, or
 * labels, or texts. Keys other than doccano's own contain metadata. A record without an annotation is written with an empty
 * `label`, so that people can annotate it in doccano. Files with final answers leave such records out.
 */
export const doccano: FormatWriter = (context, { question: wanted, shape }) => {
  const question = questionOf(context, wanted, 'doccano')
  const form = answerFormOf(question.settings)
  const labelsOf = ({ value }: Answer): readonly JsonValue[] => {
    if (form === 'spans') return (value as readonly Span[]).map(({ start, end, label }) => [start, end, label])
    return [value].flat() as readonly JsonValue[]
  }
  return jsonLines((record) => {
    const metadata = Object.entries(record.metadata ?? {}).filter(([name]) => !KEYS.includes(name))
    const print = (label: readonly JsonValue[], user: string | null) => ({
      id: record.external_id ?? record.id,
      text: askedText(question, record, context),
      label,
      Comments: commentTexts(record),
      ...(user !== null && { user }),
      ...Object.fromEntries(metadata),
    })
    const answers = answersTo(question.name, record, context, shape)
    if (answers.length === 0) return shape === 'final' ? [] : [print([], null)]
    return answers.map((answer) => print(labelsOf(answer), answer.user))
  })
}
