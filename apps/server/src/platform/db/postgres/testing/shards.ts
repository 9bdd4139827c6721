import { loadModule, parseSync } from 'libpg-query'
import { distributedTables as distributed } from '../cluster-tables.ts'
import { clusterFaults } from './cluster.ts'
import { KEY, Scope } from './scope.ts'
import { columnOf, findNode, isNode, listOf, type Node, parameterOf, type Value, walk } from './syntax.ts'

/* Checks whether a statement stays on one node of a cluster that stores each dataset on one node. In each large table, the
   statement's conditions must restrict the dataset to the value of a parameter or constant. PostgreSQL's own parser parses the
   statements. */

await loadModule()

export type ShardAnalysis = {
  /**
   * Descriptions of the statement's faults. A part of the statement is a fault in these cases:
   *
   * - A cluster would refuse it.
   * - A cluster couldn't run it on one node.
   * - A cluster couldn't run it for several people at the same time.
   */
  readonly faults: readonly string[]
  /** Descriptions of reads across all datasets. For such a read, a cluster queries all nodes and merges the results. */
  readonly allShards: readonly string[]
  /** The parameters and constants with which the statement's conditions compare the dataset numbers of large tables. */
  readonly datasets: Value
  /** Positions of the parameters that contain the numbers of changed datasets. A parameter may also hold a list of numbers. */
  readonly changes: readonly number[]
}

type Found = { faults: string[]; allShards: string[]; datasets: Value[]; changes: number[] }

/** Checks one query without its subqueries. @param held whether the query or an enclosing one locks rows */
const analyzeQuery = (kind: string, query: Node, scope: Scope, held: boolean, found: Found): void => {
  const large = [...scope.sources].flatMap(([alias, name]) => (name !== null && distributed.has(name) ? [{ alias, name }] : []))
  const open = large.filter(({ alias }) => scope.datasetOf(alias).length === 0)
  const values = large.flatMap(({ alias }) => scope.datasetOf(alias))
  found.datasets.push(...values)
  if (kind !== 'SelectStmt' && large.length > 0) found.changes.push(...values.flatMap(({ parameters }) => parameters))
  for (const { alias, name } of open) {
    const joined = scope.besides(alias).filter(({ table }) => distributed.has(table))
    const what = `touches ${name} without saying which ${KEY}`
    const isWithAll = large.every((one) => joined.some((other) => other.scope === scope && other.alias === one.alias))
    const isWithOuter = joined.some((other) => other.scope !== scope)
    const isAlone = scope.parent === null || !scope.isCorrelated(query)
    if (kind !== 'SelectStmt' || held) found.faults.push(`${what}, and changes or locks rows`)
    else if (!isWithAll) found.faults.push(`${what}, and joins what may be on other nodes`)
    else if (!isAlone && !isWithOuter) found.faults.push(`${what}, for each row of what is on no node or on another`)
    else found.allShards.push(what)
  }
}

const analyzeNode = (
  kind: string,
  query: Node,
  parent: Scope | null,
  names: ReadonlySet<string>,
  held: boolean,
  found: Found,
) => {
  const named = new Set(names)
  for (const one of listOf(isNode(query.withClause) ? query.withClause.ctes : [])) {
    const name = findNode(one, 'CommonTableExpr')?.ctename
    if (typeof name === 'string') named.add(name)
  }
  const isHeld = held || listOf(query.lockingClause).length > 0
  const scope = kind === 'InsertStmt' ? parent : new Scope(query, parent, named)
  if (kind === 'InsertStmt') analyzeInsert(query, named, found)
  else if (scope !== null) analyzeQuery(kind, query, scope, isHeld, found)
  for (const side of [query.larg, query.rarg]) if (isNode(side)) analyzeNode('SelectStmt', side, parent, named, isHeld, found)
  const { larg: _left, rarg: _right, ...rest } = query
  analyzeSubqueries(rest, scope, named, isHeld, found)
}

/** Checks all queries nested in a value. */
const analyzeSubqueries = (
  value: unknown,
  scope: Scope | null,
  named: ReadonlySet<string>,
  held: boolean,
  found: Found,
): void => {
  walk(value, (kind, node) => {
    if (!['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt'].includes(kind)) return true
    analyzeNode(kind, node, scope, named, held, found)
    return false
  })
}

/**
 * An insert can pass its rows as one array per column (`unnest`), in column order. Returns the number of the parameter that
 * contains the given column's array.
 */
const arrayAt = (from: unknown, at: number): number | null => {
  let found: number | null = null
  walk(from, (kind, node) => {
    if (kind === 'FuncCall' && JSON.stringify(node.funcname).includes('"unnest"')) found ??= parameterOf(listOf(node.args)[at])
    return kind !== 'SelectStmt'
  })
  return found
}

/** The parameters that contain the dataset numbers of the inserted rows; null if they can't be determined. */
const chosenAt = (select: Node, at: number, named: ReadonlySet<string>): readonly number[] | null => {
  const rows = listOf(select.valuesLists).map((row) => parameterOf(listOf(findNode(row, 'List')?.items)[at]))
  if (rows.length > 0) return rows.every((number) => number !== null) ? rows : null
  const chosen = findNode(listOf(select.targetList)[at], 'ResTarget')?.val
  const column = columnOf(chosen)
  const values = column === null ? [] : new Scope(select, null, named).valuesOf(column)
  if (values.length > 0) return values.flatMap(({ parameters }) => parameters)
  const number = parameterOf(chosen) ?? arrayAt(select.fromClause, at)
  return number === null ? null : [number]
}

const analyzeInsert = (insert: Node, named: ReadonlySet<string>, found: Found): void => {
  const name = String((insert.relation as Node).relname)
  if (!distributed.has(name)) return
  const at = listOf(insert.cols).findIndex((column) => findNode(column, 'ResTarget')?.name === KEY)
  const select = findNode(insert.selectStmt, 'SelectStmt')
  const numbers = at < 0 || select === null ? null : chosenAt(select, at, named)
  if (numbers === null) found.faults.push(`inserts into ${name} without saying which ${KEY}`)
  else found.changes.push(...numbers)
}

const eachOnce = <T>(some: readonly T[]): T[] => [...new Set(some)]

/** Checks one statement in the form in which it is sent. */
export const analyzeShards = (sql: string): ShardAnalysis => {
  const found: Found = { faults: [], allShards: [], datasets: [], changes: [] }
  analyzeSubqueries(parseSync(sql), null, new Set(), false, found)
  return {
    faults: [...found.faults, ...clusterFaults(sql)],
    allShards: found.allShards,
    datasets: {
      parameters: eachOnce(found.datasets.flatMap(({ parameters }) => parameters)),
      constants: eachOnce(found.datasets.flatMap(({ constants }) => constants)),
    },
    changes: eachOnce(found.changes),
  }
}
