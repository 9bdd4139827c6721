/* A node of `libpg-query`'s syntax tree: an object whose capitalized keys name a kind of node. */

export type Node = { readonly [name: string]: unknown }
export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** Returns the content of a node of the given kind. */
export const findNode = (value: unknown, kind: string): Node | null =>
  isNode(value) && isNode(value[kind]) ? (value[kind] as Node) : null

/** Visits every node below this one. Skips a node's content if `visit` returns false. */
export const walk = (value: unknown, visit: (kind: string, node: Node) => boolean): void => {
  if (Array.isArray(value)) for (const one of value) walk(one, visit)
  else if (isNode(value)) {
    for (const [kind, child] of Object.entries(value)) {
      if (isNode(child) && /^[A-Z]/.test(kind) && !visit(kind, child)) continue
      walk(child, visit)
    }
  }
}

/** The parts of a column reference: the table, if it is named, and the column. Null for anything else. */
export const columnOf = (node: unknown): readonly string[] | null => {
  const column = findNode(node, 'ColumnRef')
  return column && listOf(column.fields).map((field) => String(findNode(field, 'String')?.sval ?? '*'))
}

export const parameterOf = (value: unknown): number | null => {
  const parameter = findNode(value, 'ParamRef')
  if (parameter) return Number(parameter.number)
  const cast = findNode(value, 'TypeCast')
  return cast && parameterOf(cast.arg)
}

/**
 * A number, or a list of numbers, that is the same for all rows. `parameters` are the positions of the parameters that contain
 * it, for example 2 for `$2`. `constants` are constants as they are written in the statement.
 */
export type Value = { readonly parameters: readonly number[]; readonly constants: readonly string[] }

export const constantOf = (node: unknown): Value | null => {
  const parameter = parameterOf(node)
  if (parameter !== null) return { parameters: [parameter], constants: [] }
  const constant = findNode(node, 'A_Const')
  if (constant)
    return {
      parameters: [],
      constants: [String((isNode(constant.ival) ? constant.ival.ival : undefined) ?? JSON.stringify(constant))],
    }
  const list = findNode(node, 'List')
  if (!list) return null
  const values = listOf(list.items).map(constantOf)
  const known = values.filter((value) => value !== null)
  if (known.length < values.length) return null
  return { parameters: known.flatMap((one) => one.parameters), constants: known.flatMap((one) => one.constants) }
}

const EQUAL = JSON.stringify([{ String: { sval: '=' } }])
/** The kinds of comparison: with one value, a list of values, or any value of an array. */
const KINDS = ['AEXPR_OP', 'AEXPR_IN', 'AEXPR_OP_ANY']

/** The two sides of `a = b`, `a in (b, c)` and `a = any(b)`; null for any other comparison. */
export const equalityOf = (kind: string, node: Node): readonly [unknown, unknown] | null =>
  kind === 'A_Expr' && KINDS.includes(String(node.kind)) && JSON.stringify(node.name) === EQUAL ? [node.lexpr, node.rexpr] : null

/** The parts of a condition that must all be true. */
export const partsOf = (condition: unknown): readonly unknown[] => {
  const both = findNode(condition, 'BoolExpr')
  if (both?.boolop === 'AND_EXPR') return listOf(both.args).flatMap(partsOf)
  return condition === undefined || condition === null ? [] : [condition]
}
