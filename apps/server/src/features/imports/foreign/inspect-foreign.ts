import {
  type ForeignContents,
  type ForeignFormat,
  type LeftOutReason,
  maxAnnotators,
} from '@postil/contract/files/foreign-formats.ts'
import type { ColumnProposal, ImportColumn } from '@postil/contract/files/imports.ts'
import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { defaultLimits } from '@postil/contract/wire/limits.ts'
import type { Layout, Source, SourceRow } from '../inspect/layout.ts'
import { readBatch } from '../reading/batch.ts'
import type { Position } from '../reading/pieces.ts'
import { questionsIn } from './annotations.ts'
import { addContribution, type Contributions, printContributions } from './contributions.ts'
import { columnCollector, itemOf } from './convert.ts'
import type { FieldKind, ForeignColumn, Item, PartKind, Suggested } from './define.ts'

/** Time limit for reading rows after the first ones, in milliseconds. The uploader waits for the result. */
const MAX_READ_MS = 2_000
const MAX_LABELS = defaultLimits.labelOptions

type FoundQuestion = { kind: QuestionKind; readonly labels: Set<string> }
/** What the rows of a foreign file contain. Questions are keyed by name. */
export type Found = {
  readonly columns: readonly ForeignColumn[]
  readonly contents: ForeignContents
  readonly questions: ReadonlyMap<string, FoundQuestion>
}

/**
 * Returns the kind of a question whose values are of the kinds `a` and `b`:
 * - If one of them is text, the kind is text.
 * - For ratings and labels, the kind is label.
 * - For all other combinations, the kind is multi-label.
 */
const merged = (a: QuestionKind, b: QuestionKind): QuestionKind => {
  if (a === b) return a
  const kinds = [a, b]
  if (kinds.includes('text')) return 'text'
  return kinds.includes('rating') && kinds.includes('label_selection') ? 'label_selection' : 'multi_label_selection'
}

/** The parts of a row that are imported only if annotations are imported as answers of users. */
const unmappedIn = ({ comments = [], annotations = [] }: Item): readonly { part: string; reason: LeftOutReason }[] => [
  ...(comments.length > 0 ? [{ part: 'comments', reason: 'unmapped' as const }] : []),
  ...(annotations.some(({ times }) => times !== undefined) ? [{ part: 'annotations: times', reason: 'unmapped' as const }] : []),
]

const collector = () => {
  const columns = columnCollector()
  const questions = new Map<string, FoundQuestion>()
  const annotators = new Map<string, Contributions>()
  const leftOut = new Map<string, { part: string; reason: LeftOutReason; rows: number }>()
  let rows = 0
  const takeQuestion = (name: string, { kind, labels }: Suggested): void => {
    const known = questions.get(name) ?? { kind, labels: new Set() }
    known.kind = merged(known.kind, kind)
    for (const label of labels) if (known.labels.size <= MAX_LABELS) known.labels.add(label)
    questions.set(name, known)
  }
  return {
    take: (item: Item | null): void => {
      rows += 1
      if (item === null) return
      columns.take(item)
      for (const [name, suggested] of questionsIn(item)) takeQuestion(name, suggested)
      for (const { annotator } of item.annotations ?? []) addContribution(annotators, annotator, 'annotations')
      for (const { author } of item.comments ?? []) addContribution(annotators, author, 'comments')
      const parts = new Map([...(item.leftOut ?? []), ...unmappedIn(item)].map((one) => [`${one.reason} ${one.part}`, one]))
      for (const [key, one] of parts) leftOut.set(key, { ...one, rows: (leftOut.get(key)?.rows ?? 0) + 1 })
    },
    end: (whole: boolean): Found => ({
      columns: columns.columns(),
      contents: {
        rows,
        whole,
        annotators: [...annotators].filter(([name, { annotations }]) => name !== '' && annotations > 0).length,
        annotations: printContributions(annotators).slice(0, maxAnnotators),
        left_out: [...leftOut.values()],
      },
      questions,
    }),
  }
}

/**
 * Reads rows until the time limit. Collects the columns that the rows need, the annotators, and the questions with their labels.
 * @param plain the layout for reading the rows without conversion
 */
export const scanForeign = async (
  source: Source,
  plain: Layout,
  { rows, next }: { readonly rows: readonly SourceRow[]; readonly next: Position | null },
  as: ForeignFormat,
): Promise<Found> => {
  const { take, end } = collector()
  for (const row of rows) take(itemOf(row, as))
  const until = performance.now() + MAX_READ_MS
  let from = next
  let isReadable = true
  while (from !== null && performance.now() < until) {
    const batch = await readBatch(source, plain, { from })
    for (const row of batch.rows) take(itemOf(row, as))
    from = batch.next
    isReadable = batch.fault === null
  }
  return end(from === null && isReadable)
}

