import { ESCAPE_MARK } from '@postil/contract/files/csv-cell.ts'

/** Adjacent columns of a table, and the prefix that identifies their source. */
type ColumnGroup = { readonly prefix: string; readonly names: readonly string[] }

/** The prefix of the columns that describe a record. */
export const RECORD_PREFIX = 'record.'

/**
 * The prefix of field columns. Field names are arbitrary, so if a field has the name of another column, the field's column is
 * renamed.
 */
export const FIELD_PREFIX = 'field.'

/**
 * Returns distinct names. A name that an earlier group already uses gets its own group's prefix, repeatedly if necessary. All
 * other names stay unchanged. Fields are treated as the last group.
 */
export const uniqueNames = (groups: readonly ColumnGroup[]): readonly string[] => {
  const taken = new Set<string>()
  const named = new Map<ColumnGroup, readonly string[]>()
  const isField = ({ prefix }: ColumnGroup): boolean => prefix === FIELD_PREFIX
  for (const group of [...groups.filter((one) => !isField(one)), ...groups.filter(isField)]) {
    const before = new Set(taken)
    // `ESCAPE_MARK` is the name of a column that tells imports that formulas are escaped. No other column can have this name.
    if (group.prefix !== RECORD_PREFIX) before.add(ESCAPE_MARK)
    for (const name of group.names) if (!before.has(name)) taken.add(name)
    const names = group.names.map((name) => {
      if (!before.has(name)) return name
      let free = name
      while (taken.has(free) || free === ESCAPE_MARK) free = `${group.prefix}${free}`
      taken.add(free)
      return free
    })
    named.set(group, names)
  }
  return groups.flatMap((group) => named.get(group) ?? [])
}
