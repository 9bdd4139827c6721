import { answerSizeFault } from '@postil/contract/answer-size.ts'
import type { FileMapping, PlannedRecord } from '@postil/contract/files/imports.ts'
import { labelsInCell } from '@postil/contract/files/labels-in-cell.ts'
import { RecordUpsert } from '@postil/contract/records.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { toInputFaults } from '@postil/contract/wire/problems.ts'
import { type PreparedRecord, prepareRecord } from '#features/records/public.ts'
import { serverFieldType } from '#field-types/registry.ts'
import { serverMetadataTypes } from '#question-types/metadata.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import type { FaultyRow } from '../faulty-row.ts'
import type { SourceRow } from '../inspect/layout.ts'
import { answersOf, type RowAnswers } from './answers.ts'
import { castTo, numberOf, termsOf, withDecimalPoint } from './cast.ts'
import { commentsOf, type RowComments } from './comments.ts'
import { isInexact } from './exact.ts'
import { labelsOn } from './labels.ts'
import { filled, isPresent, questionValue } from './question-value.ts'
import type { Recipe } from './recipe.ts'
import { hasIds, idsIn, repeatedIn, repeatedReason, type SeenIds } from './seen-ids.ts'

/**
 * `isNew`: the row must not update an existing record that has its external ID. `missingColumns`: mapped columns that are missing
 * from the row.
 */
export type BuiltRow = { readonly row: number; readonly line: number } & (
  | {
      readonly record: PreparedRecord
      readonly isNew: boolean
      readonly missingColumns: readonly string[]
      readonly answers: RowAnswers
      readonly comments: RowComments
      /** People in the row that are missing from the mapping: the authors of annotations, and the authors of comments. */
      readonly unmapped: { readonly annotations: readonly string[]; readonly comments: readonly string[] }
    }
  | { readonly fault: FaultyRow }
)

type Values = ReadonlyMap<string, unknown>
type Pair = FileMapping['fields'][number]

const fieldsFrom = (values: Values, { mapping, schema }: Recipe) =>
  mapping.fields.flatMap(({ source, target }) => {
    const value = values.get(source)
    const field = schema.fields.find(({ name }) => name === target)
    if (!isPresent(value) || field === undefined) return []
    const { column, imported } = serverFieldType(field.settings)
    const cast = castTo[column](imported ? imported(castTo.json(value)) : value)
    return isPresent(cast) ? [[target, cast] as const] : []
  })

const metadataFrom = (values: Values, { mapping, schema, decimalCommas }: Recipe) =>
  mapping.metadata.flatMap(({ source, target }) => {
    const property = schema.properties.find(({ name }) => name === target)
    const sent = values.get(source)
    const indexed = property && serverMetadataTypes[property.settings.type].indexed
    const terms = property && 'values' in property.settings ? property.settings.values : null
    const value =
      indexed === 'numbers'
        ? numberOf(filled(decimalCommas?.includes(source) ? withDecimalPoint(sent) : sent))
        : indexed === 'terms'
          ? termsOf(sent, terms ?? [])
          : sent
    return isPresent(value) ? [[target, value] as const] : []
  })

/**
 * Finds a float property whose value in the row is a whole number that can't be represented exactly. Returns the property's
 * mapping. Integer properties report such numbers themselves.
 */
const inexactIn = (values: Values, { mapping, schema }: Recipe): Pair | undefined =>
  mapping.metadata.find(({ source, target }) => {
    const value = values.get(source)
    const property = schema.properties.find(({ name }) => name === target)
    return property?.settings.type === 'float' && typeof value === 'string' && isInexact(value)
  })

/** A row that can be read. */
type ReadableRow = Extract<SourceRow, { readonly values: unknown }>

type SuggestionPair = FileMapping['suggestions'][number]

/**
 * The value of a suggestion, not yet cast. If each label has its own column, the value is a list of the row's labels. If the
 * question takes several labels and the mapping has a separator, the value is a list of the labels in the cell.
 */
const suggestedValue = (values: Values, pair: SuggestionPair, mapping: FileMapping, hasSeveral: boolean): unknown => {
  const { source, target, option, separator } = pair
  if (isPresent(option))
    return labelsOn(
      values,
      mapping.suggestions.filter((one) => one.target === target),
    )
  const value = values.get(source)
  const isText = typeof value === 'string' && !value.trim().startsWith('[')
  return hasSeveral && isText && typeof separator === 'string' ? labelsInCell(value, separator) : value
}

/**
 * The mapping's pairs of a column and a question. If several columns fill a question, only the pair of the first column is
 * included.
 */
const firstPairs = ({ suggestions }: FileMapping): readonly SuggestionPair[] =>
  suggestions.filter(({ target }, i) => suggestions.findIndex((one) => one.target === target) === i)

const suggestionsFrom = (row: ReadableRow, recipe: Recipe) =>
  firstPairs(recipe.mapping).flatMap((pair) => {
    const { source, target } = pair
    const question = recipe.schema.questions.find(({ name }) => name === target)
    if (question === undefined) return []
    const { settings } = question
    const hasSeveral = serverQuestionType(settings).column === 'texts'
    const value = questionValue(settings, suggestedValue(row.values, pair, recipe.mapping, hasSeveral))
    // An empty list contains no suggestion
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return []
    const { agent = null, score: given = null } = row.annotated?.details.get(source) ?? {}
    const score = isPresent(pair.score) ? (numberOf(filled(row.values.get(pair.score as string))) ?? null) : given
    return [{ source, question_id: question.id, value, agent, score }]
  })

