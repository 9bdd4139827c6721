import { isDeepStrictEqual } from 'node:util'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'

/**
 * Statuses that any route may return in addition to its own, because of credentials, validation, a timeout, body size, request
 * rate, a server fault or overload.
 */
const COMMON = [401, 422, 408, 413, 429, 500, 503]

/**
 * Compares a response with the endpoint's contract. Tests check every response with it.
 * @returns the problem, or null
 */
export const answerFault = (endpoint: AnyEndpoint, status: number, text: string | null): string | null => {
  if (status >= 400) {
    return COMMON.includes(status) || endpoint.errors.includes(status)
      ? null
      : `${endpoint.id} answered ${status}, which is not documented`
  }
  if (status !== endpoint.status && !endpoint.successes.includes(status)) {
    return `${endpoint.id} answered ${status}, which is not documented`
  }
  const body: unknown = text === null ? undefined : JSON.parse(text)
  const result = endpoint.result.safeParse(body)
  if (!result.success)
    return `${endpoint.id} answered ${status} with a body that its schema rejects: ${JSON.stringify(result.error.issues)}`
  // Schemas drop unknown keys, so an extra key (such as a password hash) shows as a difference.
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(result.data ?? null)), body ?? null)) {
    return `${endpoint.id} answered with keys or values that are not in its schema: ${text}`
  }
  return null
}

/** Forwards a chunked response. @throws Error at the response's end if the response violates the contract */
export async function* checkedChunks(endpoint: AnyEndpoint, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const sent: Uint8Array[] = []
  for await (const chunk of chunks) {
    sent.push(chunk)
    yield chunk
  }
  const fault = answerFault(endpoint, endpoint.status, Buffer.concat(sent).toString('utf8'))
  if (fault !== null) throw new Error(fault)
}
