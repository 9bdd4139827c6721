import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

const pendingLookups = new Map<string, Promise<readonly LookupAddress[]>>()

/**
 * Resolves a name as the operating system does, including its hosts file. Concurrent lookups of the same name share one result.
 * Lookups share a few threads with the rest of the process. If lookups of a name hang, they must occupy only one of these
 * threads.
 */
const lookUp: Resolve = (host) => {
  const known = pendingLookups.get(host)
  if (known !== undefined) return known
  const answer = lookup(host, { all: true }).finally(() => pendingLookups.delete(host))
  pendingLookups.set(host, answer)
  return answer
}

/** The addresses of a URL's host. An IP address resolves to itself. */
export const resolveHost = async (host: string, resolve: Resolve = lookUp): Promise<readonly LookupAddress[]> => {
  const family = isIP(host)
  return family === 0 ? resolve(host) : [{ address: host, family }]
}
