import type { LookupAddress } from 'node:dns'
import type { ClientRequest } from 'node:http'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'
import type { Resolve } from './resolve.ts'
import { resolveHost } from './resolve.ts'

// A named import would evaluate the whole module, including Node's client for `fetch` and WebSocket, which takes 35 ms and 5 MB
// at each start.
const http = process.getBuiltinModule('node:http')
const https = process.getBuiltinModule('node:https')

export type PostOptions = {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  /** Milliseconds from the start of the name lookup to the end of the response. */
  readonly timeoutMs: number
  /** If false, refuses addresses that are not public. */
  readonly allowPrivate: boolean
  /** Aborts the request. */
  readonly signal?: AbortSignal
  /** For tests: resolves host names. */
  readonly resolve?: Resolve | undefined
}

/** The response status, or a sentence that explains why there is no response. */
type Posted = { readonly status: number } | { readonly status: null; readonly reason: string }

/** How much of a response body is read, in bytes, so that the connection ends cleanly. The content is ignored. */
const READ_BYTES = 65_536

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const MESSAGES: { readonly [code: string]: (target: URL) => string } = {
  ECONNREFUSED: ({ host }) => `${host} refused the connection`,
  ECONNRESET: ({ host }) => `${host} closed the connection without an answer`,
  EHOSTUNREACH: ({ host }) => `There is no route to ${host}`,
  ENETUNREACH: ({ host }) => `There is no route to ${host}`,
  ETIMEDOUT: ({ host }) => `${host} did not accept the connection in time`,
  ENOTFOUND: ({ hostname }) => `The host name ${hostname} has no address`,
  EAI_AGAIN: ({ hostname }) => `The host name ${hostname} could not be resolved`,
}
const messageOf = (error: NodeJS.ErrnoException, target: URL): string =>
  MESSAGES[error.code ?? '']?.(target) ?? `${target.host} could not be reached: ${error.message || error.code}`

/** Waits for an operation that can't be aborted, but only until the signal is aborted. */
const until = <T>(signal: AbortSignal, promise: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })

/** Connects to the checked addresses, even if the name now resolves to other addresses. */
const pinnedTo =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, options, done) => {
    const [first] = addresses
    if (options.all) done(null, [...addresses])
    else done(first === undefined ? new Error('no address') : null, first?.address ?? '', first?.family ?? 0)
  }

const statusOf = (request: ClientRequest, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      const status = response.statusCode ?? 0
      let read = 0
      response.on('data', (chunk: Buffer) => {
        read += chunk.length
        if (read > READ_BYTES) response.destroy()
      })
      // The status is final from here on, even if the body never ends.
      response.on('error', () => resolve(status))
      response.on('close', () => resolve(status))
      request.off('error', reject).on('error', () => resolve(status))
    })
    request.end(body)
  })

/**
 * Sends one POST request to a URL that a user chose. The host name is resolved once, and its addresses are checked. The request
 * is sent only to these addresses. Redirects are not followed. They are treated like any other response.
 * @throws the signal's reason if the signal ends the attempt
 */
export const postOnce = async (url: string, options: PostOptions): Promise<Posted> => {
  const { headers, body, timeoutMs, allowPrivate } = options
  const target = new URL(url)
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal])
  try {
    const addresses = await until(signal, resolveHost(hostOf(target), options.resolve))
    const refused = allowPrivate ? undefined : addresses.find(({ address }) => !isPublicAddress(address))
    if (refused !== undefined) {
      return {
        status: null,
        reason:
          target.hostname === refused.address
            ? `${refused.address} is not a public address`
            : `${target.hostname} resolves to ${refused.address}, which is not a public address`,
      }
    }
    const request = (target.protocol === 'https:' ? https : http).request({
      protocol: target.protocol,
      hostname: hostOf(target),
      ...(target.port !== '' && { port: target.port }),
      path: target.pathname + target.search,
      ...(target.username !== '' && { auth: `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}` }),
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      lookup: pinnedTo(addresses),
      signal,
    })
    return { status: await statusOf(request, body) }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (timeout.aborted) return { status: null, reason: `${target.host} did not answer within ${timeoutMs / 1000} seconds` }
    return { status: null, reason: messageOf(error as NodeJS.ErrnoException, target) }
  }
}
