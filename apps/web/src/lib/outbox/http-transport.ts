import type { getMe } from '@postil/contract/people/users.ts'
import type { clearMyResponse, putMyResponse } from '@postil/contract/responses.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { call, path } from '#lib/api/client.ts'
import type { Outcome, Transport } from './transport.ts'
import type { StandingAnswer } from './types.ts'

/** Requests that the browser finishes after the tab is closed may have this many bytes together; a little is left for others. */
const keepaliveBytes = 48_000
let keptAlive = 0
const timeout = 30_000

/** The answer that stands, beside a version conflict. */
const standingIn = (body: unknown): StandingAnswer | null | undefined =>
  typeof body === 'object' && body !== null && 'response' in body ? (body.response as StandingAnswer | null) : undefined

const outcomeOf = (error: unknown): Outcome => {
  // A request that took too long may have done its work: it is sent again under the same name.
  if (!(error instanceof ApiError)) return { kind: 'failed', everything: true, after: null }
  const { status, body, detail, retryAfter, isTransient, isOutside } = error
  if (isOutside) return { kind: 'signed_out' }
  if (isTransient || status === 408) {
    return { kind: 'failed', everything: status !== 500, after: retryAfter === null ? null : retryAfter * 1000 }
  }
  const standing = status === 409 ? standingIn(body) : undefined
  if (standing !== undefined) return { kind: 'contested', standing }
  return { kind: 'refused', status, reason: detail }
}

/** Runs `work`, told whether the browser has room to finish a request of this body after the tab is closed. */
const keepingAlive = async <T>(body: unknown, work: (keepalive: boolean) => Promise<T>): Promise<T> => {
  const most = JSON.stringify(body).length * 3
  const hasRoom = keptAlive + most < keepaliveBytes
  const bytes = hasRoom ? most : 0
  keptAlive += bytes
  try {
    return await work(hasRoom)
  } finally {
    keptAlive -= bytes
  }
}

const mine = (recordId: string): string => path('/api/v1/records', recordId, 'responses', 'mine')

export const httpTransport: Transport = {
  put: async ({ record_id, ...body }) => {
    try {
      const standing = await keepingAlive(body, (keepalive) =>
        call<typeof putMyResponse>('PUT', mine(record_id), { body, keepalive, signal: AbortSignal.timeout(timeout) }),
      )
      return { kind: 'done', standing }
    } catch (error) {
      return outcomeOf(error)
    }
  },
  remove: async ({ record_id, ...query }) => {
    try {
      await call<typeof clearMyResponse>('DELETE', mine(record_id), {
        query,
        keepalive: true,
        signal: AbortSignal.timeout(timeout),
      })
      return { kind: 'done', standing: null }
    } catch (error) {
      return outcomeOf(error)
    }
  },
  currentUser: async () => {
    try {
      const user = await call<typeof getMe>('GET', '/api/v1/me', {
        endsSession: false,
        live: true,
        signal: AbortSignal.timeout(timeout),
      })
      // Nobody sends anything before a second factor is shown.
      return user.second_factor_due ? null : user.id
    } catch (error) {
      return error instanceof ApiError && error.status === 401 ? null : undefined
    }
  },
}
