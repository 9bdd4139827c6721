import { setTimeout as sleep } from 'node:timers/promises'
import { MigrationError } from '../migration-error.ts'
import { shownAddress } from './address.ts'

const ATTEMPTS = 9
/** Number of attempts for the first request. Low, so that a mistyped server name doesn't take minutes to fail. */
const FIRST_ATTEMPTS = 3
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 30_000
/** Longest wait that a server may request, in milliseconds. If it requests a longer one, the client gives up. */
const MAX_RETRY_AFTER_MS = 300_000
const TIMEOUT_MS = 120_000
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504])

export type Answer = { readonly status: number; readonly body: unknown; readonly bytes: number }
/** Reads from a server, as one user. */
export type SourceClient = {
  readonly url: URL
  /**
   * @param path below `/api/v1`
   * @returns a response with status 200 to 299, or one of those in `acceptedStatuses`
   * @throws MigrationError if all attempts fail
   */
  readonly get: (path: string, options?: GetOptions) => Promise<Answer>
  /**
   * @param path below `/api/v1`
   * @returns the bytes of the file; null if the server doesn't have it
   * @throws MigrationError as `get` does
   */
  readonly getFile: (path: string) => Promise<Uint8Array | null>
}
type GetOptions = { readonly acceptedStatuses?: readonly number[]; readonly first?: boolean }
export type ClientOptions = {
  readonly url: URL
  readonly apiKey: string
  /** Called with a message before each wait for another attempt. */
  readonly onRetry?: (message: string) => void
}

const CAUSES: { readonly [code: string]: string } = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed without an answer',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name lookup failed',
  UND_ERR_SOCKET: 'the connection was closed without an answer',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
}

/** Error codes for which a retry is pointless. */
const PERMANENT = new Set(['ENOTFOUND', 'ERR_INVALID_URL'])

const codeOf = (error: unknown): string => {
  const cause = (error as { readonly cause?: unknown } | null)?.cause ?? error
  return String((cause as { readonly code?: unknown } | null)?.code ?? '')
}

const reasonOf = (error: unknown): string => {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} seconds`
  const cause = (error as { readonly cause?: unknown }).cause ?? error
  return CAUSES[codeOf(error)] ?? (cause instanceof Error ? cause.message : String(cause))
}

/** Returns the wait that `Retry-After` requests, in milliseconds; null if the header is missing or unreadable. */
const retryAfterMs = (header: string | null): number | null => {
  if (header === null) return null
  const millis = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(millis) ? null : Math.max(0, millis)
}

const backoffMs = (attempt: number): number => Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS) * (0.75 + Math.random() / 4)

const parsed = (content: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(content))
  } catch {
    return undefined
  }
}

/** Returns the server's reason for a refusal, shortened. */
const messageIn = (body: unknown): string => {
  const text = JSON.stringify(body) ?? ''
  return text === '' ? '' : `: ${text.slice(0, 300)}`
}

type Raw = { readonly status: number; readonly content: Uint8Array }
type Outcome = { readonly answer: Raw } | { readonly problem: string; readonly wait: number | null }

class Reader {
  readonly #options: ClientOptions
  constructor(options: ClientOptions) {
    this.#options = options
  }

  async #ask(path: string): Promise<Outcome> {
    const { url, apiKey } = this.#options
    try {
      const response = await fetch(`${shownAddress(url)}/api/v1${path}`, {
        headers: { 'x-argilla-api-key': apiKey, accept: '*/*' },
        // The key must be sent only to the given server.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const { status, headers } = response
      if (status >= 300 && status < 400) throw this.#redirected(headers.get('location'))
      const content = new Uint8Array(await response.arrayBuffer())
      if (TRANSIENT.has(status)) return { problem: `it answered ${status}`, wait: retryAfterMs(headers.get('retry-after')) }
      return { answer: { status, content } }
    } catch (error) {
      if (error instanceof MigrationError) throw error
      if (PERMANENT.has(codeOf(error))) throw this.#unreachable(reasonOf(error))
      return { problem: reasonOf(error), wait: null }
    }
  }

  #unreachable(reason: string): MigrationError {
    return new MigrationError(`Cannot read from ${shownAddress(this.#options.url)}: ${reason}.`)
  }

  #redirected(location: string | null): MigrationError {
    const from = shownAddress(this.#options.url)
    const base = location !== null && URL.canParse(location, from) ? new URL(location, from) : null
    const to = base === null ? 'another address' : shownAddress(new URL(base.pathname.replace(/api\/v1\/.*$/, ''), base.origin))
    return new MigrationError(
      `${from} redirects to ${to}, and the API key is not sent to another address. If that is the right server, use its URL.`,
    )
  }

  async get(path: string, { acceptedStatuses = [], first = false }: GetOptions): Promise<Answer> {
    const { status, content } = await this.#answer(path, first)
    return this.#judged(path, { status, body: parsed(content), bytes: content.length }, acceptedStatuses)
  }

  async getFile(path: string): Promise<Uint8Array | null> {
    const { status, content } = await this.#answer(path, false)
    if (status === 200) return content
    this.#judged(path, { status, body: parsed(content), bytes: content.length }, [404])
    return null
  }

  async #answer(path: string, first: boolean): Promise<Raw> {
    const address = shownAddress(this.#options.url)
    const attempts = first ? FIRST_ATTEMPTS : ATTEMPTS
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#ask(path)
      if ('answer' in outcome) return outcome.answer
      const wait = outcome.wait ?? backoffMs(attempt)
      if (attempt + 1 >= attempts) throw this.#unreachable(`${outcome.problem}, ${attempts} times`)
      if (wait > MAX_RETRY_AFTER_MS)
        throw this.#unreachable(`${outcome.problem}, and the server asks to wait ${Math.ceil(wait / 1000)} seconds`)
      this.#options.onRetry?.(`${address}: ${outcome.problem}; retrying in ${(wait / 1000).toFixed(1)} s`)
      await sleep(wait)
    }
  }

  #judged(path: string, answer: Answer, acceptedStatuses: readonly number[]): Answer {
    const { status, body } = answer
    const address = shownAddress(this.#options.url)
    if (acceptedStatuses.includes(status)) return answer
    if (status === 401) throw new MigrationError(`${address} does not accept this API key (401).`)
    if (status === 403)
      throw new MigrationError(`${address} does not allow this API key to read ${path} (403). Use the API key of an owner.`)
    if (status < 200 || status > 299) throw new MigrationError(`${address} answered ${status} to GET ${path}${messageIn(body)}.`)
    if (body === undefined)
      throw new MigrationError(`${address} did not answer ${path} with JSON. It is not a compatible server.`)
    return answer
  }
}

/**
 * Reads over HTTP. Temporary failures are retried, up to nine times.
 * @throws MigrationError for a key that is not valid in a header
 */
export const createSourceClient = (options: ClientOptions): SourceClient => {
  if (!/^[\x21-\x7e]+$/.test(options.apiKey))
    throw new MigrationError('The API key is empty or contains characters that are not allowed in a key.')
  const reader = new Reader(options)
  return {
    url: options.url,
    get: (path, wanted = {}) => reader.get(path, wanted),
    getFile: (path) => reader.getFile(path),
  }
}
