/** Answers that were asked for before the page's scripts were there, by the name of their request. */
export type EarlyAnswers = Map<string, Promise<Response>>

const known = globalThis as unknown as { postilEarly?: EarlyAnswers }

/** A page of another origin can not send it; the server asks for its presence, not for a value. */
export const csrfHeader = { 'x-postil-csrf': '1' }

export const nameOfRequest = (method: string, url: string, body?: unknown): string => `${method} ${url} ${body ?? ''}`

/** Another user's answers are nobody else's, and what was not taken up at the start grows old. */
export const forgetEarly = (): void => known.postilEarly?.clear()

/** `fetch`, which takes an early answer, once. One that is no success is asked for anew: it may have become one. */
export const fetchOrTake = async (url: string, request: RequestInit & { readonly method: string }): Promise<Response> => {
  const name = nameOfRequest(request.method, url, request.body)
  const early = known.postilEarly?.get(name)
  known.postilEarly?.delete(name)
  const answer = await early?.catch(() => null)
  return answer?.ok ? answer : fetch(url, request)
}
