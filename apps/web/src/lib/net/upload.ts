import type { AnyEndpoint, ResultOf } from '@postil/contract/wire/endpoint.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { href } from '#lib/api/base.ts'
import { csrfHeader, endSession } from '#lib/api/client.ts'

export type UploadOptions = {
  /** Query string without its question mark. */
  readonly query: URLSearchParams
  readonly method?: 'POST' | 'PUT'
  readonly signal: AbortSignal
  /** Reports the number of bytes sent. */
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
 * Uploads a file, or a part of one, as the raw body of a request. Only XMLHttpRequest reports upload progress.
 * @throws ApiError as `call` does; AbortError when aborted
 */
export const upload = <E extends AnyEndpoint>(
  path: string,
  bytes: Blob,
  { query, method = 'POST', signal, onProgress }: UploadOptions,
): Promise<ResultOf<E>> =>
  new Promise((done, fail) => {
    const request = new XMLHttpRequest()
    request.open(method, `${href(path)}?${query}`)
    for (const [name, value] of Object.entries(csrfHeader)) request.setRequestHeader(name, value)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', bytes.type || 'application/octet-stream')
    request.upload.onprogress = ({ loaded }) => onProgress(loaded, bytes.size)
    request.onload = () => {
      const content = parseJson(request.responseText)
      if (request.status >= 200 && request.status < 300) return done(content as ResultOf<E>)
      if (request.status === 401) endSession()
      const seconds = Number(request.getResponseHeader('retry-after'))
      fail(new ApiError(request.status, content, seconds > 0 ? seconds : null))
    }
    request.onerror = () => fail(new ApiError(0, undefined))
    request.onabort = () => fail(new DOMException('The upload was canceled', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    if (signal.aborted) request.abort()
    else request.send(bytes)
  })