const missingColumnsOf = (values: Values, { mapping, rowsNameColumns }: Recipe): readonly string[] => {
  if (!rowsNameColumns) return []
  return [...mapping.fields, ...mapping.metadata].map(({ source }) => source).filter((source) => !values.has(source))
}

const sourceOf = (pairs: readonly Pair[], target: unknown): string | null =>
  pairs.find((pair) => pair.target === target)?.source ?? null

const unmappedIn = ({ annotated }: ReadableRow) => ({
  annotations: annotated?.unmapped ?? [],
  comments: annotated?.remarks.unmapped ?? [],
})

const schemas = new WeakMap<Limits, ReturnType<typeof RecordUpsert>>()
const schemaFor = (limits: Limits) => {
  const schema = schemas.get(limits) ?? RecordUpsert(limits)
  schemas.set(limits, schema)
  return schema
}

const idAt = (values: Values, column: string | null | undefined): unknown => (column ? filled(values.get(column)) : null)

/** The content of a row, cast to its targets' types but not validated. */
const plannedRecord = (source: ReadableRow, recipe: Recipe) => {
  const { mapping, idOf } = recipe
  const { values, row } = source
  const named = idAt(values, mapping.external_id)
  return {
    id: idAt(values, mapping.record_id),
    external_id: isPresent(named) ? named : idOf(row),
    fields: Object.fromEntries(fieldsFrom(values, recipe)),
    metadata: Object.fromEntries(metadataFrom(values, recipe)),
    suggestions: suggestionsFrom(source, recipe),
  }
}

/** The record that a row would become; null for an unreadable row. */
export const planRow = (source: SourceRow, recipe: Recipe): PlannedRecord | null => {
  if ('fault' in source) return null
  const { suggestions, external_id, fields, metadata } = plannedRecord(source, recipe)
  const nameOfQuestion = (id: string): string => recipe.schema.questionsById.get(id)?.name ?? ''
  const planned = suggestions.map(({ question_id, value }) => ({ question: nameOfQuestion(question_id), value }))
  return { row: source.row, external_id: String(external_id), fields, metadata, suggestions: planned } as PlannedRecord
}

/**
 * Builds a record from a row, as PUT records/bulk would read it. Checks that need the dataset run when the record is stored.
 * @param seen IDs of earlier rows. A row that repeats one of them is rejected, because it would replace the earlier row
 */
export const buildRow = (source: SourceRow, recipe: Recipe, seen: SeenIds): BuiltRow => {
  const { row, line } = source
  const fail = (column: string | null, reason: Reason): BuiltRow => ({ row, line, fault: { row, line, column, reason } })
  if ('fault' in source) return fail(null, source.fault)
  const { mapping, limits } = recipe
  const ids = idsIn(source.values, mapping)
  const sharesRecord = source.annotated?.sharesRecord === true
  const repeated = hasIds(mapping) ? repeatedIn(seen, ids, { row, made: recipe.idOf(row) }) : null
  if (repeated !== null && !sharesRecord) return fail(mapping[repeated.of] ?? null, repeatedReason(repeated.id, repeated.first))
  const inexact = inexactIn(source.values, recipe)
  if (inexact) return fail(inexact.source, message('propertyFault', { property: inexact.target }, message('mustBeInteger')))
  const { suggestions: all, ...rest } = plannedRecord(source, recipe)
  // Only the first annotation of a record is imported as suggestions, unless the user has chosen how annotations are imported
  const suggestions = repeated !== null && !mapping.annotators?.length ? [] : all
  const sent = { ...rest, suggestions: suggestions.map(({ source: _, ...suggestion }) => suggestion) }
  const result = schemaFor(limits).safeParse(sent)
  if (result.success) {
    for (const [i, { value }] of (result.data.suggestions ?? []).entries()) {
      const fault = answerSizeFault(value, limits.answerBytes)
      if (fault !== null) return fail(suggestions[i]?.source ?? null, fault)
    }
    const isNew = ids.external === null && recipe.isNewWithoutId
    const answers = answersOf(source, recipe)
    const record = { ...prepareRecord(result.data), responses: answers.responses }
    const comments = commentsOf(source, recipe)
    const unmapped = unmappedIn(source)
    return { row, line, record, isNew, missingColumns: missingColumnsOf(source.values, recipe), answers, comments, unmapped }
  }
  const [problem] = toInputFaults(result.error, 'body', sent)
  const [, part, place] = problem?.loc ?? []
  const columnOf = (): string | null => {
    if (part === 'fields') return sourceOf(mapping.fields, place)
    if (part === 'metadata') return sourceOf(mapping.metadata, place)
    if (part === 'suggestions') return suggestions[Number(place)]?.source ?? null
    return part === 'external_id' ? (mapping.external_id ?? null) : part === 'id' ? (mapping.record_id ?? null) : null
  }
  return fail(columnOf(), problem?.reason ?? message('rowInvalid'))
}
