import { fieldKindOf } from '@postil/contract/field-types/index.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import { answerFieldOf } from '@postil/contract/question-types/answer-field.ts'
import { checkMetadata, checkRecordFields, checkSuggestion, checkVector } from '@postil/contract/record-rules.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { maxVectorDimensions } from '@postil/contract/wire/limits.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { type KnownUsers, recordResponsesFault } from '#features/responses/public.ts'
import type { PreparedFields, PreparedMetadata, PreparedRecord, PreparedSuggestion, PreparedVector } from './bulk/prepare.ts'
import type { Schema } from './schema.ts'

/* Each function returns the reason for the first violated rule, or null. The contract defines the rules. Most of them can be
   checked on the prepared record, without parsing the content again. */

const fits = (shape: PreparedFields['shape'], { fields, fieldPlaces }: Schema): boolean => {
  const sent = new Set(shape.flatMap(({ name, isNull }) => (isNull ? [] : [name])))
  return (
    shape.length > 0 &&
    fields.every(({ name, required }) => !required || sent.has(name)) &&
    shape.every(({ name, isNull, kinds }) => {
      const field = fields[fieldPlaces.get(name) ?? -1]
      return field !== undefined && (isNull || kinds.includes(fieldKindOf(field.settings)))
    })
  )
}

const verdicts = new WeakMap<PreparedFields['shape'], { readonly schema: Schema; readonly fits: boolean }>()

const fieldsFault = ({ json, shape }: PreparedFields, schema: Schema): Reason | null => {
  const known = verdicts.get(shape)
  const verdict = known?.schema === schema ? known : { schema, fits: fits(shape, schema) }
  verdicts.set(shape, verdict)
  return verdict.fits ? null : checkRecordFields(JSON.parse(json) as FieldValues, schema.fields)
}

export const suggestionFault = (suggestion: PreparedSuggestion, schema: Schema, fields: FieldValues): Reason | null => {
  const question = schema.questionsById.get(suggestion.question_id)
  if (question === undefined) return `Question with id=${suggestion.question_id} does not exist in the dataset`
  return checkSuggestion(suggestion, question, fields)
}

const suggestionsFault = (suggestions: readonly PreparedSuggestion[], schema: Schema, fields: FieldValues): Reason | null => {
  const seen = new Set<string>()
  for (const suggestion of suggestions) {
    if (seen.has(suggestion.question_id)) return `found two suggestions for question with id=${suggestion.question_id}`
    seen.add(suggestion.question_id)
    const fault = suggestionFault(suggestion, schema, fields)
    if (fault !== null) return fault
  }
  return null
}

const vectorFault = ({ name, numbers }: PreparedVector, { vectors }: Schema): Reason | null => {
  const setting = vectors.find((candidate) => candidate.name === name)
  if (setting === undefined) return `Vector with name=${name} does not exist in the dataset`
  const { length } = numbers
  const isValid = length === setting.dimensions && length <= maxVectorDimensions && numbers.some((value) => value !== 0)
  return isValid ? null : checkVector(name, [...numbers], setting.dimensions)
}

const vectorsFault = (vectors: readonly PreparedVector[], schema: Schema): Reason | null => {
  for (const vector of vectors) {
    const fault = vectorFault(vector, schema)
    if (fault !== null) return fault
  }
  return null
}

export type Rules = {
  readonly schema: Schema
  readonly allowExtra: boolean
  /** The result of `knownUsers` for the answers' authors. */
  readonly users: KnownUsers
}

/** Whether checking the item's suggestions and answers needs the record's text. */
const readsFields = ({ suggestions, responses }: PreparedRecord, schema: Schema): boolean =>
  schema.readsFields &&
  (responses.length > 0 ||
    (suggestions ?? []).some(({ question_id }) => answerFieldOf(schema.questionsById.get(question_id)?.settings ?? {}) !== null))

/** The stored content of a record, as JSON. The fields are null for a new record. */
type StoredContent = { readonly fields: string | null; readonly metadata: string | null }

/** The metadata that a record will have. Null if the record will have none, or if no condition refers to metadata. */
export const metadataForAnswers = (
  sent: PreparedMetadata | null,
  stored: string | null,
  { readsMetadata }: Pick<Schema, 'readsMetadata'>,
): JsonObject | null => {
  if (!readsMetadata) return null
  // Metadata was validated by the contract's schema when it was stored.
  return sent === null ? (stored && (JSON.parse(stored) as JsonObject)) || null : sent.value
}

export const recordFault = (
  item: PreparedRecord,
  { schema, allowExtra, users }: Rules,
  { fields: stored, metadata: storedMetadata }: StoredContent,
): Reason | null => {
  if (item.fields === null && stored === null) return message('fieldsEmpty')
  const fault =
    (item.fields && fieldsFault(item.fields, schema)) ??
    (item.metadata?.value ? checkMetadata(item.metadata.value, schema.properties, allowExtra) : null)
  if (fault !== null) return fault
  const suggestions = item.suggestions ?? []
  const fields = readsFields(item, schema) ? (JSON.parse(item.fields?.json ?? stored ?? '{}') as FieldValues) : {}
  const metadata = item.responses.length > 0 ? metadataForAnswers(item.metadata, storedMetadata, schema) : null
  return (
    suggestionsFault(suggestions, schema, fields) ??
    recordResponsesFault(item.responses, schema.questions, { fields, metadata }, users) ??
    vectorsFault(item.vectors, schema)
  )
}
