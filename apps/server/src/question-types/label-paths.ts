import { hasTree, labelPaths } from '@postil/contract/question-types/label-tree.ts'
import type { Option } from '@postil/contract/question-types/options.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { KindNames } from '@postil/contract/wire/kinds.ts'
import { serverQuestionType } from './registry.ts'

/** The labels of a question if they form a tree, otherwise null. */
export const treeOptions = (settings: object): readonly Option[] | null => {
  const { options = [] } = settings as { readonly options?: readonly Option[] }
  return hasTree(options) ? options : null
}

/**
 * Returns a function that converts an answer to the path of its label: the labels from the top of the tree to this label. An
 * answer with several labels becomes a list of paths. Null if the labels form no tree, or if the question's answers contain more
 * than labels.
 */
export const labelPathOf = (settings: KindNames): ((value: JsonValue) => JsonValue) | null => {
  const options = treeOptions(settings)
  const { column } = serverQuestionType(settings)
  if (options === null || (column !== 'text' && column !== 'texts')) return null
  const paths = labelPaths(options)
  const pathOf = (label: JsonValue): JsonValue => (label === null ? null : [...(paths.get(String(label)) ?? [String(label)])])
  return column === 'text' ? pathOf : (value) => (Array.isArray(value) ? value.map((label) => pathOf(label as JsonValue)) : null)
}
