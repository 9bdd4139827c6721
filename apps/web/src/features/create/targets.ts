import type { Field } from '@postil/contract/fields.ts'
import type { ImportColumn, ImportFile } from '@postil/contract/files/imports.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { AnnotatorChoices } from './annotators.ts'
import type { FileMappingBody } from './wire.ts'

/**
 * What a column becomes when it is imported into an existing dataset. `id` is the external ID, and `record` is the record ID.
 * `fields:text`, for example, is the field `text`.
 */
export type Target = 'none' | 'id' | 'record' | `fields:${string}` | `suggestions:${string}` | `metadata:${string}`
export type Targets = { readonly [column: string]: Target }

export const targetOf = (targets: Targets, column: string): Target =>
  (Object.hasOwn(targets, column) ? targets[column] : null) ?? 'none'

/**
 * Returns the targets after assigning a column to a target. A target has only one column, so its previous column becomes
 * unassigned.
 */
export const withTarget = (targets: Targets, column: string, target: Target): Targets => ({
  ...Object.fromEntries(Object.entries(targets).filter(([, other]) => target === 'none' || other !== target)),
  [column]: target,
})

/** An uploaded file and what each of its columns fills. */
export type TargetsOfFile = {
  readonly file: ImportFile
  readonly targets: Targets
  /**
   * The user's choices for how the annotations of people in the file are imported. For people without a choice, the proposed
   * choice is used.
   */
  readonly annotators?: AnnotatorChoices
}

const proposedTargets = ({ mapping }: ImportFile): Targets => ({
  ...(mapping.external_id !== null && { [mapping.external_id]: 'id' as const }),
  ...(mapping.record_id !== null && { [mapping.record_id]: 'record' as const }),
  ...Object.fromEntries(mapping.metadata.map(({ source, target }) => [source, `metadata:${target}` as const])),
  ...Object.fromEntries(mapping.suggestions.map(({ source, target }) => [source, `suggestions:${target}` as const])),
  ...Object.fromEntries(mapping.fields.map(({ source, target }) => [source, `fields:${target}` as const])),
})

export const withProposedTargets = (file: ImportFile): TargetsOfFile => ({ file, targets: proposedTargets(file) })

const pairsOf = (targets: Targets, part: 'fields' | 'suggestions' | 'metadata') =>
  Object.entries(targets).flatMap(([source, target]) =>
    target.startsWith(`${part}:`) ? [{ source, target: target.slice(part.length + 1) }] : [],
  )

const columnOf = (targets: Targets, wanted: Target): string | null =>
  Object.entries(targets).find(([, target]) => target === wanted)?.[0] ?? null

export const mappingOfTargets = (targets: Targets, columns: readonly ImportColumn[] = []): FileMappingBody => ({
  fields: pairsOf(targets, 'fields'),
  suggestions: pairsOf(targets, 'suggestions').map((pair) => {
    const separator = columns.find(({ name }) => name === pair.source)?.separator
    return { ...pair, ...(separator !== undefined && { separator }) }
  }),
  metadata: pairsOf(targets, 'metadata'),
  external_id: columnOf(targets, 'id'),
  record_id: columnOf(targets, 'record'),
})

export type Parts = {
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly properties: readonly MetadataProperty[]
}

/** Returns the required fields that no column fills. If there are any, no row can become a record. */
export const unfilledFields = (targets: Targets, { fields }: Parts): readonly Field[] => {
  const filled = new Set(pairsOf(targets, 'fields').map(({ target }) => target))
  return fields.filter(({ name, required }) => required && !filled.has(name))
}
