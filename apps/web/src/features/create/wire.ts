import type { Dataset } from '@postil/contract/datasets.ts'
import type { createField, Field } from '@postil/contract/fields.ts'
import type { checkMyFile } from '@postil/contract/files/imports.ts'
import type { createMetadataProperty, MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { createQuestion, Question } from '@postil/contract/questions.ts'
import type { BodyInputOf } from '@postil/contract/wire/endpoint.ts'
import type { HubSource } from '#features/hub/service.ts'
import type { Draft, FieldPart, PropertyPart, QuestionPart } from './draft.ts'
import { hasSources, newKey } from './draft.ts'

export type FieldBody = BodyInputOf<typeof createField>
export type QuestionBody = BodyInputOf<typeof createQuestion>
export type PropertyBody = BodyInputOf<typeof createMetadataProperty>
export type PlanBody = BodyInputOf<typeof checkMyFile>

/** A part without a title is called by its name. */
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
})

export const propertyBody = (part: PropertyPart): PropertyBody => ({
  name: part.name.trim(),
  title: titleOf(part),
  settings: part.settings,
  visible_for_annotators: part.visible,
})

const pairs = (parts: readonly { readonly source: string | null; readonly name: string }[]) =>
  parts.flatMap(({ source, name }) => (source === null ? [] : [{ source, target: name.trim() }]))

export const mappingOf = ({ fields, questions, properties, externalId }: Draft) => ({
  fields: pairs(fields),
  suggestions: pairs(questions),
  metadata: pairs(properties),
  external_id: externalId,
})

export type MappingBody = ReturnType<typeof mappingOf>
/** Of a file for a dataset that exists, which it may have been downloaded from. */
export type FileMappingBody = MappingBody & { readonly record_id: string | null }

export const planOf = (draft: Draft): PlanBody => ({
  mapping: mappingOf(draft),
  fields: draft.fields.map(fieldBody),
  questions: draft.questions.map(questionBody),
  metadata_properties: draft.properties.map(propertyBody),
})

/** What is kept with a dataset of where its records come from, as for one that is imported from a hub. */
export const originOf = (draft: Draft, source: Origin) => {
  const mapping = mappingOf(draft)
  if (source?.hub) {
    const { name, subset, split } = source.hub
    return { imported: 'UI', repoId: name, subset, split, mapping }
  }
  // Without the file, its name stays what it was.
  if (source === null) return hasSources(draft) ? { imported: 'UI', mapping } : null
  return { imported: 'UI', file: source.name, file_id: source.id, mapping }
}

/** The name of the file that a dataset is made of, as it was kept with it. */
export const fileNameOf = ({ metadata }: Dataset): string | null => {
  const name = metadata?.['file']
  return typeof name === 'string' ? name : null
}

/** The uploaded file itself, which the server keeps for a while; null where there is none. */
export const fileIdOf = ({ metadata }: Dataset): string | null => {
  const id = metadata?.['file_id']
  return typeof id === 'string' ? id : null
}

/** The split of the hub that a dataset is made of, as it was kept with it; null for others. */
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

/** Whether a draft has the parts that are stored already. */
export const hasStoredParts = (stored: Stored, draft: Draft): boolean => {
  const printed = ({ fields, questions, metadata_properties }: PlanBody) =>
    JSON.stringify([fields, questions, metadata_properties])
  return printed(planOf(draft)) === printed(planOf(draftOf(stored)))
}

/** Where records come from: a file by its name, or a split of the hub. */
export type Origin = { readonly id: string; readonly name: string; readonly hub?: HubSource } | null

type KeptPair = { readonly source: string; readonly target: string }

/** The columns that a kept mapping names, by their targets; what another program wrote there is no mapping. */
const keptSources = (metadata: Dataset['metadata'], part: string): ReadonlyMap<string, string> => {
  const mapping = (metadata?.['mapping'] ?? null) as { readonly [key: string]: unknown } | null
  const list: readonly unknown[] = mapping && Array.isArray(mapping[part]) ? mapping[part] : []
  const isPair = (value: unknown): value is KeptPair =>
    typeof (value as KeptPair | null)?.source === 'string' && typeof (value as KeptPair).target === 'string'
  return new Map(list.filter(isPair).map(({ source, target }) => [target, source]))
}

const keptId = ({ metadata }: Dataset): string | null => {
  const id = (metadata?.['mapping'] as { readonly external_id?: unknown } | null | undefined)?.external_id
  return typeof id === 'string' ? id : null
}

/** The mapping that was kept with a dataset. */
export const keptMapping = (dataset: Dataset): MappingBody => {
  const kept = (part: string) => [...keptSources(dataset.metadata, part)].map(([target, source]) => ({ source, target }))
  return {
    fields: kept('fields'),
    suggestions: kept('suggestions'),
    metadata: kept('metadata'),
    external_id: keptId(dataset),
  }
}

/** A stored title that is only the name is none. */
const ownTitle = ({ name, title }: { readonly name: string; readonly title: string }): string => (title === name ? '' : title)

/** A draft dataset as the form holds it. */
export const draftOf = ({ dataset, fields, questions, properties }: Stored): Draft => {
  const { metadata } = dataset
  const sources = (part: string) => {
    const kept = keptSources(metadata, part)
    return (name: string): string | null => kept.get(name) ?? null
  }
  const [ofField, ofQuestion, ofProperty] = [sources('fields'), sources('suggestions'), sources('metadata')]
  const common = (part: { readonly name: string; readonly title: string }) => ({
    key: newKey(),
    name: part.name,
    title: ownTitle(part),
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
      description: question.description ?? '',
      required: question.required,
      settings: question.settings,
    })),
    properties: properties.map((property) => ({
      ...common(property),
      source: ofProperty(property.name),
      settings: property.settings,
      visible: property.visible_for_annotators,
    })),
    externalId: keptId(dataset),
  }
}
