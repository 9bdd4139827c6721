import { queryText, requestLine } from '@postil/client/address.ts'
import type { RequestParts } from '@postil/client/call.ts'
import { readCodedMessage } from '@postil/client/coded-message.ts'
import type { Endpoints, Route } from '@postil/contract/endpoints.ts'
import type { ResultOf } from '@postil/contract/wire/endpoint.ts'
import { messageHeader } from '@postil/contract/wire/message-header.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { href } from '#lib/api/base.ts'
import { csrfHeader, endSession } from '#lib/api/client.ts'

export type UploadOptions = {
  readonly signal: AbortSignal
  /** Called with the number of bytes sent and the total. */
  readonly onProgress: (sent: number, total: number) => void
}

const parseJson = (content: string): unknown => {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

/**
 * Uploads a file, or a part of one, as the raw body of a request. Uses XMLHttpRequest, because `fetch` doesn't report upload
 * progress.
 * @throws ApiError in the same cases as `call`; AbortError when aborted
 */
export const upload = <R extends Route>(
  route: R,
  bytes: Blob,
  { params, query, signal, onProgress }: UploadOptions & RequestParts<R>,
): Promise<ResultOf<Endpoints[R]>> =>
  new Promise((done, fail) => {
    const request = new XMLHttpRequest()
    const [method, path] = requestLine(route, params)
    request.open(method, href(path) + queryText(query))
    for (const [name, value] of Object.entries(csrfHeader)) request.setRequestHeader(name, value)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', bytes.type || 'application/octet-stream')
    request.upload.onprogress = ({ loaded }) => onProgress(loaded, bytes.size)
    request.onload = () => {
      const content = parseJson(request.responseText)
      if (request.status >= 200 && request.status < 300) return done(content as ResultOf<Endpoints[R]>)
      if (request.status === 401) endSession()
      const seconds = Number(request.getResponseHeader('retry-after'))
      const coded = readCodedMessage(request.getResponseHeader(messageHeader))
      fail(new ApiError(request.status, content, seconds > 0 ? seconds : null, null, coded))
    }
    request.onerror = () => fail(new ApiError(0, undefined))
    request.onabort = () => fail(new DOMException('The upload was canceled', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    if (signal.aborted) request.abort()
    else request.send(bytes)
  })
