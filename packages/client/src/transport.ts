import type { AnyEndpoint, BodyInputOf, ResultOf } from '@postil/contract/wire/endpoint.ts'
import type { z } from 'zod'
import { queryText } from './address.ts'
import { ApiError } from './api-error.ts'

export type CallOptions<E extends AnyEndpoint> = {
  readonly query?: z.input<E['query']>
  readonly body?: BodyInputOf<E>
  readonly signal?: AbortSignal
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Lets the request finish after the tab is closed. For bodies up to 64 kB. */
  readonly keepalive?: boolean
}

/**
 * Calls one endpoint of the contract: `call<typeof getDataset>('GET', `/api/v1/datasets/${id}`)`. The type parameter is
 * imported as a type only, so no schema is loaded. The caller encodes ids in the path (`path`).
 * @throws ApiError with the status, or with status 0 if the server can't be reached; AbortError if aborted
 */
export type Call = <E extends AnyEndpoint>(method: E['method'], path: string, options?: CallOptions<E>) => Promise<ResultOf<E>>

export type TransportOptions = {
  /** Returns the URL for a path such as `/api/v1/me`. */
  readonly href: (path: string) => string
  /** Returns the headers of every request with this method. */
  readonly headers?: (method: string) => { readonly [name: string]: string }
  readonly credentials?: NonNullable<RequestInit['credentials']>
  /** Replaces the platform's `fetch`. An ApiError that it throws is passed on unchanged. */
  readonly fetch?: Send
}

type Send = (url: string, request: RequestInit & { readonly method: string }) => Promise<Response>

const read = async (response: Response): Promise<unknown> => {
  const content = await response.text()
  if (content === '') return undefined
  try {
    return JSON.parse(content)
  } catch {
    // An error page of a proxy. Its text is not useful to show.
    return undefined
  }
}

const seconds = (header: string | null): number | null => (header !== null && /^\d+$/.test(header) ? Number(header) : null)

type SentRequest = { readonly method: string; readonly path: string }

const receive = async (sent: Promise<Response>, sentRequest: SentRequest): Promise<{ response: Response; content: unknown }> => {
  try {
    const response = await sent
    return { response, content: await read(response) }
  } catch (error) {
    if ((error instanceof DOMException && error.name === 'AbortError') || error instanceof ApiError) throw error
    throw new ApiError(0, undefined, null, sentRequest)
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
    const sentRequest = { method, path }
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
    const { response, content } = await receive(send(href(path) + queryText(query), init), sentRequest)
    if (response.ok) return content as ResultOf<E>
    throw new ApiError(response.status, content, seconds(response.headers.get('retry-after')), sentRequest)
  }
