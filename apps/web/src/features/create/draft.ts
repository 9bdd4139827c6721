import type { FieldKind } from '@postil/contract/field-types/define.ts'
import type { FieldSettings } from '@postil/contract/field-types/index.ts'
import type { ImportColumn } from '@postil/contract/files/imports.ts'
import type { Home } from '@postil/contract/home.ts'
import type { MetadataKind } from '@postil/contract/metadata-types/define.ts'
import type { MetadataSettings } from '@postil/contract/metadata-types/index.ts'
import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import { fieldCreation } from '#field-types/creation.ts'
import { creationSlice } from '#question-types/creation-registry.ts'

/** A part of a dataset that is being made. `source` is the column that fills it; null where none does. */
type Part = { readonly key: string; readonly source: string | null; readonly name: string; readonly title: string }
export type FieldPart = Part & { readonly required: boolean; readonly settings: FieldSettings }
export type QuestionPart = Part & {
  readonly description: string
  readonly required: boolean
  readonly settings: QuestionSettings
}
/** Bounds and terms are those of a stored property; a new one has none. */
export type PropertySettings = { readonly type: MetadataKind } | MetadataSettings
export type PropertyPart = Part & { readonly visible: boolean; readonly settings: PropertySettings }

/** A dataset that is being made, as the form holds it. */
export type Draft = {
  readonly name: string
  readonly workspaceId: string
  readonly guidelines: string
  /** As it was typed. */
  readonly minSubmitted: string
  readonly fields: readonly FieldPart[]
  readonly questions: readonly QuestionPart[]
  readonly properties: readonly PropertyPart[]
  /** The column that names records. */
  readonly externalId: string | null
}

/** What a column becomes. */
export const roles = ['field', 'question', 'metadata', 'id', 'none'] as const
export type Role = (typeof roles)[number]

let made = 0
/** Names a part of the form for as long as the page is there. */
export const newKey = (): string => `part-${++made}`

export const emptyDraft: Draft = {
  name: '',
  workspaceId: '',
  guidelines: '',
  minSubmitted: '1',
  fields: [],
  questions: [],
  properties: [],
  externalId: null,
}

/** What a new dataset begins with: in the workspace, where there is only one. */
export const freshDraft = ({ workspaces: [only, ...others] }: Pick<Home, 'workspaces'>): Draft => ({
  ...emptyDraft,
  workspaceId: only !== undefined && others.length === 0 ? only.id : '',
})

/** The same draft from before the page was loaded: its parts must not be named like those that are made by now. */
export const withNewKeys = (draft: Draft): Draft => {
  const renamed = <P extends Part>(part: P): P => ({ ...part, key: newKey() })
  return {
    ...draft,
    fields: draft.fields.map(renamed),
    questions: draft.questions.map(renamed),
    properties: draft.properties.map(renamed),
  }
}

/** A name that no part of the list has yet. */
const freeName = (wanted: string, parts: readonly Part[]): string => {
  const taken = new Set(parts.map(({ name }) => name))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(name)) return name
  }
}

type From = { readonly name: string; readonly source: string | null }

export const withField = (draft: Draft, kind: FieldKind, { name, source }: From): Draft => {
  const part = { key: newKey(), source, name: freeName(name, draft.fields), title: '' }
  const required = !draft.fields.some((field) => field.required)
  return { ...draft, fields: [...draft.fields, { ...part, required, settings: fieldCreation(kind).initial }] }
}

/** The labels that a question of a column begins with: none where the column has too many; examples would be other people's. */
export const labelsFrom = (values: readonly string[] | null | undefined): readonly string[] => values ?? []

export const withQuestion = (
  draft: Draft,
  kind: QuestionKind,
  { name, source }: From,
  values: readonly string[] | null,
): Draft => {
  const part = { key: newKey(), source, name: freeName(name, draft.questions), title: '', description: '' }
  const required = !draft.questions.some((question) => question.required)
  const settings = creationSlice(kind).initial({ values: source === null ? null : labelsFrom(values), fields: draft.fields })
  return { ...draft, questions: [...draft.questions, { ...part, required, settings }] }
}

