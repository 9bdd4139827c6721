const FULL = '53100'

/** Missing resources by PostgreSQL error code. A transaction that reports one has changed nothing. */
const causes: { readonly [code: string]: string } = {
  '25006': 'The database can only be read at the moment',
  '53000': 'The database lacks what it needs for this',
  [FULL]: 'The disk of the database is full',
  '53200': 'The database has run out of memory over this',
  '53300': 'The database takes no more connections, by its own limit or that of its user',
  '58030': 'The disk of the database refuses to be read or written',
}

/** A sentence about the database's missing resource, and whether it is disk space; null for any other error. */
export const resourceFaultOf = (error: unknown): { readonly sentence: string; readonly isFull: boolean } | null => {
  const { code } = error as { readonly code?: unknown }
  const sentence = typeof code === 'string' ? causes[code] : undefined
  return sentence === undefined ? null : { sentence, isFull: code === FULL }
}
