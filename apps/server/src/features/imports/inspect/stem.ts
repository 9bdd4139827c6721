/** A file name without folders and extension. Default external IDs begin with it. */
export const stemOf = (name: string): string => {
  const base = name.replace(/^.*[/\\]/, '')
  return base.replace(/\.[a-z0-9]+$/i, '') || base || 'file'
}

/** Creates IDs for the rows of a file that have none. @param name the name for its rows, see `findFreeName` */
export const idsFrom =
  (name: string): ((row: number) => string) =>
  (row) =>
    `${name}_${row}`