export const withProperty = (draft: Draft, kind: MetadataKind, { name, source }: From): Draft => {
  const part = { key: newKey(), source, name: freeName(name, draft.properties), title: '' }
  return { ...draft, properties: [...draft.properties, { ...part, visible: true, settings: { type: kind } }] }
}

export const roleOf = (draft: Draft, column: string): Role => {
  const isFor = ({ source }: Part): boolean => source === column
  if (draft.fields.some(isFor)) return 'field'
  if (draft.questions.some(isFor)) return 'question'
  if (draft.properties.some(isFor)) return 'metadata'
  return draft.externalId === column ? 'id' : 'none'
}

/** Whether anything of it comes from a column. */
export const hasSources = ({ fields, questions, properties, externalId }: Draft): boolean =>
  externalId !== null || [fields, questions, properties].flat().some(({ source }) => source !== null)

const without = (draft: Draft, column: string): Draft => {
  const others = <P extends Part>(parts: readonly P[]): readonly P[] => parts.filter(({ source }) => source !== column)
  return {
    ...draft,
    fields: others(draft.fields),
    questions: others(draft.questions),
    properties: others(draft.properties),
    externalId: draft.externalId === column ? null : draft.externalId,
  }
}

type Kinds = { readonly field: FieldKind; readonly question: QuestionKind; readonly metadata: MetadataKind }

/** The kinds of parts that a column's values fit into best, whatever the column becomes. */
const kindsFor = ({ type, values, proposal }: ImportColumn): Kinds => {
  const proposed = (role: string): string | null => (proposal?.role === role ? proposal.type : null)
  const number = type === 'integer' || type === 'float' ? type : 'terms'
  const question = values === null || values.length < 2 ? 'text' : 'label_selection'
  // The server proposes kinds of the contract only.
  return {
    field: (proposed('field') ?? (type === 'object' ? 'custom' : 'text')) as FieldKind,
    question: (proposed('suggestion') ?? (type === 'list' ? 'multi_label_selection' : question)) as QuestionKind,
    metadata: (proposed('metadata') ?? number) as MetadataKind,
  }
}

/** The draft with a column that becomes something else: what a download has as `label.suggestion` and `metadata.size` is `label` and `size`. */
export const withRole = (draft: Draft, column: ImportColumn, role: Role): Draft => {
  const rest = without(draft, column.name)
  const from = { name: column.name, source: column.name }
  const named = (affix: RegExp) => ({ ...from, name: column.name.replace(affix, '') || column.name })
  const kinds = kindsFor(column)
  const made: { readonly [R in Role]: () => Draft } = {
    field: () => withField(rest, kinds.field, from),
    question: () => withQuestion(rest, kinds.question, named(/\.suggestion$/), column.values),
    metadata: () => withProperty(rest, kinds.metadata, named(/^metadata\./)),
    id: () => ({ ...rest, externalId: column.name }),
    none: () => rest,
  }
  return made[role]()
}

/** What the server takes a column for. */
const proposedRole = ({ proposal }: ImportColumn): Role => {
  if (proposal === null) return 'none'
  const proposed: { readonly [P in typeof proposal.role]: Role } = {
    field: 'field',
    suggestion: 'question',
    metadata: 'metadata',
    external_id: 'id',
  }
  return proposed[proposal.role]
}

/** Every column as the server proposes it. What is required is a field that no row is without, where there is one. */
export const withColumns = (draft: Draft, columns: readonly ImportColumn[]): Draft => {
  const made = columns.reduce((before, column) => withRole(before, column, proposedRole(column)), draft)
  const complete = new Set(columns.flatMap(({ name, complete }) => (complete ? [name] : [])))
  const full = made.fields.find(({ source }) => source !== null && complete.has(source))
  if (full === undefined || draft.fields.some(({ required }) => required)) return made
  return { ...made, fields: made.fields.map((field) => ({ ...field, required: field === full })) }
}

