import { StoreError } from '../store.ts'

export const CONNECT_MS = 15_000

/** Node's error codes for untrusted certificates. */
const UNTRUSTED = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF).*)$/

/** Advice for each PostgreSQL error code. */
const NEXT: { readonly [code: string]: string } = {
  '25006': 'Use the URL of the primary server. The URL of a replica belongs in POSTIL_DATABASE_READ_URL',
  '53300':
    'Raise the connection limit (max_connections, ALTER ROLE … CONNECTION LIMIT), or lower POSTIL_DATABASE_POSTGRESQL_POOL_SIZE and _MAX_OVERFLOW on all servers',
  '42501': 'Make the user the owner of the database, or run GRANT CREATE ON SCHEMA public TO the user',
}

const reasonOf = (error: unknown): string => {
  // A host name can have several addresses, as `localhost` does. If none of them responds, the error itself has no message.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  const { code = '', message } = error as Error & { readonly code?: string }
  const next = UNTRUSTED.test(code)
    ? 'Add the certificate of the authority that signed it to the URL: ?sslmode=verify-full&sslrootcert=FILE'
    : NEXT[code]
  return next === undefined ? message : `${message}. ${next}`
}

/** An error that explains to users why the database can't be used. */
export const unusable = (error: unknown): StoreError =>
  error instanceof StoreError ? error : new StoreError(`The PostgreSQL database cannot be used: ${reasonOf(error)}.`)
