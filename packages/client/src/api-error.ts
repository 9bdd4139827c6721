import type { CodedMessage } from './coded-message.ts'

/** An error response from the server, or a failed connection (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  /** Machine-readable code of a business rule, for example `missing_vector`. */
  readonly code: string | null
  /** One sentence for people, if the server sent one. */
  readonly detail: string | null
  /** `detail` as data, if it has a code. */
  readonly coded: CodedMessage | null
  readonly body: unknown
  /** Seconds to wait before a retry, as sent with 429 and 503. */
  readonly retryAfter: number | null

  /** The request that failed, if known. */
  readonly request: { readonly method: string; readonly path: string } | null

  constructor(
    status: number,
    body: unknown,
    retryAfter: number | null = null,
    request: { readonly method: string; readonly path: string } | null = null,
    coded: CodedMessage | null = null,
  ) {
    super(`HTTP ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.body = body
    this.code = text(member(body, 'code'))
    const detail = member(body, 'detail')
    this.detail = text(detail) ?? text(member(body, 'message')) ?? text(member(member(detail, 'params'), 'detail'))
    this.coded = coded
    this.retryAfter = retryAfter
    this.request = request
  }

  /** True if the caller must sign in or complete two-factor authentication first. */
  get isOutside(): boolean {
    return this.status === 401 || this.code === 'second_factor_due'
  }

  /** True if a retry can help: the server was not reached, is busy or failed. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as { [key: string]: unknown })[key] : undefined

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
