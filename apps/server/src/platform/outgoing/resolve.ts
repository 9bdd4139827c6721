import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

const asked = new Map<string, Promise<readonly LookupAddress[]>>()

/**
 * The addresses of a name as the machine knows it, its hosts file included. Who asks while the same name is looked up gets the same
 * answer: look-ups share a few threads with all else that the process does, and a name that hangs takes only one of them.
 */
const lookUp: Resolve = (host) => {
  const known = asked.get(host)
  if (known !== undefined) return known
  const answer = lookup(host, { all: true }).finally(() => asked.delete(host))
  asked.set(host, answer)
  return answer
}

/** The addresses that a host of a URL stands for; of an address the address itself. */
export const resolveHost = async (host: string, resolve: Resolve = lookUp): Promise<readonly LookupAddress[]> => {
  const family = isIP(host)
  return family === 0 ? resolve(host) : [{ address: host, family }]
}
