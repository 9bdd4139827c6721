import { labelPaths, type TreeNode, treeOrder } from '@postil/contract/question-types/label-tree.ts'
import type { Option } from '@postil/contract/question-types/options.ts'
import { closestFirst } from '#lib/text/match-name.ts'
import { type NumberedOption, searchFrom } from '../options/option-list.ts'

/** A label as a row of a tree. */
export type TreeRow = {
  readonly option: NumberedOption
  /** 0 for labels at the top, and for search results. */
  readonly depth: number
  /** Whether the label has other labels below it. */
  readonly isBranch: boolean
  /** The names of the labels from the top to this one. */
  readonly path: string
}

const nameOf = ({ text, value }: Option): string => text || value

/** Returns all rows of a tree. @param all every option of the question, including options that are not offered */
export const treeRows = (options: readonly NumberedOption[], all: readonly Option[]): readonly TreeRow[] => {
  const names = new Map(all.map((option) => [option.value, nameOf(option)]))
  const paths = labelPaths(all)
  const nodes: readonly TreeNode<NumberedOption>[] = treeOrder(options, all)
  return nodes.map(({ option, depth }, index) => ({
    option,
    depth,
    isBranch: (nodes[index + 1]?.depth ?? 0) > depth,
    path: (paths.get(option.value) ?? []).map((value) => names.get(value) ?? value).join(' › ') || nameOf(option),
  }))
}

/** Returns the branches that are open initially: in a small tree all branches, otherwise none. */
export const initiallyOpen = (rows: readonly TreeRow[]): ReadonlySet<string> =>
  new Set(rows.length < searchFrom ? rows.flatMap(({ option, isBranch }) => (isBranch ? [option.value] : [])) : [])

/** Returns the rows that aren't inside a closed branch. Also returns picked rows inside closed branches. */
export const openRows = (
  rows: readonly TreeRow[],
  open: ReadonlySet<string>,
  isPicked: (value: string) => boolean,
): readonly TreeRow[] => {
  let foldedAt = Number.POSITIVE_INFINITY
  return rows.filter(({ option: { value }, depth, isBranch }) => {
    if (depth > foldedAt) return isPicked(value)
    foldedAt = isBranch && !open.has(value) ? depth : Number.POSITIVE_INFINITY
    return true
  })
}

/**
 * Returns the labels that match a search. Labels whose own name matches come first, sorted by how closely they match. Then come
 * labels that match only with the names of the labels above them, such as "animals cat".
 */
export const foundRows = (rows: readonly TreeRow[], query: string): readonly TreeRow[] => {
  const byName = closestFirst(rows, ({ option }) => nameOf(option), query)
  const known = new Set(byName)
  const byPath = closestFirst(rows, ({ path }) => path, query).filter((row) => !known.has(row))
  return [...byName, ...byPath].map((row) => ({ ...row, depth: 0, isBranch: false }))
}

/** Returns the index of a row's parent, or -1. */
export const parentIndex = (rows: readonly TreeRow[], index: number): number => {
  const depth = rows[index]?.depth ?? 0
  return rows.findLastIndex((row, at) => at < index && row.depth < depth)
}