const propose = (role: ColumnProposal['role'], type: string | null): ColumnProposal => ({ role, type })

const metadataOf = ({ type }: ImportColumn): ColumnProposal | null => {
  if (type === 'object' || type === 'empty' || type === 'mixed') return null
  return propose('metadata', type === 'integer' || type === 'float' ? type : 'terms')
}

/**
 * Returns the proposal for a column of an item's `data`, which becomes a field, metadata or nothing. A column that was proposed
 * as a field stays a field, unless all rows have the same value. Other columns with a proposal become metadata if their type
 * allows it.
 */
const dataOf = (column: ImportColumn, rows: number): ColumnProposal | null => {
  const { proposal, values, complete } = column
  const isConstant = rows > 1 && complete && values?.length === 1
  return proposal === null || (proposal.role === 'field' && !isConstant) ? proposal : metadataOf(column)
}

const isUnique = (values: readonly unknown[]): boolean => new Set(values.map(String)).size === values.length

/** Whether rows with the same ID have the same content, so that they can be parts of one record. */
const haveSameContent = (items: readonly Item[]): boolean => {
  const shared = items.filter(({ id, sharesRecord }) => id !== undefined && sharesRecord === true)
  const byId = Map.groupBy(shared, ({ id }) => String(id))
  return (
    shared.length === items.length &&
    [...byId.values()].every((list) => new Set(list.map(({ fields, data }) => JSON.stringify([fields, data]))).size === 1)
  )
}

/** Returns a question's column with a proposed use. The labels of the question become the values of the column. */
const questionOf = (column: ImportColumn, { kind, labels }: FoundQuestion): ImportColumn => {
  // A question needs at least two labels
  if (/_selection$/.test(kind) && labels.size < 2) return { ...column, proposal: propose('metadata', 'terms') }
  const values = kind === 'text' || labels.size > MAX_LABELS ? null : [...labels]
  return { ...column, values, proposal: propose('suggestion', kind) }
}

/** The proposals for the columns of a foreign file. */
export const proposeForeign = (
  columns: readonly ImportColumn[],
  rows: readonly SourceRow[],
  found: Found,
): readonly ImportColumn[] => {
  const places = new Map(found.columns.map((one) => [one.column, one]))
  const read = rows.flatMap((row) => ('values' in row ? [row] : []))
  const parts = read.flatMap(({ converted }) => converted?.item.fields ?? [])
  // A chat field also accepts plain text
  const kindOf = (name: string): FieldKind =>
    (['trace', 'chat'] as const).find((wanted) => parts.some(([field, , kind]) => field === name && kind === wanted)) ?? 'text'
  const hasId = found.columns.some(({ part }) => part === 'id')
  const items = read.flatMap(({ converted }) => converted?.item ?? [])
  const isTechnicalId = items.some(({ hasTechnicalId }) => hasTechnicalId === true)
  const idOf = (column: ImportColumn): ColumnProposal | null => {
    const ids = read.flatMap(({ values }) => (values.has(column.name) ? [values.get(column.name)] : []))
    const isId = isUnique(ids) || haveSameContent(items)
    return isId ? propose('external_id', null) : metadataOf(column)
  }
  const byPart: { readonly [P in PartKind]: (column: ImportColumn, name: string) => ImportColumn } = {
    id: (column) => ({ ...column, proposal: idOf(column) }),
    fields: (column, name) => ({ ...column, proposal: propose('field', kindOf(name)) }),
    data: (column) => ({ ...column, proposal: dataOf(column, read.length) }),
    questions: (column, name) => questionOf(column, found.questions.get(name) ?? { kind: 'text', labels: new Set() }),
    other: (column) => (hasId && column.proposal?.role === 'external_id' ? { ...column, proposal: metadataOf(column) } : column),
    metadata: (column) => ({ ...column, proposal: metadataOf(column) }),
  }
  const proposed = columns.map((column) => {
    const place = places.get(column.name)
    return place === undefined ? column : byPart[place.part](column, place.name)
  })
  const isShown = ({ name, proposal }: ImportColumn): boolean =>
    !isTechnicalId || places.get(name)?.part !== 'id' || proposal?.role === 'external_id'
  const shown = proposed.filter(isShown)
  if (shown.some(({ proposal }) => proposal?.role === 'field')) return shown
  // Every record needs a field. If no column was proposed as a field, the first text column becomes one. It was proposed as
  // metadata because its values repeat.
  const text = shown.find(({ name, type }) => type === 'text' && places.get(name)?.part === 'data')
  return shown.map((column) => (column === text ? { ...column, proposal: propose('field', 'text') } : column))
}
