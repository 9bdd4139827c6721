import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import type { Agent, RequestInit } from 'undici'
import { isPublicAddress } from './public-address.ts'
import type { Resolve } from './resolve.ts'
import { resolveHost } from './resolve.ts'

/** A request that was not made or got no response. */
export class OutgoingFault extends Error {
  override readonly name = 'OutgoingFault'
  readonly reason: Reason
  /** Whether the same request may succeed later. */
  readonly isPassing: boolean
  /** Whether the requested resource does not exist or is not visible. */
  readonly isMissing: boolean
  /** Whether it is certain that the other server didn't receive the request. */
  readonly isUnsent: boolean
  constructor(reason: Reason, isPassing: boolean, isMissing = false, isUnsent = false) {
    super(renderMessage(reason))
    this.reason = reason
    this.isPassing = isPassing
    this.isMissing = isMissing
    this.isUnsent = isUnsent
  }
}

/** A response that is larger than its reader accepts. */
export class BodyTooLarge extends OutgoingFault {}

export type Guard = {
  /**
   * URLs of services that the operator has configured. Their origins may have private addresses. Redirects to other origins must
   * lead to public addresses.
   */
  readonly trusted: readonly string[]
  /** If true, every address may be private. */
  readonly allowPrivate?: boolean
  /** If false, redirects are treated like any other response. */
  readonly followRedirects?: boolean
  /** How long a connection may be silent before it times out, in milliseconds. */
  readonly timeoutMs: number
  /** For tests: resolves host names. */
  readonly resolve?: Resolve | undefined
}
/** The part of `fetch` that is needed here. */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const notPublic = (host: string, address: string): Reason =>
  host === address ? message('notPublicAddress', { host }) : `${host} resolves to ${address}, which is not a public address`

/**
 * Looks up a host name, and fails if any of its addresses isn't public. The connection uses the returned addresses, so it can't
 * reach an unchecked one.
 */
const checkedLookup =
  (resolve: Resolve | undefined): LookupFunction =>
  (host, options, done) => {
    const answer = (addresses: readonly LookupAddress[]) => {
      const refused = addresses.find(({ address }) => !isPublicAddress(address))
      if (refused !== undefined) return done(new OutgoingFault(notPublic(host, refused.address), false, false, true), '', 0)
      const [first] = addresses
      if (options.all) return done(null, [...addresses])
      return done(first === undefined ? new Error('no address') : null, first?.address ?? '', first?.family ?? 0)
    }
    resolveHost(host, resolve).then(answer, (error: NodeJS.ErrnoException) => done(error, '', 0))
  }

const MESSAGES: { readonly [code: string]: (host: string) => Reason } = {
  ECONNREFUSED: (host) => `${host} refused the connection`,
  ECONNRESET: (host) => `${host} closed the connection`,
  EHOSTUNREACH: (host) => `There is no route to ${host}`,
  ENETUNREACH: (host) => `There is no route to ${host}`,
  ENOTFOUND: (host) => message('hostNoAddress', { host }),
  EAI_AGAIN: (host) => message('hostLookup', { host }),
  UND_ERR_SOCKET: (host) => message('hostClosed', { host }),
  UND_ERR_CONNECT_TIMEOUT: (host) => message('hostNoConnection', { host }),
  UND_ERR_HEADERS_TIMEOUT: (host) => message('hostNoAnswer', { host }),
  UND_ERR_BODY_TIMEOUT: (host) => message('hostStopped', { host }),
}

const UNSENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

type Coded = { readonly code?: string; readonly cause?: unknown; readonly message?: string }

const outgoingFault = (error: unknown, { host }: URL): OutgoingFault => {
  for (let at = error as Coded | undefined; at !== undefined && at !== null; at = at.cause as Coded | undefined) {
    if (at instanceof OutgoingFault) return at
    const { code = '' } = at
    const messageFor = MESSAGES[code]
    if (messageFor !== undefined) return new OutgoingFault(messageFor(host), true, false, UNSENT.has(code))
  }
  const { message: detail = '' } = error as Coded
  return new OutgoingFault(message('hostUnreachable', { host, detail }), true)
}

