import { queryText, requestLine } from '@postil/client/address.ts'
import { emptyQuery } from '@postil/contract/annotation-query/grammar.ts'
import { searchBody } from '@postil/contract/annotation-query/search-body.ts'
import type { Route } from '@postil/contract/endpoints.ts'
import { queueRequest, type RecordsRequest, searchRequest, setupRequest } from '#features/annotate/queue/first-requests.ts'
import { leaseBatchSize } from '#features/annotate/queue/list-item.ts'
import { csrfHeader, type EarlyResponses, requestKey } from '#lib/api/early-responses.ts'
import { pageSizes } from '#lib/url/choices.ts'
import { preloadKinds } from './preload-files.ts'

type EarlyRequest = {
  readonly route: Route
  readonly params?: { readonly dataset_id: string }
  readonly query?: object
  readonly body?: object
}

/**
 * How long a prefetched response is considered fresh, in milliseconds. On a slow connection, it takes a while before the web
 * app uses the response.
 */
const lifetime = 30_000

/**
 * Returns the request for the screen's first records, or null if the URL query contains anything but a position. The web app
 * requests other lists itself.
 */
const firstRecordsRequest = (id: string, query: string): RecordsRequest | null => {
  if (query === '' || query === '?page=1&status=pending') return queueRequest(id, { limit: leaseBatchSize, exclude: [] })
  const [, start, size] = /^\?page=(\d{1,9})~(\d{1,4})$/.exec(query) ?? []
  if (start === undefined || Number(start) < 1 || !pageSizes.includes(Number(size))) return null
  return searchRequest(id, searchBody(emptyQuery), { offset: Number(start) - 1, limit: Number(size) })
}

/**
 * Requests the data that the screen at a URL needs first. When the web app makes the same requests, it gets these responses
 * (`lib/api/early-responses.ts`).
 */
export const prefetchRequests = (base: string, at: string, query: string): void => {
  const responses: EarlyResponses = new Map()
  const request = ({ route, params, query, body }: EarlyRequest): Promise<Response> => {
    const [method, path] = requestLine(route, params)
    const url = base.replace(/\/$/, '') + path + queryText(query)
    const text = body && JSON.stringify(body)
    const response = fetch(url, {
      method,
      ...(text && { body: text }),
      headers: { accept: 'application/json', ...(text && { 'content-type': 'application/json', ...csrfHeader }) },
      credentials: 'same-origin',
    })
    // If the request fails, the code that needs the response sends it again.
    response.catch(() => undefined)
    responses.set(requestKey(method, url, text), response)
    return response
  }
  void request({ route: 'GET /me' })
  if (at === '') void request({ route: 'GET /me/home' })
  const [, id] = /^dataset\/([\w-]+)\/annotation-mode$/.exec(at) ?? []
  if (id !== undefined) {
    const records = firstRecordsRequest(id, query)
    if (records) void request(records)
    // If this fails, the web app loads the files itself.
    request(setupRequest(id))
      .then((response) => (response.ok ? response.clone().json().then(preloadKinds) : undefined))
      .catch(() => undefined)
  }
  Object.assign(globalThis, { postilEarly: responses })
  setTimeout(() => responses.clear(), lifetime)
}
