import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import type { LabelChangeInput, LabelsSnapshot } from '@postil/contract/schema-versions.ts'
import { questionSlice } from '#question-types/registry.ts'
import { labelFaults } from '#question-types/shared/labels/labels-text.ts'

/**
 * What happens to a label: it stays, it is no longer offered, it is split into several labels, or it is merged into another label
 * (`into:` and that label's key, which is empty until a label is chosen).
 */
export type LabelFate = 'keep' | 'retire' | 'split' | `into:${string}`

/** A label in the form. */
export type LabelRow = {
  /** The label's value before the changes, or a generated key if the label is new. */
  readonly key: string
  readonly isNew: boolean
  readonly text: string
  readonly fate: LabelFate
  /** The names of the labels into which the label is split, separated by commas. */
  readonly parts: string
  /** The key of a new label's parent in the tree of labels. Empty if the new label is at the top. */
  readonly parent: string
}

/**
 * Returns the labels of a question, or null if it has no labels that can be changed. Leaves out labels that are being replaced.
 */
export const labelsOf = (settings: QuestionSettings): LabelsSnapshot | null => {
  if (questionSlice(settings).rules.replaceLabels === undefined) return null
  const { options, retired, replaced } = settings as QuestionSettings & LabelsSnapshot
  const gone = new Set(replaced?.map(({ from }) => from))
  return {
    options: options.filter(({ value }) => !gone.has(value)),
    ...(retired !== undefined && { retired: retired.filter((value) => !gone.has(value)) }),
  }
}

const nameOf = ({ value, text }: { readonly value: string; readonly text: string }): string => text || value

export const rowsOf = ({ options, retired = [] }: LabelsSnapshot): readonly LabelRow[] =>
  options.map((option) => ({
    key: option.value,
    isNew: false,
    text: nameOf(option),
    fate: retired.includes(option.value) ? 'retire' : 'keep',
    parts: '',
    parent: '',
  }))

export const newRow = (text: string): LabelRow => ({
  key: `new ${crypto.randomUUID()}`,
  isNew: true,
  text,
  fate: 'keep',
  parts: '',
  parent: '',
})

/**
 * Returns the labels that can become the parent of a new label: existing labels that are kept, and new labels that are listed
 * earlier.
 */
export const parentsFor = (rows: readonly LabelRow[], { key }: LabelRow): readonly LabelRow[] => {
  const at = rows.findIndex((row) => row.key === key)
  return rows.filter((row, i) => row.fate === 'keep' && row.text.trim() !== '' && (!row.isNew || i < at))
}

/** Returns the labels into which a label can be merged. */
export const targetsOf = (rows: readonly LabelRow[], { key }: LabelRow): readonly LabelRow[] =>
  rows.filter((row) => row.key !== key && row.fate === 'keep' && row.text.trim() !== '')

/** Whether the label is merged into another one. */
export const isMerged = ({ fate }: LabelRow): boolean => fate.startsWith('into:')

/** The names of the labels into which a label is split. */
const partsOf = ({ fate, parts }: LabelRow): readonly string[] =>
  fate === 'split' ? [...new Set(parts.split(',').map((name) => name.trim()))].filter((name) => name !== '') : []

/** Whether the row is new and has no name. Such rows are left out. */
const isEmpty = ({ isNew, text }: LabelRow): boolean => isNew && text.trim() === ''

/** Finds the rows that repeat the name of an earlier row. @returns the repeated names, keyed by row */
export const repeatedNames = (rows: readonly LabelRow[]): ReadonlyMap<string, string> =>
  labelFaults(rows.filter((row) => !isMerged(row)))

/**
 * Whether the form can be reviewed: labels have unique names, merged labels have targets, and split labels have at least two
 * parts.
 */
export const isComplete = (rows: readonly LabelRow[]): boolean =>
  repeatedNames(rows).size === 0 &&
  rows.every(
    (row) =>
      isEmpty(row) || (row.text.trim() !== '' && row.fate !== 'into:' && (row.fate !== 'split' || partsOf(row).length > 1)),
  )

