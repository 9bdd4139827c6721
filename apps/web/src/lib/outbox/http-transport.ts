import { ApiError } from '#lib/api/api-error.ts'
import { call } from '#lib/api/client.ts'
import type { MutationResult, Transport } from './transport.ts'
import type { ServerAnswer } from './types.ts'

/**
 * Maximum total size of requests that may outlive the tab, in bytes. It is below the browsers' limit, to leave room for other
 * requests.
 */
const keepaliveBudget = 48_000
let keepaliveInUse = 0
const requestTimeout = 30_000

/** Returns the server's current answer from a version conflict. */
const conflictingAnswerIn = (body: unknown): ServerAnswer | null | undefined =>
  typeof body === 'object' && body !== null && 'response' in body ? (body.response as ServerAnswer | null) : undefined

const resultOf = (error: unknown): MutationResult => {
  // A request that timed out may have been processed. It is sent again with the same mutation ID.
  if (!(error instanceof ApiError)) return { kind: 'failed', affectsAll: true, retryAfterMs: null }
  const { status, body, detail, coded, retryAfter, isTransient, isOutside } = error
  if (isOutside) return { kind: 'signed_out' }
  if (isTransient || status === 408) {
    return { kind: 'failed', affectsAll: status !== 500, retryAfterMs: retryAfter === null ? null : retryAfter * 1000 }
  }
  const standing = status === 409 ? conflictingAnswerIn(body) : undefined
  if (standing !== undefined) return { kind: 'conflict', standing }
  return { kind: 'rejected', status, reason: detail, ...(coded && { coded }) }
}

/**
 * Calls `work` with true if the request may use `keepalive`. The browser then completes the request even if the tab is closed.
 * Browsers limit the total size of such requests.
 */
const withKeepalive = async <T>(body: unknown, work: (keepalive: boolean) => Promise<T>): Promise<T> => {
  const maxBytes = JSON.stringify(body).length * 3
  const hasRoom = keepaliveInUse + maxBytes < keepaliveBudget
  const bytes = hasRoom ? maxBytes : 0
  keepaliveInUse += bytes
  try {
    return await work(hasRoom)
  } finally {
    keepaliveInUse -= bytes
  }
}

export const httpTransport: Transport = {
  put: async ({ record_id, ...body }) => {
    try {
      const standing = await withKeepalive(body, (keepalive) =>
        call('PUT /records/:record_id/responses/mine', {
          params: { record_id },
          body,
          keepalive,
          signal: AbortSignal.timeout(requestTimeout),
        }),
      )
      return { kind: 'done', standing }
    } catch (error) {
      return resultOf(error)
    }
  },
  remove: async ({ record_id, ...query }) => {
    try {
      await call('DELETE /records/:record_id/responses/mine', {
        params: { record_id },
        query,
        keepalive: true,
        signal: AbortSignal.timeout(requestTimeout),
      })
      return { kind: 'done', standing: null }
    } catch (error) {
      return resultOf(error)
    }
  },
  currentUser: async () => {
    try {
      const user = await call('GET /me', { endsSession: false, serverOnly: true, signal: AbortSignal.timeout(requestTimeout) })
      // Nothing is sent while a required second factor is missing.
      return user.second_factor_due ? null : user.id
    } catch (error) {
      return error instanceof ApiError && error.status === 401 ? null : undefined
    }
  },
}