/**
 * A draft that was taken up again, with a file of the same columns: what is named like one of them is filled by it, and no part is
 * added or changed.
 */
export const withSources = (draft: Draft, columns: readonly ImportColumn[]): Draft => {
  const names = new Set(columns.map(({ name }) => name))
  const taken = new Set<string>()
  const filled = <P extends Part>(part: P): P => {
    const wanted = [part.source, part.name].find((name) => name !== null && names.has(name) && !taken.has(name)) ?? null
    if (wanted !== null) taken.add(wanted)
    return { ...part, source: wanted }
  }
  const fields = draft.fields.map(filled)
  const questions = draft.questions.map(filled)
  const properties = draft.properties.map(filled)
  const id = columns.find(({ name, proposal }) => !taken.has(name) && proposal?.role === 'external_id')?.name ?? null
  const externalId = draft.externalId !== null && names.has(draft.externalId) ? draft.externalId : id
  return { ...draft, fields, questions, properties, externalId }
}

/** The draft of a file: its columns as proposed, or what there is already with the columns that are named like it. */
export const withFile = (draft: Draft, columns: readonly ImportColumn[]): Draft =>
  draft.fields.length + draft.questions.length + draft.properties.length === 0
    ? withColumns(draft, columns)
    : withSources(draft, columns)

/** The draft for another sheet of a workbook: what the columns of the one before had become makes way for those of this one. */
export const withSheet = (draft: Draft, columns: readonly ImportColumn[]): Draft => {
  const own = <P extends Part>(parts: readonly P[]): readonly P[] => parts.filter(({ source }) => source === null)
  const { fields, questions, properties } = draft
  const kept = { ...draft, fields: own(fields), questions: own(questions), properties: own(properties), externalId: null }
  return withColumns(kept, columns)
}

/** The parts whose columns are still there, and those of no column; questions that nobody has changed have the values of now. */
const withKept = (draft: Draft, before: readonly ImportColumn[], kept: readonly ImportColumn[]): Draft => {
  const named = (columns: readonly ImportColumn[]) => new Map(columns.map((column) => [column.name, column]))
  const [old, now] = [named(before), named(kept)]
  const stays = ({ source }: Part): boolean => source === null || now.has(source)
  const { fields, questions, properties, externalId } = draft
  const refreshed = (question: QuestionPart): QuestionPart => {
    const { source, settings } = question
    if (source === null) return question
    const initial = (values: ImportColumn['values'] | undefined) =>
      creationSlice(settings.type).initial({ values: labelsFrom(values), fields })
    const isOwn = JSON.stringify(settings) !== JSON.stringify(initial(old.get(source)?.values))
    return isOwn ? question : { ...question, settings: initial(now.get(source)?.values) }
  }
  return {
    ...draft,
    fields: fields.filter(stays),
    questions: questions.filter(stays).map(refreshed),
    properties: properties.filter(stays),
    externalId: externalId !== null && now.has(externalId) ? externalId : null,
  }
}

/**
 * The draft for another part of the same source: what was made of its columns stays where there are such columns again, and others are
 * as proposed.
 */
export const withOtherColumns = (draft: Draft, before: readonly ImportColumn[], columns: readonly ImportColumn[]): Draft => {
  const types = new Map(before.map(({ name, type }) => [name, type]))
  const isKnown = ({ name, type }: ImportColumn): boolean => {
    const old = types.get(name)
    return old === type || (old !== undefined && (old === 'empty' || type === 'empty'))
  }
  const kept = withKept(draft, before, columns.filter(isKnown))
  return withColumns(
    kept,
    columns.filter((column) => !isKnown(column)),
  )
}

/** The parts that no file fills any more. */
export const withoutFile = (draft: Draft): Draft => {
  const emptied = <P extends Part>(part: P): P => ({ ...part, source: null })
  return {
    ...draft,
    fields: draft.fields.map(emptied),
    questions: draft.questions.map(emptied),
    properties: draft.properties.map(emptied),
    externalId: null,
  }
}
