import { tables } from '../../tables.ts'
import { columnOf, constantOf, equalityOf, findNode, isNode, listOf, type Node, partsOf, type Value, walk } from './syntax.ts'

/** The column of a large table that holds a row's dataset. */
export const KEY = 'dataset_no'

/** A column of one table in one query. An `Edge` means that a column equals another column or a value. */
type Column = { readonly scope: Scope; readonly alias: string; readonly column: string }
type Edge = { readonly from: Column; readonly to: Column | Value }
const isColumn = (one: Column | Value): one is Column => 'scope' in one
const isSame = (a: Column, b: Column): boolean => a.scope === b.scope && a.alias === b.alias && a.column === b.column

type Columns = { readonly [table: string]: { readonly [column: string]: unknown } | undefined }
const hasColumn = (table: string, column: string): boolean =>
  column in ((tables as Columns)[table] ?? (table === 'record_text' ? { [KEY]: 0 } : {}))

/** The tables of one query, and the columns and values that the query requires to be equal. */
export class Scope {
  readonly parent: Scope | null
  /** Tables, keyed by alias. The value is null for a source that is not a table. */
  readonly sources = new Map<string, string | null>()
  readonly #edges: Edge[] = []
  readonly #named: ReadonlySet<string>

  /** @param named names that `with` defines */
  constructor(query: Node, parent: Scope | null, named: ReadonlySet<string>) {
    this.parent = parent
    this.#named = named
    if (isNode(query.relation)) this.#take({ RangeVar: query.relation })
    for (const from of [...listOf(query.fromClause), ...listOf(query.usingClause)]) this.#take(from)
    this.#equate(query.whereClause, null)
  }

  /** Adds a `from` item. @returns its aliases */
  #take(from: unknown): readonly string[] {
    const table = findNode(from, 'RangeVar')
    if (table) {
      const name = String(table.relname)
      const alias = isNode(table.alias) ? String(table.alias.aliasname) : name
      this.sources.set(alias, this.#named.has(name) ? null : name)
      return [alias]
    }
    const join = findNode(from, 'JoinExpr')
    if (join) return this.#join(join)
    const other = findNode(from, 'RangeSubselect') ?? findNode(from, 'RangeFunction')
    const alias = isNode(other?.alias) ? String(other.alias.aliasname) : ''
    this.sources.set(alias, null)
    return [alias]
  }

  #join(join: Node): readonly string[] {
    const [left, right] = [this.#take(join.larg), this.#take(join.rarg)]
    // The condition of an outer join doesn't restrict rows that are kept without a match.
    const loose = { JOIN_INNER: null, JOIN_LEFT: right, JOIN_RIGHT: left }[String(join.jointype)]
    const aliases = loose === undefined ? [] : loose
    this.#equate(join.quals, aliases)
    for (const using of listOf(join.usingClause)) {
      const column = String(findNode(using, 'String')?.sval)
      const has = (alias: string) => hasColumn(this.sources.get(alias) ?? '', column)
      for (const one of left.filter(has))
        for (const other of right.filter(has)) this.#link(this.#at(one, column), this.#at(other, column), aliases)
    }
    return [...left, ...right]
  }

  #at(alias: string, column: string): Column {
    return { scope: this, alias, column }
  }

  /** @param only the aliases that the condition restricts; null for all */
  #link(a: Column | Value | null, b: Column | Value | null, only: readonly string[] | null): void {
    if (a === null || b === null) return
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      if (isColumn(from) && (only === null || (from.scope === this && only.includes(from.alias)))) this.#edges.push({ from, to })
    }
  }

  #equate(condition: unknown, only: readonly string[] | null): void {
    for (const part of partsOf(condition)) {
      walk([part], (kind, node) => {
        const sides = equalityOf(kind, node)
        if (sides) this.#link(this.#sideOf(sides[0]), this.#sideOf(sides[1]), only)
        return false
      })
    }
  }

  #sideOf(node: unknown): Column | Value | null {
    const names = columnOf(node)
    return names === null ? constantOf(node) : this.#resolve(names)
  }

  #resolve(names: readonly string[]): Column | null {
    const column = names.at(-1) ?? ''
    const alias = names.length > 1 ? names[0] : this.#aliasWith(column)
    if (alias !== undefined && this.sources.has(alias)) return this.#at(alias, column)
    return this.parent === null ? null : this.parent.#resolve(names)
  }

  /**
   * Returns the first table that has this column. A statement may name a column without its table. Then only one table has the
   * column, or the tables are joined on it, so that the first one is as good as the others.
   */
  #aliasWith(column: string): string | undefined {
    return [...this.sources].find(([, table]) => table !== null && hasColumn(table, column))?.[0]
  }

  /** The values that a column of this query must equal. */
  valuesOf(names: readonly string[]): readonly Value[] {
    const column = this.#resolve(names)
    return column === null ? [] : this.#reach(column, this.#edges).values
  }

  #reach(start: Column, edges: readonly Edge[]): { readonly columns: readonly Column[]; readonly values: readonly Value[] } {
    const columns = [start]
    const values: Value[] = []
    for (const at of columns) {
      for (const { from, to } of edges) {
        if (!isSame(from, at)) continue
        if (!isColumn(to)) values.push(to)
        else if (!columns.some((known) => isSame(known, to))) columns.push(to)
      }
    }
    return { columns, values }
  }

  /**
   * Returns the values that a source's dataset must equal according to the conditions of this query. Conditions of enclosing
   * queries are ignored: a planner passes their values to a subquery only row by row, during execution.
   */
  datasetOf(alias: string): readonly Value[] {
    return this.#reach(this.#at(alias, KEY), this.#edges).values
  }

  /**
   * Returns the tables of this query and its enclosing queries for which the conditions require the same dataset as for the given
   * source.
   */
  besides(alias: string): readonly { readonly scope: Scope; readonly alias: string; readonly table: string }[] {
    const edges: Edge[] = []
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) edges.push(...scope.#edges)
    return this.#reach(this.#at(alias, KEY), edges).columns.flatMap((at) => {
      const table = at.scope.sources.get(at.alias)
      return at.column === KEY && typeof table === 'string' ? [{ scope: at.scope, alias: at.alias, table }] : []
    })
  }

  /** Whether a part of this query refers to an enclosing query. */
  isCorrelated(query: Node): boolean {
    let found = false
    walk(query, (kind, node) => {
      const column = kind === 'ColumnRef' ? this.#resolve(columnOf({ [kind]: node }) ?? []) : null
      found ||= column !== null && column.scope !== this
      return true
    })
    return found
  }
}
