import type { Condition } from '@postil/contract/conditions.ts'
import type { FieldKind, FieldSettings } from '@postil/contract/field-types/index.ts'
import type { ImportColumn } from '@postil/contract/files/imports.ts'
import type { Home } from '@postil/contract/home.ts'
import type { MetadataKind } from '@postil/contract/metadata-types/define.ts'
import { metadataKinds } from '@postil/contract/metadata-types/define.ts'
import type { MetadataSettings } from '@postil/contract/metadata-types/index.ts'
import type { QuestionKind, QuestionSettings } from '@postil/contract/question-types/index.ts'
import { fieldCreation, fieldKindsToMake } from '#field-types/creation.ts'
import { creationSlice, creationSliceOf, questionKindsToMake } from '#question-types/creation-registry.ts'
import type { AnnotatorChoices } from './annotators.ts'

/** A part of a dataset that is being created. `source` is the column that fills it, or null. */
type Part = { readonly key: string; readonly source: string | null; readonly name: string; readonly title: string }
export type FieldPart = Part & { readonly required: boolean; readonly settings: FieldSettings }
export type QuestionPart = Part & {
  /** The separator between several labels in a cell of the column. */
  readonly separator?: string | null
  /**
   * Further columns that fill the question. If there are any, each of these columns and the `source` column stands for one label:
   * the column's name is the label, and every cell is 0 or 1.
   */
  readonly others?: readonly string[]
  /** The column with the scores of the suggestions. */
  readonly score?: string | null
  readonly description: string
  readonly required: boolean
  readonly settings: QuestionSettings
  /** The condition under which the question is shown. Undefined if the question is always shown. */
  readonly shown_when?: Condition | undefined
}
/** Bounds and terms exist only for a stored property. */
type PropertySettings = { readonly type: MetadataKind } | MetadataSettings
export type PropertyPart = Part & { readonly visible: boolean; readonly settings: PropertySettings }

/** A dataset that is being created, as the form's state. */
export type Draft = {
  readonly name: string
  readonly workspaceId: string
  readonly guidelines: string
  /** The text of the input. */
  readonly minSubmitted: string
  readonly fields: readonly FieldPart[]
  readonly questions: readonly QuestionPart[]
  readonly properties: readonly PropertyPart[]
  /** The column with the external IDs. */
  readonly externalId: string | null
  /** How the annotations of people in the file are imported. Contains only the people for whom this differs from the proposal. */
  readonly annotators?: AnnotatorChoices
}

/** What a column can become. */
export const roles = ['field', 'question', 'score', 'metadata', 'id', 'none'] as const
export type Role = (typeof roles)[number]

let keyCount = 0
/** Returns a key for a part of the form, unique until the page is reloaded. */
export const newKey = (): string => `part-${++keyCount}`

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

/** Returns an empty draft. If there is only one workspace, it is preselected. */
export const newDraft = ({ workspaces: [only, ...others] }: Pick<Home, 'workspaces'>): Draft => ({
  ...emptyDraft,
  workspaceId: only !== undefined && others.length === 0 ? only.id : '',
})

/** Gives the parts of a draft new keys. The draft was stored before a reload, so its old keys may already be in use. */
export const withNewKeys = (draft: Draft): Draft => {
  const renamed = <P extends Part>(part: P): P => ({ ...part, key: newKey() })
  return {
    ...draft,
    fields: draft.fields.map(renamed),
    questions: draft.questions.map(renamed),
    properties: draft.properties.map(renamed),
  }
}

/** Returns a name that no part of the list has yet. */
const uniqueName = (wanted: string, parts: readonly Part[]): string => {
  const taken = new Set(parts.map(({ name }) => name))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(name)) return name
  }
}

type ColumnSource = { readonly name: string; readonly source: string | null }

export const withField = (draft: Draft, kind: FieldKind, { name, source }: ColumnSource): Draft => {
  const part = { key: newKey(), source, name: uniqueName(name, draft.fields), title: '' }
  const required = !draft.fields.some((field) => field.required)
  return { ...draft, fields: [...draft.fields, { ...part, required, settings: fieldCreation(kind).initial }] }
}