/** Whether a body can be sent more than once. */
const isRepeatable = (body: RequestInit['body']): boolean =>
  body === undefined || body === null || typeof body === 'string' || body instanceof Blob || body instanceof Uint8Array

/** The request for a redirect's target. */
const redirected = (init: RequestInit, status: number, isElsewhere: boolean): RequestInit => {
  const headers = new Headers(init.headers as ConstructorParameters<typeof Headers>[0])
  if (isElsewhere) for (const name of ['authorization', 'cookie']) headers.delete(name)
  if (status >= 307 || init.method === 'HEAD') return { ...init, headers: [...headers] }
  headers.delete('content-type')
  return { ...init, method: 'GET', body: null, headers: [...headers] }
}

/** Reads a body up to a limit in bytes. @throws OutgoingFault */
export const readBytes = async (response: Response, url: URL, max: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > max) throw new BodyTooLarge(`The response from ${url.host} is larger than ${max} bytes`, false)
      chunks.push(chunk)
    }
  } catch (error) {
    throw outgoingFault(error, url)
  }
  return Buffer.concat(chunks, length)
}

/**
 * Creates a `fetch` for services that the operator chose and for their redirects. A redirect may lead only to a public address
 * or to one of these services, and never from https to http. Credentials are not sent to another origin.
 */
export const createGuardedFetch = async (guard: Guard): Promise<{ fetch: GuardedFetch; close: () => Promise<void> }> => {
  // Loaded on the first request, so that a server that never uses the Hub starts without it.
  const { Agent: UndiciAgent, fetch: send } = await import('undici')
  const origins = new Set(guard.trusted.map((url) => new URL(url).origin))
  const timeouts = { headersTimeout: guard.timeoutMs, bodyTimeout: guard.timeoutMs }
  const connect = { timeout: guard.timeoutMs }
  const trusted: Agent = new UndiciAgent({ ...timeouts, connect })
  const others: Agent = new UndiciAgent({ ...timeouts, connect: { ...connect, lookup: checkedLookup(guard.resolve) } })

  const isTrusted = (url: URL): boolean => guard.allowPrivate === true || origins.has(url.origin)

  const check = (url: URL, from: URL | null): void => {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new OutgoingFault(`${url.protocol} is not a supported protocol for a hub`, false, false, true)
    if (isTrusted(url)) return
    if (from?.protocol === 'https:' && url.protocol === 'http:') {
      throw new OutgoingFault(`${from.host} redirects to an unencrypted address of ${url.host}`, false)
    }
    const host = hostOf(url)
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw new OutgoingFault(notPublic(host, host), false, false, true)
  }

  const hop = async (url: URL, init: RequestInit): Promise<Response> => {
    try {
      const dispatcher = isTrusted(url) ? trusted : others
      // The `Response` of `undici` has the same members as the built-in `Response`.
      return (await send(url, { ...init, redirect: 'manual', dispatcher })) as unknown as Response
    } catch (error) {
      init.signal?.throwIfAborted()
      throw outgoingFault(error, url)
    }
  }

  const fetch: GuardedFetch = async (input, init = {}) => {
    let url = new URL(input)
    let next: RequestInit = { ...init, headers: [...new Headers(init.headers as ConstructorParameters<typeof Headers>[0])] }
    let from: URL | null = null
    for (let hops = 0; ; hops += 1) {
      check(url, from)
      const response = await hop(url, next)
      const location = response.headers.get('location')
      const isRedirect = guard.followRedirects !== false && REDIRECTS.has(response.status)
      if (!isRedirect || location === null || !isRepeatable(next.body)) return response
      await response.body?.cancel()
      if (hops === MAX_REDIRECTS) throw new OutgoingFault(`${url.host} redirects more than ${MAX_REDIRECTS} times`, false)
      from = url
      url = new URL(location, from)
      next = redirected(next, response.status, url.origin !== from.origin)
    }
  }
  return { fetch, close: async () => void (await Promise.all([trusted.destroy(), others.destroy()])) }
}
