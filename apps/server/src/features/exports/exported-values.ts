import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import { serverQuestionType } from '#question-types/registry.ts'

type Valued = { readonly value: unknown }
type Convert = (record: RecordPayload) => RecordPayload

/**
 * Converts the values in a record's answers, suggestions and final answers to the form that exported files contain. Most question
 * types use the same form in files, so their values don't change.
 */
export const withExportedValues = (questions: readonly QuestionRow[]): Convert => {
  const converted = questions.flatMap(({ id, name, settings }) => {
    const convert = serverQuestionType(settings).exported
    return convert === undefined ? [] : [{ id, name, settings, convert }]
  })
  if (converted.length === 0) return (record) => record
  return (record) => {
    // The result still has the type `T`, because a conversion only adds keys to a value.
    const of = <T extends Valued>(given: T, { convert, settings }: (typeof converted)[number]): T => ({
      ...given,
      value: convert(settings, given.value as JsonValue, record.fields),
    })
    const inValues = <T extends Valued>(values: { readonly [question: string]: T }): { [question: string]: T } => ({
      ...values,
      ...Object.fromEntries(
        converted.flatMap((question) => {
          const given = Object.hasOwn(values, question.name) ? values[question.name] : undefined
          return given === undefined ? [] : [[question.name, of(given, question)]]
        }),
      ),
    })
    return {
      ...record,
      ...(record.responses && {
        responses: record.responses.map((response) => ({ ...response, values: response.values && inValues(response.values) })),
      }),
      ...(record.suggestions && {
        suggestions: record.suggestions.map((suggestion) => {
          const question = converted.find(({ id }) => id === suggestion.question_id)
          return question === undefined ? suggestion : of(suggestion, question)
        }),
      }),
      ...(record.gold && { gold: { ...record.gold, values: inValues(record.gold.values) } }),
    }
  }
}
