import type { Dataset } from '@postil/contract/datasets.ts'
import type { createField, Field } from '@postil/contract/fields.ts'
import type { checkMyFile } from '@postil/contract/files/imports.ts'
import type { createMetadataProperty, MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { createQuestion, Question } from '@postil/contract/questions.ts'
import type { BodyInputOf } from '@postil/contract/wire/endpoint.ts'
import type { HubSource } from '#features/hub/public.ts'
import { type AnnotatorBody, storedChoices } from './annotators.ts'
import type { Draft, FieldPart, PropertyPart, QuestionPart } from './draft.ts'
import { hasSources, labelColumns, newKey } from './draft.ts'

type FieldBody = BodyInputOf<typeof createField>
type QuestionBody = BodyInputOf<typeof createQuestion>
type PropertyBody = BodyInputOf<typeof createMetadataProperty>
export type PlanBody = BodyInputOf<typeof checkMyFile>

const titleOf = ({ name, title }: { readonly name: string; readonly title: string }): string => title.trim() || name.trim()

export const fieldBody = (part: FieldPart): FieldBody => ({
  name: part.name.trim(),
  title: titleOf(part),
  required: part.required,
  settings: part.settings,
})

export const questionBody = (part: QuestionPart): QuestionBody => ({
  name: part.name.trim(),
  title: titleOf(part),
  description: part.description.trim() || null,
  required: part.required,
  settings: part.settings,
  ...(part.shown_when && { shown_when: part.shown_when }),
})

export const propertyBody = (part: PropertyPart): PropertyBody => ({
  name: part.name.trim(),
  title: titleOf(part),
  settings: part.settings,
  visible_for_annotators: part.visible,
})

const pairs = (parts: readonly { readonly source: string | null; readonly name: string }[]) =>
  parts.flatMap(({ source, name }) => (source === null ? [] : [{ source, target: name.trim() }]))

type SuggestionPair = {
  readonly source: string
  readonly target: string
  readonly separator?: string
  readonly option?: string
  readonly score?: string
}

/**
 * Returns the columns that fill the questions. A question is filled from one column, or from several columns, each of which
 * represents a label.
 */
const suggestionPairs = (parts: readonly QuestionPart[]): SuggestionPair[] =>
  parts.flatMap((part): readonly SuggestionPair[] => {
    const target = part.name.trim()
    const columns = labelColumns(part)
    if (columns.length > 0) return columns.map((source) => ({ source, target, option: source }))
    const { source, separator, score } = part
    return source === null ? [] : [{ source, target, ...(separator && { separator }), ...(score && { score }) }]
  })

/** @param annotators how the annotations in the file are imported. Undefined if all of them are imported as suggestions */
export const mappingOf = ({ fields, questions, properties, externalId }: Draft, annotators?: readonly AnnotatorBody[]) => ({
  fields: pairs(fields),
  suggestions: suggestionPairs(questions),
  metadata: pairs(properties),
  external_id: externalId,
  ...(annotators && { annotators: [...annotators] }),
})

export type MappingBody = ReturnType<typeof mappingOf>
/** The mapping for a file that is imported into an existing dataset. The file may have been exported from that dataset. */
export type FileMappingBody = MappingBody & { readonly record_id: string | null }

export const planOf = (draft: Draft, annotators?: readonly AnnotatorBody[]): PlanBody => ({
  mapping: mappingOf(draft, annotators),
  fields: draft.fields.map(fieldBody),
  questions: draft.questions.map(questionBody),
  metadata_properties: draft.properties.map(propertyBody),
})

/**
 * Returns the source of the records, as it is stored in the dataset's metadata. The format is the same as for datasets that are
 * imported from the Hub.
 */
export const originOf = (draft: Draft, source: Origin, annotators?: readonly AnnotatorBody[]) => {
  const mapping = mappingOf(draft, annotators)
  if (source?.hub) {
    const { name, subset, split } = source.hub
    return { imported: 'UI', repoId: name, subset, split, mapping }
  }
  // If there is no file now, the stored file name is kept.
  if (source === null) return hasSources(draft) ? { imported: 'UI', mapping } : null
  return { imported: 'UI', file: source.name, file_id: source.id, mapping }
}

/** Returns the stored name of the file that a dataset was created from, or null. */
export const fileNameOf = ({ metadata }: Dataset): string | null => {
  const name = metadata?.['file']
  return typeof name === 'string' ? name : null
}

/** Returns the ID of the uploaded file, or null if there is none. The server keeps the file for a limited time. */
export const fileIdOf = ({ metadata }: Dataset): string | null => {
  const id = metadata?.['file_id']
  return typeof id === 'string' ? id : null
}

/** Returns the stored Hub split that a dataset was created from, or null. */
export const hubOf = ({ metadata }: Dataset): HubSource | null => {
  const { repoId, subset, split } = metadata ?? {}
  return typeof repoId === 'string' && typeof subset === 'string' && typeof split === 'string'
    ? { name: repoId, subset, split }
    : null
}

export type Stored = {
  readonly dataset: Dataset
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly properties: readonly MetadataProperty[]
}

/** Whether a draft has the same parts as the stored dataset. */
export const hasStoredParts = (stored: Stored, draft: Draft): boolean => {
  const printed = ({ fields, questions, metadata_properties }: PlanBody) =>
    JSON.stringify([fields, questions, metadata_properties])
  return printed(planOf(draft)) === printed(planOf(draftOf(stored)))
}

/** The source of records: a file with its name, or a split on the Hub. */
export type Origin = { readonly id: string; readonly name: string; readonly hub?: HubSource } | null

type StoredPair = { readonly source: string; readonly target: string }

/**
 * Returns the columns in a stored mapping, keyed by their targets. Values that other programs wrote in another format are
 * ignored.
 */
const storedSources = (metadata: Dataset['metadata'], part: string): ReadonlyMap<string, string> => {
  const mapping = (metadata?.['mapping'] ?? null) as { readonly [key: string]: unknown } | null
  const list: readonly unknown[] = mapping && Array.isArray(mapping[part]) ? mapping[part] : []
  const isPair = (value: unknown): value is StoredPair =>
    typeof (value as StoredPair | null)?.source === 'string' && typeof (value as StoredPair).target === 'string'
  return new Map(list.filter(isPair).map(({ source, target }) => [target, source]))
}

/** Returns a question's columns, and how they are read, from the mapping that is stored in the dataset's metadata. */
const storedColumns = (metadata: Dataset['metadata'], name: string): Partial<QuestionPart> => {
  const { suggestions } = (metadata?.['mapping'] ?? {}) as { readonly suggestions?: unknown }
  const found = (Array.isArray(suggestions) ? suggestions : []).filter((pair) => pair?.target === name)
  const isText = (value: unknown): value is string => typeof value === 'string'
  const [first, ...others] = found.filter(({ source }) => isText(source))
  if (first === undefined) return {}
  if (isText(first.option)) return { source: first.source, others: others.map(({ source }) => source) }
  const { separator, score } = first
  return { ...(isText(separator) && { separator }), ...(isText(score) && { score }) }
}

const storedIdColumn = ({ metadata }: Dataset): string | null => {
  const id = (metadata?.['mapping'] as { readonly external_id?: unknown } | null | undefined)?.external_id
  return typeof id === 'string' ? id : null
}

/** Returns the stored mapping of a dataset. */
export const storedMapping = (dataset: Dataset): MappingBody => {
  const storedPairs = (part: string) => [...storedSources(dataset.metadata, part)].map(([target, source]) => ({ source, target }))
  return {
    fields: storedPairs('fields'),
    suggestions: storedPairs('suggestions'),
    metadata: storedPairs('metadata'),
    external_id: storedIdColumn(dataset),
  }
}

const customTitle = ({ name, title }: { readonly name: string; readonly title: string }): string => (title === name ? '' : title)

/** Returns a draft dataset as the form's state. */
export const draftOf = ({ dataset, fields, questions, properties }: Stored): Draft => {
  const { metadata } = dataset
  const sources = (part: string) => {
    const storedPairs = storedSources(metadata, part)
    return (name: string): string | null => storedPairs.get(name) ?? null
  }
  const [ofField, ofQuestion, ofProperty] = [sources('fields'), sources('suggestions'), sources('metadata')]
  const common = (part: { readonly name: string; readonly title: string }) => ({
    key: newKey(),
    name: part.name,
    title: customTitle(part),
  })
  return {
    name: dataset.name,
    workspaceId: dataset.workspace_id,
    guidelines: dataset.guidelines ?? '',
    minSubmitted: String(dataset.distribution.min_submitted),
    fields: fields.map((field) => ({
      ...common(field),
      source: ofField(field.name),
      required: field.required,
      settings: field.settings,
    })),
    questions: questions.map((question) => ({
      ...common(question),
      source: ofQuestion(question.name),
      ...storedColumns(metadata, question.name),
      description: question.description ?? '',
      required: question.required,
      settings: question.settings,
      ...(question.shown_when && { shown_when: question.shown_when }),
    })),
    properties: properties.map((property) => ({
      ...common(property),
      source: ofProperty(property.name),
      settings: property.settings,
      visible: property.visible_for_annotators,
    })),
    externalId: storedIdColumn(dataset),
    annotators: storedChoices(metadata?.['mapping']),
  }
}
