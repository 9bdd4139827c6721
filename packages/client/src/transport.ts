import { messageHeader } from '@postil/contract/wire/message-header.ts'
import { queryText } from './address.ts'
import { ApiError } from './api-error.ts'
import type { Send } from './call.ts'
import { readCodedMessage } from './coded-message.ts'

export type TransportOptions = {
  /** Returns the URL for a path such as `/api/v1/me`. */
  readonly href: (path: string) => string
  /** Returns the headers of every request with this method. */
  readonly headers?: (method: string) => { readonly [name: string]: string }
  readonly credentials?: NonNullable<RequestInit['credentials']>
  /** Replaces the platform's `fetch`. An ApiError that it throws is passed on unchanged. */
  readonly fetch?: Fetch
}

type Fetch = (url: string, request: RequestInit & { readonly method: string }) => Promise<Response>

const read = async (response: Response): Promise<unknown> => {
  const content = await response.text()
  if (content === '') return undefined
  try {
    return JSON.parse(content)
  } catch {
    // A proxy's error page. Its text is not worth showing.
    return undefined
  }
}

const seconds = (header: string | null): number | null => (header !== null && /^\d+$/.test(header) ? Number(header) : null)

type SentRequest = { readonly method: string; readonly path: string }

const receive = async (
  sent: Promise<Response>,
  sentRequest: SentRequest,
  signal: AbortSignal | undefined,
): Promise<{ response: Response; content: unknown }> => {
  try {
    const response = await sent
    return { response, content: await read(response) }
  } catch (error) {
    // The caller's reason can be any error.
    if (signal?.aborted) throw signal.reason
    if ((error instanceof DOMException && error.name === 'AbortError') || error instanceof ApiError) throw error
    throw new ApiError(0, undefined, null, sentRequest)
  }
}

/**
 * Sends each request once, as JSON over `fetch`.
 * @throws ApiError with the status of the response, or with status 0 if the server can't be reached
 * @throws the signal's reason if the signal is aborted
 */
export const createTransport =
  ({ href, headers: always, credentials, fetch: send = (url, request) => fetch(url, request) }: TransportOptions): Send =>
  async (method, path, { query, body, signal, headers, keepalive = false } = {}) => {
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
    const { response, content } = await receive(send(href(path) + queryText(query), init), sentRequest, signal)
    if (response.ok) return content
    const { headers: sentHeaders } = response
    const coded = readCodedMessage(sentHeaders.get(messageHeader))
    throw new ApiError(response.status, content, seconds(sentHeaders.get('retry-after')), sentRequest, coded)
  }
