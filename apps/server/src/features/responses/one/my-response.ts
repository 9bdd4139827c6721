import type { Response } from '@postil/contract/responses.ts'
import { conflict, forbidden } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import type { Sent } from '../check.ts'
import { firstOutcome } from '../history.ts'
import { responsePolicy } from '../policy.ts'
import type { StoredResponse } from '../rows.ts'
import { printResponse } from '../rows.ts'
import { applyChange } from './change.ts'
import type { LockedContext } from './write.ts'
import { lockRecord, putAnswer } from './write.ts'

/* Idempotent requests about the caller's own answer. Each contains its mutation's ID and the answer version on which it is
   based. */
type MyResponseRequest = {
  readonly user: Actor
  readonly record_id: string
  readonly mutation_id: string
  readonly base_version: number | null
}

type Replay =
  | { readonly replayed: StoredResponse; readonly context: null }
  | { readonly replayed: null; readonly context: LockedContext }

/**
 * Returns the original outcome if the request is a repeat, otherwise the answer to change. @throws Problem not_found,
 * forbidden, conflict
 */
const lockOrReplay = async (db: Db, { user, record_id, mutation_id, base_version }: MyResponseRequest): Promise<Replay> => {
  const context = await lockRecord(db, record_id, user.id)
  const { scope } = context
  const { current, wasDeleted } = context.own
  // Users keep access to their own answers after they leave the workspace.
  if (current === null && !responsePolicy.create(user, scope)) throw forbidden()
  if (current?.last_mutation_id === mutation_id) return { replayed: current, context: null }
  const isCurrentBase = base_version === (current?.version ?? null)
  // Versions only increase. If the base version is still current, the request wasn't processed, unless the answer that it
  // created was deleted.
  if (!isCurrentBase || (current === null && wasDeleted)) {
    const place = { dataset_no: scope.dataset.no, seq: scope.record.seq }
    const replayed = await firstOutcome(db, place, { user_id: user.id, mutation_id })
    if (replayed !== null) return { replayed, context: null }
  }
  if (isCurrentBase) return { replayed: null, context }
  throw conflict(message('otherAnswer', { record: record_id }), {
    response: current === null ? null : printResponse(current),
  })
}

/**
 * Writes the caller's answer exactly once, even if the request is repeated. @throws Problem not_found, forbidden, conflict,
 * unprocessable
 */
export const putMyResponse = command(
  'responses.put-mine',
  async (db, { sent, ...request }: MyResponseRequest & { sent: Sent }): Promise<{ response: Response; created: boolean }> => {
    const { replayed, context } = await lockOrReplay(db, request)
    if (replayed !== null) return { response: printResponse(replayed), created: false }
    const response = await putAnswer(db, context, { user: request.user, sent, mutationId: request.mutation_id })
    return { response, created: context.own.current === null }
  },
)

/**
 * Deletes the caller's answer exactly once, even if the request is repeated. @returns the deleted answer, or null. @throws
 * Problem not_found, forbidden, conflict
 */
export const clearMyResponse = command(
  'responses.clear-mine',
  async (db, request: MyResponseRequest): Promise<Response | null> => {
    const { replayed, context } = await lockOrReplay(db, request)
    if (replayed !== null) return printResponse(replayed)
    const { scope, own } = context
    if (own.current === null) return null
    const { user, mutation_id: mutationId } = request
    const change = {
      scope,
      questions: [],
      author: user.id,
      actor: user.id,
      answers: own.answers,
      leased: own.leased,
      before: own.current,
      after: null,
    }
    return printResponse(await applyChange(db, { ...change, mutationId }))
  },
)
