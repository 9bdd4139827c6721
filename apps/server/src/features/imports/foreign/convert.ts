import type { ForeignFormat } from '@postil/contract/files/foreign-formats.ts'
import type { AnnotatorMapping } from '@postil/contract/files/imports.ts'
import type { SourceRow } from '../inspect/layout.ts'
import { annotatorChoice, answersIn, commentsIn, lateReason, questionsIn, suggestedIn } from './annotations.ts'
import type { Foreign, ForeignColumn, Item, PartKind, Suggested } from './define.ts'
import { readerOf } from './registry.ts'

/** The kinds of parts, in the order of their columns. */
const parts = ['id', 'fields', 'data', 'questions', 'other', 'metadata'] as const satisfies readonly PartKind[]

const plainParts = ['id', 'fields', 'data', 'other', 'metadata'] as const

/**
 * If two parts of different kinds have the same name, the prefix is added to the column of the later part. For example, if a
 * field and a metadata property are both named `source`, the property's column is `metadata.source`. Downloads use the same
 * prefixes.
 */
const prefixes: { readonly [P in PartKind]: string } = {
  id: 'record.',
  fields: 'field.',
  data: 'field.',
  questions: 'question.',
  other: 'other.',
  metadata: 'metadata.',
}

const namesIn = (item: Item, part: PartKind): readonly string[] => {
  if (part === 'id') return item.id === undefined ? [] : ['id']
  return (part === 'questions' ? questionsIn(item) : (item[part] ?? [])).map(([name]) => name)
}

/** Collects the names of the parts of rows. */
export const columnCollector = () => {
  const names = new Map<PartKind, Set<string>>(parts.map((part) => [part, new Set()]))
  const marked = new Set<string>()
  return {
    take: (item: Item): void => {
      for (const part of parts) for (const name of namesIn(item, part)) names.get(part)?.add(name)
      for (const [, { field }] of questionsIn(item)) if (field !== undefined) marked.add(field)
    },
    /** The columns for the rows. Fields that contain spans come first, because a new span question uses the first text field. */
    columns: (): readonly ForeignColumn[] => {
      const taken = new Set<string>()
      return [...names].flatMap(([part, found]) =>
        [...found]
          .toSorted((a, b) => Number(marked.has(b)) - Number(marked.has(a)))
          .map((name) => {
            let column = name
            while (taken.has(column)) column = `${prefixes[part]}${column}`
            taken.add(column)
            return { part, name, column }
          }),
      )
    },
  }
}

/** Reads a row as parts of a record. */
export const itemOf = (source: SourceRow, as: ForeignFormat): Item | null => {
  if ('fault' in source) return null
  const item = readerOf(as).read(source.values)
  return 'fault' in item ? null : item
}

/** The parts of a row that aren't questions. */
const partsIn = (item: Item) => {
  const { fields, data, other, metadata } = item
  const plain = { id: [['id', item.id]] as const, fields, data, other, metadata }
  return plainParts.flatMap((part) => (plain[part] ?? []).map(([name, value]) => ({ part, name, value })))
}

/**
 * Returns a function that converts the rows of a foreign file, so that their values match the columns.
 * @param annotators how annotations are imported. Annotations by people who aren't listed are imported as suggestions
 */
export const converter = (
  { as, columns }: Foreign,
  annotators: readonly AnnotatorMapping[] = [],
): ((source: SourceRow) => SourceRow) => {
  const reader = readerOf(as)
  const keyOf = (part: PartKind, name: string) => `${part} ${name}`
  const byPart = new Map(columns.map(({ part, name, column }) => [keyOf(part, name), column]))
  const chosenFor = annotatorChoice(annotators)
  return (source) => {
    if ('fault' in source) return source
    const { row, line } = source
    const item = reader.read(source.values)
    if ('fault' in item) return { row, line, fault: item.fault }
    const values = new Map<string, unknown>()
    const later: string[] = []
    const put = (part: PartKind, name: string, value: unknown): string | undefined => {
      const column = byPart.get(keyOf(part, name))
      if (column !== undefined) values.set(column, value)
      return column
    }
    const named = partsIn(item)
    for (const { part, name, value } of named) {
      if (value === undefined) continue
      if (put(part, name, value) === undefined && value !== null) later.push(name)
    }
    const found = suggestedIn(item, chosenFor)
    if ('fault' in found) return { row, line, fault: found.fault }
    const suggested = new Map<string, Suggested>()
    for (const [name, one] of found.questions) {
      const column = put('questions', name, one.value)
      if (column === undefined) return { row, line, fault: lateReason(name) }
      suggested.set(column, one)
    }
    const answered = answersIn(item, chosenFor, (name) => byPart.get(keyOf('questions', name)))
    const remarks = commentsIn(item.comments, chosenFor)
    const annotated = { ...answered, remarks, sharesRecord: item.sharesRecord === true, details: suggested }
    return { row, line, values, converted: { item, later }, annotated }
  }
}
