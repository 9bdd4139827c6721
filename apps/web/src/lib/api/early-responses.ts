/** Responses to requests that were sent before the web app's scripts loaded, keyed by request. */
export type EarlyResponses = Map<string, Promise<Response>>

const earlyGlobals = globalThis as unknown as { postilEarly?: EarlyResponses }

/** A page of another origin can't send this header. The server checks only that it is present. */
export const csrfHeader = { 'x-postil-csrf': '1' }

export const requestKey = (method: string, url: string, body?: unknown): string => `${method} ${url} ${body ?? ''}`

/** Discards early responses, because they become stale and must not be used for another user. */
export const clearEarlyResponses = (): void => earlyGlobals.postilEarly?.clear()

/**
 * Like `fetch`, but uses the early response to the request if there is one. Each early response is used once. If the early
 * request failed, sends the request again, because it may succeed now.
 */
export const fetchOrReuse = async (url: string, request: RequestInit & { readonly method: string }): Promise<Response> => {
  const name = requestKey(request.method, url, request.body)
  const early = earlyGlobals.postilEarly?.get(name)
  earlyGlobals.postilEarly?.delete(name)
  const earlyResponse = await early?.catch(() => null)
  return earlyResponse?.ok ? earlyResponse : fetch(url, request)
}
