/** A file name without folders and extension. Default external IDs begin with it. */
export const stemOf = (name: string): string => {
  const base = name.replace(/^.*[/\\]/, '')
  return base.replace(/\.[a-z0-9]+$/i, '') || base || 'file'
}

/** Creates IDs for a file's rows that have none. @param name the base name for these rows, see `findFreeName` */
export const idsFrom =
  (name: string): ((row: number) => string) =>
  (row) =>
    `${name}_${row}`