/**
 * Returns the initial labels of a question that is filled from a column with these values. `values` is null if the column has too
 * many values. In that case, the question starts without labels, because invented labels wouldn't fit the user's data.
 */
export const labelsFrom = (values: readonly string[] | null | undefined): readonly string[] => values ?? []

export const withQuestion = (
  draft: Draft,
  kind: QuestionKind,
  { name, source }: ColumnSource,
  values: readonly string[] | null,
): Draft => {
  const part = { key: newKey(), source, name: uniqueName(name, draft.questions), title: '', description: '' }
  const required = !draft.questions.some((question) => question.required)
  const settings = creationSlice(kind).initial({ values: source === null ? null : labelsFrom(values), fields: draft.fields })
  return { ...draft, questions: [...draft.questions, { ...part, required, settings }] }
}

export const withProperty = (draft: Draft, kind: MetadataKind, { name, source }: ColumnSource): Draft => {
  const part = { key: newKey(), source, name: uniqueName(name, draft.properties), title: '' }
  return { ...draft, properties: [...draft.properties, { ...part, visible: true, settings: { type: kind } }] }
}

export const roleOf = (draft: Draft, column: string): Role => {
  const isFor = ({ source }: Part): boolean => source === column
  if (draft.fields.some(isFor)) return 'field'
  if (draft.questions.some((part) => isFor(part) || part.others?.includes(column))) return 'question'
  if (draft.questions.some(({ score }) => score === column)) return 'score'
  if (draft.properties.some(isFor)) return 'metadata'
  return draft.externalId === column ? 'id' : 'none'
}

/** Whether any part is filled from a column. */
export const hasSources = ({ fields, questions, properties, externalId }: Draft): boolean =>
  externalId !== null || [fields, questions, properties].flat().some(({ source }) => source !== null)

/** Returns the columns of a question that has one column of 0 and 1 for each label. Empty for any other question. */
export const labelColumns = ({ source, others = [] }: QuestionPart): readonly string[] =>
  source === null || others.length === 0 ? [] : [source, ...others]

/** Returns the question, filled from the given columns of 0 and 1. The columns' names become its labels. */
const withLabelColumns = (draft: Draft, part: QuestionPart, columns: readonly string[]): QuestionPart => {
  const [source = null, ...others] = columns
  const settings = creationSlice('multi_label_selection').initial({ values: columns, fields: draft.fields })
  return { ...part, source, others, settings }
}

/**
 * Returns the draft's questions after a column was removed. If each label of a question has its own column, the question stays
 * and only loses the label of this column.
 */
const questionsWithout = (draft: Draft, column: string): readonly QuestionPart[] =>
  draft.questions.flatMap((part): readonly QuestionPart[] => {
    const columns = labelColumns(part)
    if (columns.includes(column))
      return [
        withLabelColumns(
          draft,
          part,
          columns.filter((name) => name !== column),
        ),
      ]
    return part.source === column ? [] : [part.score === column ? { ...part, score: null } : part]
  })

const withoutColumn = (draft: Draft, column: string): Draft => {
  const others = <P extends Part>(parts: readonly P[]): readonly P[] => parts.filter(({ source }) => source !== column)
  return {
    ...draft,
    fields: others(draft.fields),
    questions: questionsWithout(draft, column),
    properties: others(draft.properties),
    externalId: draft.externalId === column ? null : draft.externalId,
  }
}

type Kinds = { readonly field: FieldKind; readonly question: QuestionKind; readonly metadata: MetadataKind }

