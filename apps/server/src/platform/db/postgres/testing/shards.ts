import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadModule, parseSync } from 'libpg-query'

/*
 * Whether a statement stays on one node of a cluster that has each dataset on one of its nodes: it names the dataset of every
 * large table that it touches. Statements are read by PostgreSQL's own parser.
 */

type Node = { readonly [name: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The tables that `deploy/citus.sql` distributes. */
export const distributed: ReadonlySet<string> = new Set(
  [
    ...readFileSync(join(import.meta.dirname, '../../../../../../../deploy/citus.sql'), 'utf8').matchAll(
      /create_distributed_table\('(\w+)', 'dataset_no'/g,
    ),
  ].map(([, name]) => name as string),
)
const KEY = 'dataset_no'

await loadModule()

type Table = { readonly name: string; readonly alias: string }

const tableOf = (node: Node): Table => {
  const name = String(node.relname)
  const alias = isNode(node.alias) ? String(node.alias.aliasname) : name
  return { name, alias }
}

/** Every node below, without those inside of other queries. */
const walk = (value: unknown, visit: (kind: string, node: Node) => boolean): void => {
  if (Array.isArray(value)) for (const one of value) walk(one, visit)
  else if (isNode(value)) {
    for (const [kind, child] of Object.entries(value)) {
      if (isNode(child) && /^[A-Z]/.test(kind) && !visit(kind, child)) continue
      walk(child, visit)
    }
  }
}

/** Large tables that one query reads or writes by itself. */
const tablesIn = (query: Node): readonly Table[] => {
  const found: Table[] = []
  walk([query.fromClause, query.usingClause], (kind, node) => {
    if (kind === 'RangeVar') found.push(tableOf(node))
    return kind !== 'SelectStmt'
  })
  if (isNode(query.relation)) found.push(tableOf(query.relation))
  return found.filter(({ name }) => distributed.has(name))
}

const columnOf = (node: unknown): readonly string[] | null => {
  if (!isNode(node) || !isNode(node.ColumnRef)) return null
  const fields = node.ColumnRef.fields as readonly { readonly String?: { readonly sval: string } }[]
  return fields.map(({ String: text }) => text?.sval ?? '*')
}

type Bound = { readonly alias: string | null; readonly by: unknown }

/** What `dataset_no` is said to equal, with the table's name where it is said. */
const boundIn = (query: Node): readonly Bound[] => {
  const found: Bound[] = []
  walk([query.fromClause, query.usingClause, query.whereClause], (kind, node) => {
    if (kind === 'A_Expr') {
      for (const [side, other] of [
        [node.lexpr, node.rexpr],
        [node.rexpr, node.lexpr],
      ]) {
        const column = columnOf(side)
        if (column?.at(-1) === KEY) found.push({ alias: column.length > 1 ? (column[0] ?? null) : null, by: other })
      }
    }
    if (kind === 'JoinExpr' && JSON.stringify(node.usingClause ?? []).includes(`"${KEY}"`)) found.push({ alias: null, by: null })
    return kind !== 'SelectStmt'
  })
  return found
}

const parameterOf = (value: unknown): number | null => {
  if (!isNode(value)) return null
  if (isNode(value.ParamRef)) return Number(value.ParamRef.number)
  return isNode(value.TypeCast) ? parameterOf(value.TypeCast.arg) : null
}

export type Look = {
  /** What keeps the statement from staying on one node. */
  readonly faults: readonly string[]
  /** Which of its parameters are numbers of datasets whose rows it changes; lists of them too. */
  readonly changes: readonly number[]
}

const insertLook = (insert: Node): { readonly fault: string | null; readonly numbers: readonly number[] } => {
  const { name } = tableOf(insert.relation as Node)
  if (!distributed.has(name)) return { fault: null, numbers: [] }
  const columns = (insert.cols as readonly { readonly ResTarget: { readonly name: string } }[]).map((one) => one.ResTarget.name)
  const at = columns.indexOf(KEY)
  if (at < 0) return { fault: `inserts into ${name} without ${KEY}`, numbers: [] }
  const select = (insert.selectStmt as { readonly SelectStmt?: Node } | undefined)?.SelectStmt
  const rows = (select?.valuesLists ?? []) as readonly { readonly List: { readonly items: readonly unknown[] } }[]
  const numbers = rows.map((row) => parameterOf(row.List.items[at]))
  const target = (select?.targetList as readonly { readonly ResTarget: { readonly val: unknown } }[] | undefined)?.[at]
  if (target !== undefined && rows.length === 0 && columnOf(target.ResTarget.val) === null)
    numbers.push(parameterOf(target.ResTarget.val))
  else {
    // NOTE: rows by an array for each column, in the order of the columns
    walk(rows.length === 0 ? select?.fromClause : [], (kind, node) => {
      if (kind === 'FuncCall' && JSON.stringify(node.funcname).includes('unnest'))
        numbers.push(parameterOf((node.args as readonly unknown[])[at]))
      return kind !== 'SelectStmt'
    })
  }
  return { fault: null, numbers: numbers.filter((n) => n !== null) }
}

/** Looks at one statement as it is sent. */
export const lookAt = (sql: string): Look => {
  const faults: string[] = []
  const changes: number[] = []
  const query = (kind: string, node: Node): void => {
    const tables = tablesIn(node)
    const bounds = boundIn(node)
    for (const { name, alias } of tables) {
      // NOTE: a column without its table's name can only be of the one table of its query
      const isBound = bounds.some(
        (bound) => bound.alias === alias || (bound.alias === null && tables.length === 1) || bound.by === null,
      )
      if (!isBound) faults.push(`touches ${name} without saying which ${KEY}`)
    }
    if (kind !== 'SelectStmt' && tables.length > 0)
      changes.push(...bounds.map(({ by }) => parameterOf(by)).filter((n) => n !== null))
  }
  walk(parseSync(sql), (kind, node) => {
    if (kind === 'SelectStmt' || kind === 'UpdateStmt' || kind === 'DeleteStmt') query(kind, node)
    if (kind === 'InsertStmt') {
      const { fault, numbers } = insertLook(node)
      if (fault) faults.push(fault)
      changes.push(...numbers)
    }
    return true
  })
  return { faults, changes: [...new Set(changes)] }
}
