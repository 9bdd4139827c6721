import type { AnyEndpoint, BodyInputOf, ResultOf } from '@postil/contract/wire/endpoint.ts'
import type { z } from 'zod'
import { queryText } from './address.ts'
import { ApiError } from './api-error.ts'

export type CallOptions<E extends AnyEndpoint> = {
  readonly query?: z.input<E['query']>
  readonly body?: BodyInputOf<E>
  readonly signal?: AbortSignal
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Lets the request finish after a tab is closed; for at most 64 kB. */
  readonly keepalive?: boolean
}

/**
 * Calls one endpoint of the contract: `call<typeof getDataset>('GET', `/api/v1/datasets/${id}`)`. The type parameter is
 * imported as a type only: no schema is loaded. Ids in the path are encoded by the caller (`path`).
 * @throws ApiError with the status, or with status 0 when the server could not be reached; AbortError when aborted
 */
export type Call = <E extends AnyEndpoint>(method: E['method'], path: string, options?: CallOptions<E>) => Promise<ResultOf<E>>

export type TransportOptions = {
  /** The address for a path such as `/api/v1/me`. */
  readonly href: (path: string) => string
  /** Headers of every request; the method tells which it is. */
  readonly headers?: (method: string) => { readonly [name: string]: string }
  readonly credentials?: NonNullable<RequestInit['credentials']>
  /** What sends a request, instead of the platform's `fetch`; what it throws as an ApiError is what the call throws. */
  readonly fetch?: Send
}

type Send = (url: string, request: RequestInit & { readonly method: string }) => Promise<Response>

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

type Asked = { readonly method: string; readonly path: string }

const receive = async (sent: Promise<Response>, asked: Asked): Promise<{ response: Response; content: unknown }> => {
  try {
    const response = await sent
    return { response, content: await read(response) }
  } catch (error) {
    if ((error instanceof DOMException && error.name === 'AbortError') || error instanceof ApiError) throw error
    throw new ApiError(0, undefined, null, asked)
  }
}

/** Sends each call once, as JSON over `fetch`. */
export const createTransport =
  ({ href, headers: always, credentials, fetch: send = (url, request) => fetch(url, request) }: TransportOptions): Call =>
  async <E extends AnyEndpoint>(
    method: E['method'],
    path: string,
    { query, body, signal, headers, keepalive = false }: CallOptions<E> = {},
  ): Promise<ResultOf<E>> => {
    const asked = { method, path }
    const init = {
      method,
      keepalive,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...always?.(method),
        ...headers,
      },
      ...(credentials && { credentials }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }
    const { response, content } = await receive(send(href(path) + queryText(query), init), asked)
    if (response.ok) return content as ResultOf<E>
    throw new ApiError(response.status, content, seconds(response.headers.get('retry-after')), asked)
  }
