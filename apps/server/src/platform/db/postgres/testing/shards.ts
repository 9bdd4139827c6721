import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadModule, parseSync } from 'libpg-query'
import { KEY, Scope } from './scope.ts'
import { columnOf, inside, isNode, listOf, type Node, parameterOf, type Value, walk } from './syntax.ts'

/*
 * Whether a statement stays on one node of a cluster that has each dataset on one of its nodes: what it says of every large table
 * that it touches makes its dataset equal to a parameter or a constant, for every row. Statements are read by PostgreSQL's own parser.
 */

/** The tables that `deploy/citus.sql` distributes. */
export const distributed: ReadonlySet<string> = new Set(
  [
    ...readFileSync(join(import.meta.dirname, '../../../../../../../deploy/citus.sql'), 'utf8').matchAll(
      /create_distributed_table\('(\w+)', 'dataset_no'/g,
    ),
  ].map(([, name]) => name as string),
)

await loadModule()

export type Look = {
  /** What a cluster refuses, or cannot do on one node. */
  readonly faults: readonly string[]
  /** What is read of every dataset: a cluster asks all of its nodes and puts their answers together. */
  readonly everywhere: readonly string[]
  /** What the datasets of large tables are said to equal. */
  readonly datasets: Value
  /** Which of its parameters are numbers of datasets whose rows it changes; lists of them too. */
  readonly changes: readonly number[]
}

type Found = { faults: string[]; everywhere: string[]; datasets: Value[]; changes: number[] }

/** Looks at one query by itself. @param held whether rows of it or of a query around it are locked */
const lookAtQuery = (kind: string, query: Node, scope: Scope, held: boolean, found: Found): void => {
  const large = [...scope.sources].flatMap(([alias, name]) => (name !== null && distributed.has(name) ? [{ alias, name }] : []))
  const open = large.filter(({ alias }) => scope.datasetOf(alias).length === 0)
  const values = large.flatMap(({ alias }) => scope.datasetOf(alias))
  found.datasets.push(...values)
  if (kind !== 'SelectStmt' && large.length > 0) found.changes.push(...values.flatMap(({ parameters }) => parameters))
  for (const { alias, name } of open) {
    const beside = scope.besides(alias).filter(({ table }) => distributed.has(table))
    const what = `touches ${name} without saying which ${KEY}`
    const isWithAll = large.every((one) => beside.some((other) => other.scope === scope && other.alias === one.alias))
    const isWithOuter = beside.some((other) => other.scope !== scope)
    const isAlone = scope.parent === null || !scope.isCorrelated(query)
    if (kind !== 'SelectStmt' || held) found.faults.push(`${what}, and changes or locks rows`)
    else if (!isWithAll) found.faults.push(`${what}, and joins what may be on other nodes`)
    else if (!isAlone && !isWithOuter) found.faults.push(`${what}, for each row of what is on no node or on another`)
    else found.everywhere.push(what)
  }
}

const lookInside = (kind: string, query: Node, parent: Scope | null, names: ReadonlySet<string>, held: boolean, found: Found) => {
  const named = new Set(names)
  for (const one of listOf(isNode(query.withClause) ? query.withClause.ctes : [])) {
    const name = inside(one, 'CommonTableExpr')?.ctename
    if (typeof name === 'string') named.add(name)
  }
  const isHeld = held || listOf(query.lockingClause).length > 0
  const scope = kind === 'InsertStmt' ? parent : new Scope(query, parent, named)
  if (kind === 'InsertStmt') lookAtInsert(query, named, found)
  else if (scope !== null) lookAtQuery(kind, query, scope, isHeld, found)
  for (const side of [query.larg, query.rarg]) if (isNode(side)) lookInside('SelectStmt', side, parent, named, isHeld, found)
  const { larg: _left, rarg: _right, ...rest } = query
  lookBelow(rest, scope, named, isHeld, found)
}

/** Looks at the queries that are inside of something. */
const lookBelow = (value: unknown, scope: Scope | null, named: ReadonlySet<string>, held: boolean, found: Found): void => {
  walk(value, (kind, node) => {
    if (!['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt'].includes(kind)) return true
    lookInside(kind, node, scope, named, held, found)
    return false
  })
}

/** Of rows that come as an array for each column, the parameter with that column's; the arrays are in the order of the columns. */
const arrayAt = (from: unknown, at: number): number | null => {
  let found: number | null = null
  walk(from, (kind, node) => {
    if (kind === 'FuncCall' && JSON.stringify(node.funcname).includes('"unnest"')) found ??= parameterOf(listOf(node.args)[at])
    return kind !== 'SelectStmt'
  })
  return found
}

/** The parameters with the datasets of what an insert chooses; null where it does not say them. */
const chosenAt = (select: Node, at: number, named: ReadonlySet<string>): readonly number[] | null => {
  const rows = listOf(select.valuesLists).map((row) => parameterOf(listOf(inside(row, 'List')?.items)[at]))
  if (rows.length > 0) return rows.every((number) => number !== null) ? rows : null
  const chosen = inside(listOf(select.targetList)[at], 'ResTarget')?.val
  const column = columnOf(chosen)
  const values = column === null ? [] : new Scope(select, null, named).valuesOf(column)
  if (values.length > 0) return values.flatMap(({ parameters }) => parameters)
  const number = parameterOf(chosen) ?? arrayAt(select.fromClause, at)
  return number === null ? null : [number]
}

const lookAtInsert = (insert: Node, named: ReadonlySet<string>, found: Found): void => {
  const name = String((insert.relation as Node).relname)
  if (!distributed.has(name)) return
  const at = listOf(insert.cols).findIndex((column) => inside(column, 'ResTarget')?.name === KEY)
  const select = inside(insert.selectStmt, 'SelectStmt')
  const numbers = at < 0 || select === null ? null : chosenAt(select, at, named)
  if (numbers === null) found.faults.push(`inserts into ${name} without saying which ${KEY}`)
  else found.changes.push(...numbers)
}

const eachOnce = <T>(some: readonly T[]): T[] => [...new Set(some)]

/** Looks at one statement as it is sent. */
export const lookAt = (sql: string): Look => {
  const found: Found = { faults: [], everywhere: [], datasets: [], changes: [] }
  lookBelow(parseSync(sql), null, new Set(), false, found)
  return {
    faults: found.faults,
    everywhere: found.everywhere,
    datasets: {
      parameters: eachOnce(found.datasets.flatMap(({ parameters }) => parameters)),
      constants: eachOnce(found.datasets.flatMap(({ constants }) => constants)),
    },
    changes: eachOnce(found.changes),
  }
}
