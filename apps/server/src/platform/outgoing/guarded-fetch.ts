import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, RequestInit } from 'undici'
import { isPublicAddress } from './public-address.ts'
import type { Resolve } from './resolve.ts'
import { resolveHost } from './resolve.ts'

/** A request that was not made, or whose answer did not come: one sentence for people. */
export class OutgoingFault extends Error {
  override readonly name = 'OutgoingFault'
  /** The same request could do better later. */
  readonly isPassing: boolean
  /** What was asked for is not there, or not shown. */
  readonly isMissing: boolean
  constructor(message: string, isPassing: boolean, isMissing = false) {
    super(message)
    this.isPassing = isPassing
    this.isMissing = isMissing
  }
}

export type Guard = {
  /** Addresses of services that the operator has configured: they may be private, and what they redirect to may not. */
  readonly trusted: readonly string[]
  /** Milliseconds without a byte after which it counts as silent. */
  readonly timeoutMs: number
  /** Tests: how names become addresses. */
  readonly resolve?: Resolve | undefined
}
/** Speaks like `fetch`, as far as it is asked here. */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const notPublic = (host: string, address: string): string =>
  host === address ? `${host} is not a public address` : `${host} is ${address}, which is not a public address`

/** Judges everything that a name stands for, and connects to just these addresses. */
const judgedLookup =
  (resolve: Resolve | undefined): LookupFunction =>
  (host, options, done) => {
    const answer = (addresses: readonly LookupAddress[]) => {
      const refused = addresses.find(({ address }) => !isPublicAddress(address))
      if (refused !== undefined) return done(new OutgoingFault(notPublic(host, refused.address), false), '', 0)
      const [first] = addresses
      if (options.all) return done(null, [...addresses])
      return done(first === undefined ? new Error('no address') : null, first?.address ?? '', first?.family ?? 0)
    }
    resolveHost(host, resolve).then(answer, (error: NodeJS.ErrnoException) => done(error, '', 0))
  }

const SENTENCES: { readonly [code: string]: (host: string) => string } = {
  ECONNREFUSED: (host) => `Nothing listens at ${host}`,
  ECONNRESET: (host) => `${host} closed the connection`,
  EHOSTUNREACH: (host) => `There is no way to ${host}`,
  ENETUNREACH: (host) => `There is no way to ${host}`,
  ENOTFOUND: (host) => `The name ${host} has no address`,
  EAI_AGAIN: (host) => `The name ${host} could not be looked up`,
  UND_ERR_SOCKET: (host) => `${host} closed the connection before its answer was whole`,
  UND_ERR_CONNECT_TIMEOUT: (host) => `${host} did not accept the connection in time`,
  UND_ERR_HEADERS_TIMEOUT: (host) => `${host} did not answer in time`,
  UND_ERR_BODY_TIMEOUT: (host) => `${host} stopped in the middle of its answer`,
}

type Coded = { readonly code?: string; readonly cause?: unknown; readonly message?: string }

/** What went wrong on the way, as a sentence. @param error as `fetch` or the reading of a body throws it */
export const outgoingFault = (error: unknown, { host }: URL): OutgoingFault => {
  for (let at = error as Coded | undefined; at !== undefined && at !== null; at = at.cause as Coded | undefined) {
    if (at instanceof OutgoingFault) return at
    const sentence = SENTENCES[at.code ?? '']
    if (sentence !== undefined) return new OutgoingFault(sentence(host), true)
  }
  const { message } = error as Coded
  return new OutgoingFault(`${host} could not be reached: ${message}`, true)
}

/** A body that can be sent a second time. */
const isRepeatable = (body: RequestInit['body']): boolean =>
  body === undefined || body === null || typeof body === 'string' || body instanceof Blob || body instanceof Uint8Array

/** What is asked of where a request was sent on to. */
const redirected = (init: RequestInit, status: number, isElsewhere: boolean): RequestInit => {
  const headers = new Headers(init.headers as ConstructorParameters<typeof Headers>[0])
  if (isElsewhere) for (const name of ['authorization', 'cookie']) headers.delete(name)
  if (status >= 307 || init.method === 'HEAD') return { ...init, headers: [...headers] }
  headers.delete('content-type')
  return { ...init, method: 'GET', body: null, headers: [...headers] }
}

/**
 * Requests to services that the operator chose, and to where these redirect: only to public addresses, unless it is one of these
 * services again; never from https to http; and what a caller signs in with goes no further than where it was meant for.
 */
export const createGuardedFetch = async (guard: Guard): Promise<{ fetch: GuardedFetch; close: () => Promise<void> }> => {
  // NOTE: loaded with the first request; a server that never asks a hub starts without it
  const { Agent: UndiciAgent, fetch: send } = await import('undici')
  const origins = new Set(guard.trusted.map((url) => new URL(url).origin))
  const timeouts = { headersTimeout: guard.timeoutMs, bodyTimeout: guard.timeoutMs }
  const connect = { timeout: guard.timeoutMs }
  const trusted: Agent = new UndiciAgent({ ...timeouts, connect })
  const others: Agent = new UndiciAgent({ ...timeouts, connect: { ...connect, lookup: judgedLookup(guard.resolve) } })

  const check = (url: URL, from: URL | null): void => {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new OutgoingFault(`${url.protocol} is not a way to reach a hub`, false)
    if (origins.has(url.origin)) return
    if (from?.protocol === 'https:' && url.protocol === 'http:') {
      throw new OutgoingFault(`${from.host} redirects to ${url.host} without encryption`, false)
    }
    const host = hostOf(url)
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw new OutgoingFault(notPublic(host, host), false)
  }

  const hop = async (url: URL, init: RequestInit): Promise<Response> => {
    try {
      const dispatcher = origins.has(url.origin) ? trusted : others
      // The classes of the package and those of the runtime are made alike.
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
      if (!REDIRECTS.has(response.status) || location === null || !isRepeatable(next.body)) return response
      await response.body?.cancel()
      if (hops === MAX_REDIRECTS) throw new OutgoingFault(`${url.host} redirects more than ${MAX_REDIRECTS} times`, false)
      from = url
      url = new URL(location, from)
      next = redirected(next, response.status, url.origin !== from.origin)
    }
  }
  return { fetch, close: async () => void (await Promise.all([trusted.destroy(), others.destroy()])) }
}
