import { parseSync } from 'libpg-query'
import { risingColumnOf } from '../../column-kinds.ts'
import { type TableName, tables } from '../../tables.ts'
import { distributedTables, referenceTables } from '../cluster-tables.ts'
import { findNode, isNode, listOf, type Node, walk } from './syntax.ts'

/* Finds statements that a cluster refuses. Also finds slow statements, and statements whose locks make concurrent commands fail.
   Even a statement that runs on a single node can have such locks. See docs/decisions/0070-locks-on-a-cluster.md. */

const isLarge = (table: string): boolean => distributedTables.has(table)
const isLocal = (table: string): boolean => table in tables && !isLarge(table) && !referenceTables.has(table)

/** Visits every plain object of a syntax tree. */
const visit = (value: unknown, see: (node: Node) => void): void => {
  if (Array.isArray(value)) for (const one of value) visit(one, see)
  else if (isNode(value)) {
    see(value)
    for (const child of Object.values(value)) visit(child, see)
  }
}

/** The tables that a part of a statement names. Names that a `with` clause defines are left out. */
const tablesIn = (part: unknown): ReadonlySet<string> => {
  const [found, named] = [new Set<string>(), new Set<string>()]
  visit(part, (node) => {
    if (typeof node.relname === 'string') found.add(node.relname)
    if (typeof node.ctename === 'string') named.add(node.ctename)
  })
  return found.difference(named)
}

/** The tables whose rows a query locks. */
const lockedBy = (query: Node): ReadonlySet<string> => {
  const clauses = listOf(query.lockingClause).map((clause) => findNode(clause, 'LockingClause'))
  const named = clauses.flatMap((clause) => listOf(clause?.lockedRels).map((table) => findNode(table, 'RangeVar')?.relname))
  if (clauses.length === 0) return new Set()
  const aliases = new Map<string, string>()
  visit(query.fromClause, (node) => {
    if (typeof node.relname === 'string')
      aliases.set(isNode(node.alias) ? String(node.alias.aliasname) : node.relname, node.relname)
  })
  return new Set(named.length === 0 ? aliases.values() : named.map((alias) => aliases.get(String(alias)) ?? String(alias)))
}

/** The table's column whose value increases with each row; null if there is none. */
const risingColumn = (table: string): string | null => (table in tables ? risingColumnOf(table as TableName) : null)

/**
 * Whether an insert takes its rows from a query, and a cluster's coordinator must collect these rows. The coordinator must do so
 * if the query reads no large table, or if it must number the rows.
 */
const isCollected = (insert: Node, table: string): boolean => {
  const select = findNode(insert.selectStmt, 'SelectStmt')
  if (select === null || listOf(select.valuesLists).length > 0) return false
  const columns = listOf(insert.cols).map((column) => findNode(column, 'ResTarget')?.name)
  const rising = risingColumn(table)
  return (rising !== null && !columns.includes(rising)) || !tablesIn(select.fromClause).values().some(isLarge)
}

/** The parts of a statement that make concurrent commands fail on a cluster. */
export const clusterFaults = (sql: string): readonly string[] => {
  const statement = parseSync(sql)
  const faults: string[] = []
  const all = [...tablesIn(statement)]
  const [large, local] = [all.filter(isLarge), all.filter(isLocal)]
  if (large.length > 0 && local.length > 0)
    faults.push(`uses ${large[0]}, which is distributed, together with ${local[0]}, which is only on the coordinator`)
  walk(statement, (kind, node) => {
    if (kind === 'SelectStmt')
      for (const table of lockedBy(node))
        if (referenceTables.has(table)) faults.push(`locks rows of ${table}, of which every node has a copy`)
    const into = kind === 'InsertStmt' && isNode(node.relation) ? String(node.relation.relname) : ''
    if (isLarge(into) && isCollected(node, into))
      faults.push(`inserts rows into ${into} that the coordinator collects, and so commits in two phases`)
    if (kind === 'FuncCall' && all.length > 0 && /"pg_\w*advisory/.test(JSON.stringify(node.funcname)))
      faults.push(`acquires a named lock wherever ${all[0]} is, instead of on the coordinator`)
    return true
  })
  return faults
}
