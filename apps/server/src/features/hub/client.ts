import { sayReason } from '@postil/contract/wire/reasons.ts'
import type { Config } from '#platform/config/read-config.ts'
import { createGuardedFetch, type GuardedFetch, OutgoingFault, outgoingFault } from '#platform/outgoing/guarded-fetch.ts'

export type HubConfig = Pick<Config, 'hubUrl' | 'datasetsServer' | 'hubToken' | 'hubTimeoutMs'>

export type HubClient = {
  /** An answer of the datasets server, or of the hub, as JSON. @param what is asked for, as a sentence names it */
  readonly json: (url: URL, what: string) => Promise<unknown>
  /** The bytes of a file from `start` to before `end`. */
  readonly range: (url: URL, start: number, end: number) => Promise<Part>
  readonly fetch: GuardedFetch
}
/** A part of a file; `size` and `etag` are those of the whole. */
export type Part = { readonly bytes: ArrayBuffer; readonly size: number; readonly etag: string | null }

/** Answers about a dataset are small; more than that is none. */
const MAX_JSON = 16_000_000
/** What is read of the body of a refusal. */
const MAX_REASON = 20_000

const fetches = new WeakMap<HubConfig, Promise<GuardedFetch>>()

/** Requests to the configured hub and its datasets server, and to where these redirect. */
export const hubFetch = (config: HubConfig): Promise<GuardedFetch> => {
  const made =
    fetches.get(config) ??
    createGuardedFetch({ trusted: [config.hubUrl, config.datasetsServer], timeoutMs: Math.max(config.hubTimeoutMs, 1) }).then(
      ({ fetch }) => fetch,
    )
  fetches.set(config, made)
  return made
}

/** Reads a body of at most so many bytes. */
const readBytes = async (response: Response, url: URL, max: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > max) throw new OutgoingFault(`The answer of ${url.host} has more than ${max} bytes`, false)
      chunks.push(chunk)
    }
  } catch (error) {
    throw outgoingFault(error, url)
  }
  return Buffer.concat(chunks, length)
}

/** One sentence of a refusal's own words, made safe to be shown in ours. */
const wordsOf = async (response: Response, url: URL): Promise<string> => {
  const bytes = await readBytes(response, url, MAX_REASON).catch(() => new Uint8Array())
  try {
    const { error } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { error?: unknown }
    if (typeof error !== 'string') return ''
    const line = error.replace(/\s+/g, ' ').trim()
    return line === '' ? '' : `: ${line.slice(0, 300)}`
  } catch {
    return ''
  }
}

/** Statuses that may be others a while later. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Why the hub did not give what it was asked for. */
export const refusal = async (response: Response, url: URL, what: string): Promise<OutgoingFault> => {
  const { status } = response
  const words = await wordsOf(response, url)
  const sentence = (): string => {
    if (status === 401 || status === 403)
      return `${url.host} does not show ${what} (${status}): it does not exist, is private or gated, or the token is not valid for it${words}`
    if (status === 404) return `${sayReason('hubUnknown', { host: url.host, what })}${words}`
    if (status === 429) return sayReason('hubBusy', { host: url.host })
    return `${url.host} answered ${status} when asked for ${what}${words}`
  }
  return new OutgoingFault(sentence(), isPassing(status), [401, 403, 404].includes(status))
}

/** @param token of who asks; null: as nobody */
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
        throw new OutgoingFault(`The answer of ${url.host} about ${what} is not JSON`, false)
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
        throw new OutgoingFault(`${url.host} does not send parts of the file ${name}`, false)
      }
      const bytes = await readBytes(response, url, end - start)
      const whole = Number(match[2]) - Number(match[1]) + 1
      if (Number(match[1]) !== start || bytes.length !== whole || whole !== end - start) {
        throw new OutgoingFault(`The file ${name} ends before the part that was asked for: it is not whole`, false)
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
