const FULL = '53100'

/** Missing resources by PostgreSQL error code. A transaction that reports one of these has changed nothing. */
const causes: { readonly [code: string]: string } = {
  '25006': 'The database is read-only at the moment',
  '53000': 'The database has insufficient resources',
  [FULL]: 'The disk of the database is full',
  '53200': 'The database ran out of memory',
  '53300': 'The database has reached the connection limit of the server or of its user',
  '58030': 'The disk of the database reported an I/O error',
}

/** Returns a sentence about the resource that the database lacks, and whether it is disk space; null for any other error. */
export const resourceFaultOf = (error: unknown): { readonly sentence: string; readonly isFull: boolean } | null => {
  const { code } = error as { readonly code?: unknown }
  const sentence = typeof code === 'string' ? causes[code] : undefined
  return sentence === undefined ? null : { sentence, isFull: code === FULL }
}