/** For each role, returns the type of part that suits a column's values best. */
const bestKinds = ({ type, values, proposal }: ImportColumn): Kinds => {
  // A newer server may propose a kind that this web app doesn't have.
  const proposed = <K extends string>(role: string, known: readonly K[]): K | undefined =>
    known.find((kind) => proposal?.role === role && proposal.type === kind)
  const number = type === 'integer' || type === 'float' ? type : 'terms'
  const question = values === null || values.length < 2 ? 'text' : 'label_selection'
  return {
    field: proposed('field', fieldKindsToMake) ?? (type === 'object' ? 'custom' : 'text'),
    question: proposed('suggestion', questionKindsToMake) ?? (type === 'list' ? 'multi_label_selection' : question),
    metadata: proposed('metadata', metadataKinds) ?? number,
  }
}

/**
 * Returns the draft with an added column that contains 0 and 1. The column becomes a label of the question that is filled from
 * such columns. If there is no such question, adds one.
 */
const withLabelColumn = (draft: Draft, { name, group = name }: ImportColumn): Draft => {
  const known = draft.questions.find((part) => labelColumns(part).length > 0)
  if (known !== undefined) {
    const extended = withLabelColumns(draft, known, [...labelColumns(known), name])
    return { ...draft, questions: draft.questions.map((part) => (part === known ? extended : part)) }
  }
  const begun = draft.questions.find((part) => part.name === group && part.others?.length === 0)
  if (begun !== undefined && begun.source !== null) {
    const extended = withLabelColumns(draft, begun, [begun.source, name])
    return { ...draft, questions: draft.questions.map((part) => (part === begun ? extended : part)) }
  }
  const next = withQuestion(draft, 'multi_label_selection', { name: group, source: name }, [name])
  return { ...next, questions: next.questions.map((part) => (part.source === name ? { ...part, others: [] } : part)) }
}

/** Returns the draft with a column assigned as the scores of a question's suggestions. */
const withScore = (draft: Draft, { name, score_of: scored }: ImportColumn): Draft => {
  const filled = draft.questions.filter(({ source }) => source !== null)
  const question = filled.find(({ source }) => source === scored) ?? filled[0]
  return { ...draft, questions: draft.questions.map((part) => (part === question ? { ...part, score: name } : part)) }
}

const withSuggestions = (draft: Draft, column: ImportColumn, kind: QuestionKind, from: ColumnSource): Draft => {
  if (column.group !== undefined) return withLabelColumn(draft, column)
  const next = withQuestion(draft, kind, from, column.values)
  const { separator } = column
  if (separator === undefined) return next
  return { ...next, questions: next.questions.map((part) => (part.source === column.name ? { ...part, separator } : part)) }
}

/**
 * Returns the draft after another role was chosen for a column. Prefixes and suffixes of exported columns are left out of the new
 * part's name: the column `label.suggestion` becomes the question `label`, and `metadata.size` becomes the property `size`.
 */
export const withRole = (draft: Draft, column: ImportColumn, role: Role): Draft => {
  const rest = withoutColumn(draft, column.name)
  const from = { name: column.name, source: column.name }
  const named = (affix: RegExp) => ({ ...from, name: column.name.replace(affix, '') || column.name })
  const kinds = bestKinds(column)
  const draftByRole: { readonly [R in Role]: () => Draft } = {
    field: () => withField(rest, kinds.field, from),
    question: () => withSuggestions(rest, column, kinds.question, named(/\.suggestion$|^response\./)),
    score: () => withScore(rest, column),
    metadata: () => withProperty(rest, kinds.metadata, named(/^metadata\./)),
    id: () => ({ ...rest, externalId: column.name }),
    none: () => rest,
  }
  return draftByRole[role]()
}

/** Returns the role that the server proposes for a column. */
const proposedRole = ({ proposal, score_of: scored }: ImportColumn): Role => {
  if (scored !== undefined) return 'score'
  if (proposal === null) return 'none'
  const proposed: { readonly [P in typeof proposal.role]: Role } = {
    field: 'field',
    suggestion: 'question',
    metadata: 'metadata',
    external_id: 'id',
  }
  return proposed[proposal.role]
}

