import { type ColumnProposal, type ImportColumn, maxColumnValues } from '@postil/contract/files/imports.ts'
import { labelsInCell } from '@postil/contract/files/labels-in-cell.ts'
import { haveDecimalCommas } from '../rows/cast.ts'
import type { SourceRow } from './layout.ts'
import { isTechnical } from './technical-names.ts'

const MAX_LABEL_LENGTH = 50
/**
 * Maximum number of distinct labels if commas separate them. Lower than for other separators, because text also contains commas.
 */
const MAX_COMMA_LABELS = 20

/** The proposal for a column whose cells have several labels, or for a column that represents one of several labels. */
export const severalLabels: ColumnProposal = { role: 'suggestion', type: 'multi_label_selection' }

/** Separators between several labels in a cell, the most certain one first. */
const LABEL_SEPARATORS = ['|', ';', ','] as const
/** A column is read as lists of labels only if at least this fraction of its cells contain the separator. */
const MIN_SEVERAL = 0.1

/**
 * The separator of cells with several labels. The labels must be short and recur. At least half of them must occur in more than
 * one distinct cell: `New York, NY` is one label if neither of its parts occurs in another cell.
 */
export const separatorOf = (texts: readonly string[]): string | null => {
  const found = LABEL_SEPARATORS.find((separator) => {
    const several = texts.filter((text) => text.includes(separator))
    if (several.length < 2 || several.length < texts.length * MIN_SEVERAL) return false
    const cells = [...new Set(texts)].map((text) => labelsInCell(text, separator))
    const labels = cells.flat()
    const distinct = new Set(labels)
    const areShort = labels.every(({ length }) => length <= MAX_LABEL_LENGTH)
    const isList = distinct.size <= (separator === ',' ? MAX_COMMA_LABELS : maxColumnValues) && texts.length >= distinct.size
    if (!areShort || !isList || distinct.size < 2) return false
    const shared = [...distinct].filter((label) => cells.filter((cell) => cell.includes(label)).length > 1)
    return shared.length * 2 >= distinct.size
  })
  return found ?? null
}

/**
 * Columns that contain only 0 and 1, or true and false, become the labels of one question if there are at least this many of
 * them.
 */
const MIN_ONE_HOT = 3

/** Whether a column contains only 0 and 1, or only true and false. Such a column can say whether a row has a label. */
const isOneHot = ({ name, type, values, complete }: ImportColumn): boolean =>
  complete &&
  (type === 'integer' || type === 'boolean') &&
  !isTechnical(name) &&
  values !== null &&
  values.length > 0 &&
  values.every((text) => /^([01]|true|false)$/i.test(text))

/** Combines columns of 0 and 1 into one multi-label question. */
export const withGroups = (columns: readonly ImportColumn[]): readonly ImportColumn[] => {
  const found = columns.filter(isOneHot)
  // A column that is always 0 is also a label, but only if another column has both values
  if (found.length < MIN_ONE_HOT || !found.some(({ values }) => (values?.length ?? 0) > 1)) return columns
  const names = new Set(columns.map(({ name }) => name))
  const group = ['labels', 'label_names', 'categories'].find((name) => !names.has(name)) ?? 'labels_of_columns'
  return columns.map((column) => (found.includes(column) ? { ...column, proposal: severalLabels, group } : column))
}

const SCORE_NAME = /score|confidence|prob|certainty|konfidenz|wahrscheinlichkeit|confianza|probabilidad/i

/**
 * Connects a column of scores to the column of suggested labels, if there is exactly one of each. Scores are numbers from 0 to 1.
 */
export const withScores = (columns: readonly ImportColumn[]): readonly ImportColumn[] => {
  const [label, ...others] = columns.filter(
    ({ type, proposal, separator }) => type === 'text' && proposal?.role === 'suggestion' && separator === undefined,
  )
  const [score, ...more] = columns.filter(
    ({ name, type, samples }) =>
      type === 'float' && SCORE_NAME.test(name) && samples.every((text) => Number(text) >= 0 && Number(text) <= 1),
  )
  if (label === undefined || score === undefined || others.length + more.length > 0) return columns
  return columns.map((column) => (column === score ? { ...column, proposal: null, score_of: label.name } : column))
}

/** Returns the text columns whose values are all numbers with decimal commas. Empty cells are ignored. */
export const decimalCommaColumns = (rows: readonly SourceRow[]): readonly string[] => {
  const values = new Map<string, unknown[]>()
  for (const row of rows) {
    if ('fault' in row) continue
    for (const [name, value] of row.values)
      if (value !== null && value !== '') values.set(name, [...(values.get(name) ?? []), value])
  }
  return [...values].flatMap(([name, found]) => (haveDecimalCommas(found) ? [name] : []))
}
