/** A file's name without folders and its ending: what default external ids begin with. */
export const stemOf = (name: string): string => {
  const base = name.replace(/^.*[/\\]/, '')
  return base.replace(/\.[a-z0-9]+$/i, '') || base || 'file'
}

/** Ids for the rows of a file that have none of their own. @param name what its rows are called, see `freeName` */
export const idsFrom =
  (name: string): ((row: number) => string) =>
  (row) =>
    `${name}_${row}`
