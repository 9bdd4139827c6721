import type { AnyEndpoint, BodyInputOf, ResultOf } from '@postil/contract/endpoint.ts'
import type { z } from 'zod'
import { ApiError } from './api-error.ts'
import { href } from './base.ts'

/** Query values are printed as text; lists repeat the key; undefined ones are left out. */
type Query<E extends AnyEndpoint> = z.input<E['query']>

export type CallOptions<E extends AnyEndpoint> = {
  readonly query?: Query<E>
  readonly body?: BodyInputOf<E>
  readonly signal?: AbortSignal
  /** Lets the request finish after the tab is closed; for at most 64 kB. */
  readonly keepalive?: boolean
  /** False where a 401 is an answer of its own and not the end of the session, as on the sign-in form. */
  readonly endsSession?: boolean
}

let onSessionEnd: () => void = () => {}

/** Says what happens when the server no longer knows the session. */
export const whenSessionEnds = (listener: () => void): void => {
  onSessionEnd = listener
}

/** The server has said that it no longer knows the session. */
export const endSession = (): void => onSessionEnd()

/** A page of another origin can not send it; the server asks for its presence, not for a value. */
export const csrfHeader = { 'x-postil-csrf': '1' }

const queryText = (query: unknown): string => {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) params.append(key, String(one))
    }
  }
  const printed = params.toString()
  return printed === '' ? '' : `?${printed}`
}

const read = async (response: Response): Promise<unknown> => {
  const content = await response.text()
  if (content === '') return undefined
  try {
    return JSON.parse(content)
  } catch {
    // A proxy's error page: its text is nothing to show.
    return undefined
  }
}

const seconds = (header: string | null): number | null => (header !== null && /^\d+$/.test(header) ? Number(header) : null)

/**
 * Calls one endpoint of the contract: `call<typeof getDataset>('GET', `/api/v1/datasets/${id}`)`. The type parameter is
 * imported as a type only, so no schema reaches the browser. Ids in the path are encoded by the caller (`path`).
 * @throws ApiError with the status, or with status 0 when the server could not be reached; AbortError when aborted.
 */
export const call = async <E extends AnyEndpoint>(
  method: E['method'],
  path: string,
  { query, body, signal, keepalive = false, endsSession = true }: CallOptions<E> = {},
): Promise<ResultOf<E>> => {
  const request: RequestInit = {
    method,
    credentials: 'same-origin',
    keepalive,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && csrfHeader),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }
  const { response, content } = await send(href(path) + queryText(query), request)
  if (response.ok) return content as ResultOf<E>
  if (response.status === 401 && endsSession) onSessionEnd()
  throw new ApiError(response.status, content, seconds(response.headers.get('retry-after')))
}

const send = async (url: string, request: RequestInit): Promise<{ response: Response; content: unknown }> => {
  try {
    const response = await fetch(url, request)
    return { response, content: await read(response) }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, undefined)
  }
}

/** Joins path segments, each percent-encoded: `path('/api/v1/datasets', id, 'progress')`. */
export const path = (root: string, ...segments: readonly string[]): string =>
  [root, ...segments.map((segment) => encodeURIComponent(segment))].join('/')
