import { StoreError } from '../store.ts'

/** How long is waited for a connection. */
export const CONNECT_MS = 15_000

/** What Node says of a certificate that nobody it trusts has signed. */
const UNTRUSTED = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF).*)$/

const reasonOf = (error: unknown): string => {
  // NOTE: where a name has several addresses, as `localhost` has, and none of them answers, the error itself says nothing
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  const { code, message } = error as Error & { readonly code?: string }
  return UNTRUSTED.test(code ?? '')
    ? `its certificate is signed by nobody whom this machine trusts (${code}). Name the certificate of who signed it in the address: ?sslmode=verify-full&sslrootcert=FILE`
    : message
}

/** What keeps a database from being used, for people. */
export const unusable = (error: unknown): StoreError =>
  error instanceof StoreError ? error : new StoreError(`The PostgreSQL database cannot be used: ${reasonOf(error)}.`)
