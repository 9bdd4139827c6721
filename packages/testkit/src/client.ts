export type Credentials = { readonly api_key: string }

/** An HTTP response. `body` is parsed if it is JSON and `undefined` if it is empty. */
export type Response<T> = { readonly status: number; readonly body: T; readonly headers: Headers }

type Send = <T = unknown>(path: string, body?: unknown, headers?: { readonly [name: string]: string }) => Promise<Response<T>>

export type Client = {
  readonly get: <T = unknown>(path: string, headers?: { readonly [name: string]: string }) => Promise<Response<T>>
  readonly post: Send
  readonly put: Send
  readonly patch: Send
  readonly delete: Send
}

const parse = async <T>(answer: globalThis.Response): Promise<Response<T>> => {
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  const body = text === '' ? undefined : isJson ? JSON.parse(text) : text
  return { status: answer.status, body: body as T, headers: answer.headers }
}

/**
 * An HTTP client for a server, with a user's credentials or none.
 * @param url the URL of the server with its path prefix, without a trailing slash; `/api/v1` is added to paths without it
 */
export const createClient = (url: string, user: Credentials | null): Client => {
  const call = async <T>(method: string, path: string, body?: unknown, headers: { readonly [name: string]: string } = {}) => {
    const answer = await fetch(`${url}${path.startsWith('/api/') ? '' : '/api/v1'}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(user && { 'x-argilla-api-key': user.api_key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
    })
    return parse<T>(answer)
  }
  return {
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
    delete: (path, body, headers) => call('DELETE', path, body, headers),
  }
}
