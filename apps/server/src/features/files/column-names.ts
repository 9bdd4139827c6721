/** Columns that stand beside each other in a table, and the word that tells where they are from. */
export type ColumnGroup = { readonly word: string; readonly names: readonly string[] }

/** The word of fields, whose names are anybody's: they make way for all other columns. */
export const FIELD_WORD = 'field.'

/**
 * Names of which no two are the same. One that a column has already has the word of its group before it, as often as it needs; all
 * others stay what they are. The first groups keep their names, fields come last.
 */
export const distinctNames = (groups: readonly ColumnGroup[]): readonly string[] => {
  const taken = new Set<string>()
  const named = new Map<ColumnGroup, readonly string[]>()
  const isField = ({ word }: ColumnGroup): boolean => word === FIELD_WORD
  for (const group of [...groups.filter((one) => !isField(one)), ...groups.filter(isField)]) {
    const before = new Set(taken)
    for (const name of group.names) if (!before.has(name)) taken.add(name)
    const names = group.names.map((name) => {
      if (!before.has(name)) return name
      let free = name
      while (taken.has(free)) free = `${group.word}${free}`
      taken.add(free)
      return free
    })
    named.set(group, names)
  }
  return groups.flatMap((group) => named.get(group) ?? [])
}