/**
 * Returns the draft with each column in the role that the server proposes for it. If no field is required yet, a field that has a
 * value in every row becomes required.
 */
export const withColumns = (draft: Draft, columns: readonly ImportColumn[]): Draft => {
  // Scores belong to a question, so their columns come last
  const inOrder = columns.toSorted((a, b) => Number(a.score_of !== undefined) - Number(b.score_of !== undefined))
  const withRoles = inOrder.reduce((before, column) => withRole(before, column, proposedRole(column)), draft)
  const complete = new Set(columns.flatMap(({ name, complete }) => (complete ? [name] : [])))
  const full = withRoles.fields.find(({ source }) => source !== null && complete.has(source))
  if (full === undefined || draft.fields.some(({ required }) => required)) return withRoles
  return { ...withRoles, fields: withRoles.fields.map((field) => ({ ...field, required: field === full })) }
}

/**
 * Connects the parts of a draft to the columns of a new source, such as a file. A part gets the column with the name of its
 * earlier column or with the part's own name. Nothing else in the parts changes.
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

/**
 * Returns the draft after a file was added. If the draft has no parts, each column gets the role that the server proposes.
 * Otherwise, each part is filled from the column with the same name.
 */
export const withFile = (draft: Draft, columns: readonly ImportColumn[]): Draft =>
  draft.fields.length + draft.questions.length + draft.properties.length === 0
    ? withColumns(draft, columns)
    : withSources(draft, columns)

/**
 * Returns the draft after the user has changed how the file is read, for example by choosing another sheet. Parts that were
 * filled from the previous columns are replaced with parts for the new columns.
 */
export const withSheet = (draft: Draft, columns: readonly ImportColumn[]): Draft => {
  const own = <P extends Part>(parts: readonly P[]): readonly P[] => parts.filter(({ source }) => source === null)
  const { fields, questions, properties } = draft
  const remaining = { ...draft, fields: own(fields), questions: own(questions), properties: own(properties), externalId: null }
  return withColumns(remaining, columns)
}

/**
 * Returns the draft without the parts whose columns no longer exist. Parts without a column are kept. Questions that the user
 * hasn't changed get the current values of their columns.
 */
const withRemainingColumns = (draft: Draft, before: readonly ImportColumn[], remaining: readonly ImportColumn[]): Draft => {
  const named = (columns: readonly ImportColumn[]) => new Map(columns.map((column) => [column.name, column]))
  const [old, now] = [named(before), named(remaining)]
  const stays = ({ source }: Part): boolean => source === null || now.has(source)
  const { fields, questions, properties, externalId } = draft
  const refreshed = (question: QuestionPart): QuestionPart => {
    const { source, settings } = question
    if (source === null) return question
    const initial = (values: ImportColumn['values'] | undefined) =>
      creationSliceOf(settings).initial({ values: labelsFrom(values), fields })
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
 * Returns the draft after the user has selected another subset or split of the same source. Fields, questions and metadata
 * properties whose columns still exist are kept. New columns are added as proposed.
 */
export const withOtherColumns = (draft: Draft, before: readonly ImportColumn[], columns: readonly ImportColumn[]): Draft => {
  const types = new Map(before.map(({ name, type }) => [name, type]))
  const isKnown = ({ name, type }: ImportColumn): boolean => {
    const old = types.get(name)
    return old === type || (old !== undefined && (old === 'empty' || type === 'empty'))
  }
  const remaining = withRemainingColumns(draft, before, columns.filter(isKnown))
  return withColumns(
    remaining,
    columns.filter((column) => !isKnown(column)),
  )
}

/** Returns the parts without their source columns. */
export const withoutFile = (draft: Draft): Draft => {
  const emptied = <P extends Part>(part: P): P => ({ ...part, source: null })
  return {
    ...draft,
    fields: draft.fields.map(emptied),
    questions: draft.questions.map(({ separator: _, others: __, score: ___, ...part }) => emptied(part)),
    properties: draft.properties.map(emptied),
    externalId: null,
  }
}
