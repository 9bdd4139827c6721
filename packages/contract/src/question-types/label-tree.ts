/** The maximum number of levels in a tree. */
export const maxTreeDepth = 6

type Node = { readonly value: string; readonly parent?: string | undefined }

/** Whether any label is below another one. */
export const hasTree = (options: readonly Node[]): boolean => options.some(({ parent }) => parent !== undefined)

/**
 * The labels from the top of the tree to each label, including the label itself. Parents that don't exist are left out, and a
 * cycle ends before its first repeated label.
 */
export const labelPaths = (options: readonly Node[]): ReadonlyMap<string, readonly string[]> => {
  const parents = new Map(options.map(({ value, parent }) => [value, parent]))
  const pathOf = (value: string): readonly string[] => {
    const path: string[] = []
    for (let at: string | undefined = value; at !== undefined && parents.has(at) && !path.includes(at); at = parents.get(at))
      path.unshift(at)
    return path
  }
  return new Map(options.map(({ value }) => [value, pathOf(value)]))
}

/** One sentence on why the labels don't form a tree, or null. */
export const treeFault = (options: readonly Node[]): string | null => {
  const parents = new Map(options.map(({ value, parent }) => [value, parent]))
  for (const { value, parent } of options) {
    if (parent === undefined) continue
    if (parent === value) return `The option '${value}' is its own parent`
    if (!parents.has(parent)) return `The parent '${parent}' of the option '${value}' is not the value of an option`
  }
  for (const { value } of options) {
    const path = [value]
    for (let at = parents.get(value); at !== undefined; at = parents.get(at)) {
      if (path.includes(at))
        return `The parents of the options form a cycle: ${[...path, at].map((one) => `'${one}'`).join(', ')}`
      path.push(at)
      if (path.length > maxTreeDepth)
        return `The option '${value}' is more than ${maxTreeDepth} levels deep, counted from the top of the tree`
    }
  }
  return null
}

/** A label at its position in the tree, with its depth. Labels at the top have the depth 0. */
export type TreeNode<O> = { readonly option: O; readonly depth: number }

/**
 * The labels as a tree: each label is followed by the labels below it, in the order of the list. A label whose parent is not in
 * the list is placed below its closest ancestor in the list.
 * @param all all labels of the question, if `options` lacks some labels, such as retired ones
 */
export const treeOrder = <O extends Node>(options: readonly O[], all: readonly Node[] = options): readonly TreeNode<O>[] => {
  const paths = labelPaths(all)
  const listed = new Set(options.map(({ value }) => value))
  const below = Map.groupBy(options, ({ value }) => paths.get(value)?.findLast((one) => one !== value && listed.has(one)) ?? null)
  const nodes: TreeNode<O>[] = []
  const add = (parent: string | null, depth: number): void => {
    for (const option of below.get(parent) ?? []) {
      nodes.push({ option, depth })
      add(option.value, depth + 1)
    }
  }
  add(null, 0)
  return nodes
}
