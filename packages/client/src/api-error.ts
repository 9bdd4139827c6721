/** What the server refused, or that it could not be reached (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  /** Machine code of a business rule, for example `missing_vector`. */
  readonly code: string | null
  /** One sentence of the server's for people, when it sent one. */
  readonly detail: string | null
  readonly body: unknown
  /** Seconds that the server asks to wait, from 429 and 503. */
  readonly retryAfter: number | null

  /** What was asked for, where it is known. */
  readonly request: { readonly method: string; readonly path: string } | null

  constructor(
    status: number,
    body: unknown,
    retryAfter: number | null = null,
    request: { readonly method: string; readonly path: string } | null = null,
  ) {
    super(`HTTP ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.body = body
    this.code = text(member(body, 'code'))
    const detail = member(body, 'detail')
    this.detail = text(detail) ?? text(member(body, 'message')) ?? text(member(member(detail, 'params'), 'detail'))
    this.retryAfter = retryAfter
    this.request = request
  }

  /** True when whoever asked has to come in first, or to show a second factor before anything else. */
  get isOutside(): boolean {
    return this.status === 401 || this.code === 'second_factor_due'
  }

  /** True when the request may have never arrived, so that sending it again later can help. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as { [key: string]: unknown })[key] : undefined

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
