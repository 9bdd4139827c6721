import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#platform/config/read-config.ts'

type Served = Pick<Config, 'host' | 'publicUrl' | 'allowedHosts' | 'space'>

export type HostRefusal = { readonly status: 400 | 421; readonly detail: string }

const TWO_HOSTS = 'The request has more than one Host header'
/** Matches a host as browsers write it: a name or an address, with an optional port. */
const FORM = /^(\[[\da-f:.]+\]|[^\s:/\\?#@[\]]+)(?::\d{1,5})?$/i

/**
 * The name in a `Host` header, in lowercase, without its port and the trailing dot. Null if the header doesn't contain a valid
 * host.
 */
const nameIn = (header: string): string | null => {
  const name = FORM.exec(header)?.[1]?.toLowerCase()
  return name === undefined ? null : name.replace(/\.$/, '')
}

const namesOf = ({ host, publicUrl, allowedHosts, space }: Served): ReadonlySet<string> => {
  const subdomain = space?.space_subdomain
  const known = [
    ...allowedHosts,
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
    ...(space?.space_host === undefined ? [] : [space.space_host]),
    ...(subdomain === undefined ? [] : [`${subdomain}.hf.space`]),
    host,
    hostname(),
  ]
  return new Set(known.map((name) => nameIn(name) ?? name.toLowerCase()))
}

/**
 * Whether no other site can control the name. True for `localhost` and for IP addresses. If a page is opened by IP address, its
 * origin is that address. DNS records therefore can't point the page at another server.
 */
const isSafe = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) !== 0

const countHosts = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length

const unlisted = (header: string): string => {
  const name = nameIn(header)
  if (name === null) return 'The Host header of the request is not a host name'
  return `This server does not accept requests for the host name ${name}. If people open Postil under this name, set POSTIL_PUBLIC_URL to its address, or add ${name} to POSTIL_ALLOWED_HOSTS, and restart the server`
}

/**
 * Returns a function that checks the host of a request. The check protects against DNS rebinding: another site can point its own
 * domain name at this server, so that a visitor's browser treats the site and this server as one origin. Names must be listed. IP
 * addresses and `localhost` are always accepted. Requests without a host are accepted too, because they don't come from browsers.
 */
export const hostCheck = (served: Served): ((request: Pick<FastifyRequest, 'raw' | 'host'>) => HostRefusal | null) => {
  const listed = namesOf(served)
  const isListed = (header: string): boolean => {
    const name = nameIn(header)
    return name !== null && (listed.has(name) || isSafe(name))
  }
  return ({ raw, host }) => {
    if (countHosts(raw) > 1) return { status: 400, detail: TWO_HOSTS }
    if (listed.has('*')) return null
    // A page can set X-Forwarded-Host, so the header that browsers set is checked too.
    const wrong = [raw.headers.host ?? '', host].find((header) => header !== '' && !isListed(header))
    return wrong === undefined ? null : { status: 421, detail: unlisted(wrong) }
  }
}

/**
 * The origin of the server's own URLs: the configured public origin or, if there is none, the host that the request names. Empty
 * if the request names no host.
 */
export const originOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, request: FastifyRequest): string => {
  if (publicUrl !== undefined || request.host === '') return publicUrl ?? ''
  // X-Forwarded-Proto is used even without a trusted proxy: at worst, a client gets an https URL for itself.
  const protocol = request.headers['x-forwarded-proto'] === 'https' ? 'https' : request.protocol
  return `${protocol}://${request.host}`
}