/**
 * Returns the change that merges, retires or restores a label, or null if there is none.
 * @param valueAfter returns the value of a row after renames
 */
const fateChange = (
  question_id: string,
  { key, isNew, fate }: LabelRow,
  { retired = [] }: LabelsSnapshot,
  valueAfter: (key: string) => string,
): LabelChangeInput | null => {
  const label = valueAfter(key)
  if (fate.startsWith('into:'))
    return { type: 'merge_labels', question_id, labels: [label], into: valueAfter(fate.slice('into:'.length)) }
  if (isNew || fate === 'split' || (fate === 'retire') === retired.includes(key)) return null
  return { type: fate === 'retire' ? 'retire_label' : 'restore_label', question_id, label }
}

/**
 * Returns the changes that turn the stored labels into the labels in the rows: renames, new labels, merges, splits, and retired
 * and restored labels. If the order changed, the last change sets the order. A new name is also the label's new value.
 */
export const changesOf = (
  question_id: string,
  stored: LabelsSnapshot,
  given: readonly LabelRow[],
): readonly LabelChangeInput[] => {
  const rows = given.filter((row) => !isEmpty(row))
  const names = new Map(stored.options.map((option) => [option.value, nameOf(option)]))
  const isRenamed = (row: LabelRow) => !row.isNew && !isMerged(row) && row.text.trim() !== names.get(row.key)
  const values = new Map(rows.map((row) => [row.key, row.isNew || isRenamed(row) ? row.text.trim() : row.key]))
  const valueAfter = (key: string): string => values.get(key) ?? key
  const nameAfter = ({ text }: LabelRow) => ({ value: text.trim(), text: text.trim() })
  const renames = rows
    .filter(isRenamed)
    .map((row): LabelChangeInput => ({ type: 'rename_label', question_id, label: row.key, ...nameAfter(row) }))
  const added = rows
    .filter(({ isNew }) => isNew)
    .map((row): LabelChangeInput => {
      // The parent may have been retired, or its row may now come after the row of the new label. Such a parent is left out.
      const above = parentsFor(rows, row).find(({ key }) => key === row.parent)
      return {
        type: 'add_label',
        question_id,
        ...nameAfter(row),
        ...(above !== undefined && { parent: valueAfter(above.key) }),
      }
    })
  const fates = rows.flatMap((row) => fateChange(question_id, row, stored, valueAfter) ?? [])
  const merges = fates.filter(({ type }) => type === 'merge_labels')
  const others = fates.filter(({ type }) => type !== 'merge_labels')
  /** Returns the label for a part of a split label. If an existing label has the name of the part, uses that label. */
  const partOf = (name: string): { readonly value: string; readonly text: string } => {
    const row = rows.find((one) => one.fate === 'keep' && one.text.trim() === name)
    return { value: row === undefined ? name : valueAfter(row.key), text: name }
  }
  const splits = rows
    .filter(({ fate }) => fate === 'split')
    .map(
      (row): LabelChangeInput => ({
        type: 'split_label',
        question_id,
        label: valueAfter(row.key),
        into: partsOf(row).map(partOf),
      }),
    )
  const offered = rows.filter(({ fate }) => fate === 'keep')
  const natural = offered.toSorted((a, b) => placeIn(stored, a) - placeIn(stored, b))
  const isReordered = offered.some((row, i) => row !== natural[i])
  // In the new order, the parts of a split label are at the label's position.
  const ordered = rows.flatMap((row) =>
    row.fate === 'keep' ? [valueAfter(row.key)] : partsOf(row).map((name) => partOf(name).value),
  )
  const order: LabelChangeInput = { type: 'reorder', question_id, labels: [...new Set(ordered)] }
  return [...renames, ...added, ...merges, ...splits, ...others, ...(isReordered ? [order] : [])]
}

/** Returns the position that a label has if the order isn't changed. New labels are at the end, in the order of their rows. */
const placeIn = ({ options }: LabelsSnapshot, { key, isNew }: LabelRow): number =>
  isNew ? options.length : options.findIndex(({ value }) => value === key)
