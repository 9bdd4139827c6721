import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { Config } from '#platform/config/read-config.ts'
import { createGuardedFetch, type GuardedFetch, OutgoingFault, readBytes } from '#platform/outgoing/guarded-fetch.ts'

export type HubConfig = Pick<Config, 'hubUrl' | 'datasetsServer' | 'hubToken' | 'hubTimeoutMs'>

export type HubClient = {
  /** The JSON response of the datasets server or of the Hub. @param what the requested data, worded for an error message */
  readonly json: (url: URL, what: string) => Promise<unknown>
  /** The bytes of a file from `start` up to, but not including, `end`. */
  readonly range: (url: URL, start: number, end: number) => Promise<Part>
  readonly fetch: GuardedFetch
}
/** A part of a file. `size` and `etag` describe the whole file. */
export type Part = { readonly bytes: ArrayBuffer; readonly size: number; readonly etag: string | null }

/** Maximum size of a JSON response in bytes. Responses about a dataset are small. Larger ones are rejected. */
const MAX_JSON = 16_000_000
/** Maximum number of bytes to read from an error response's body. */
const MAX_REASON = 20_000

const fetches = new WeakMap<HubConfig, Promise<GuardedFetch>>()

/** Returns a fetch function for requests to the configured Hub and datasets server, and to the addresses they redirect to. */
export const hubFetch = (config: HubConfig): Promise<GuardedFetch> => {
  const made =
    fetches.get(config) ??
    createGuardedFetch({ trusted: [config.hubUrl, config.datasetsServer], timeoutMs: Math.max(config.hubTimeoutMs, 1) }).then(
      ({ fetch }) => fetch,
    )
  fetches.set(config, made)
  return made
}

/** An error response's message as one sentence, safe to show. Null if it has none. */
const errorTextOf = async (response: Response, url: URL): Promise<string | null> => {
  const bytes = await readBytes(response, url, MAX_REASON).catch(() => new Uint8Array())
  try {
    const { error } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { error?: unknown }
    if (typeof error !== 'string') return null
    const line = error.replace(/\s+/g, ' ').trim()
    return line === '' ? null : line.slice(0, 300)
  } catch {
    return null
  }
}

/** Whether a retry may succeed after this status. */
const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** The error for a failed Hub request. */
export const refusal = async (response: Response, url: URL, what: string): Promise<OutgoingFault> => {
  const { status } = response
  const words = await errorTextOf(response, url)
  const reason = (): Reason => {
    const { host } = url
    if (status === 401 || status === 403)
      return words === null
        ? message('hubRefuses', { host, what, status })
        : message('hubRefusesSaying', { host, what, status, words })
    if (status === 404)
      return words === null ? message('hubUnknown', { host, what }) : message('hubUnknownSaying', { host, what, words })
    if (status === 429) return message('hubBusy', { host })
    return message('hubAnswered', { host, status, what: words === null ? what : `${what}: ${words}` })
  }
  return new OutgoingFault(reason(), isTransient(status), [401, 403, 404].includes(status))
}

/** @param token the caller's token; null for anonymous access */
export const hubClient = async (config: HubConfig, token: string | null, signal?: AbortSignal): Promise<HubClient> => {
  const fetch = await hubFetch(config)
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const stop = signal === undefined ? {} : { signal }
  return {
    fetch,
    json: async (url, what) => {
      const response = await fetch(url, { headers: { ...headers, accept: 'application/json' }, ...stop })
      if (!response.ok) throw await refusal(response, url, what)
      const bytes = await readBytes(response, url, MAX_JSON)
      try {
        return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown
      } catch {
        throw new OutgoingFault(`The response from ${url.host} about ${what} is not valid JSON`, false)
      }
    },
    range: async (url, start, end) => {
      const name = decodeURIComponent(url.pathname.split('/').at(-1) ?? '')
      const range = `bytes=${start}-${end - 1}`
      const response = await fetch(url, { headers: { ...headers, range, 'accept-encoding': 'identity' }, ...stop })
      const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '')
      if (response.status !== 206 || match === null) {
        if (!response.ok) throw await refusal(response, url, `the file ${name}`)
        await response.body?.cancel()
        throw new OutgoingFault(`${url.host} does not support range requests for the file ${name}`, false)
      }
      const bytes = await readBytes(response, url, end - start)
      const whole = Number(match[2]) - Number(match[1]) + 1
      if (Number(match[1]) !== start || bytes.length !== whole || whole !== end - start) {
        throw new OutgoingFault(`The file ${name} is incomplete: it ends before the requested range`, false)
      }
      const { buffer, byteOffset, length } = bytes
      return {
        bytes: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer,
        size: Number(match[3]),
        etag: response.headers.get('etag'),
      }
    },
  }
}
