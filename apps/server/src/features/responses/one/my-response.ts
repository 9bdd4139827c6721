import type { Response } from '@postil/contract/responses.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { firstOutcome } from '../history.ts'
import { responsePolicy } from '../policy.ts'
import { printResponse, type StoredResponse } from '../rows.ts'
import type { SentAnswer } from '../sent-answer.ts'
import { clearTestAnswer, isTestAnswer, putTestAnswer } from './test-answer.ts'
import { changeAnswer, type LockedContext, lockRecord, putAnswer } from './write.ts'

/* Idempotent requests about the caller's own answer. Each request contains a mutation ID and the version of the answer that it
   changes. */
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
 * Returns the original outcome if the request is a repeat, otherwise the answer to change. @throws Problem not_found, forbidden
 */
const lockOrReplay = async (db: Db, { user, record_id, mutation_id, base_version }: MyResponseRequest): Promise<Replay> => {
  const context = await lockRecord(db, record_id, user.id)
  const { scope } = context
  if (isTestAnswer(context)) return { replayed: null, context }
  const { current, deletedVersion } = context.own
  // Users keep access to their own answers after they leave the workspace.
  if (current === null && !responsePolicy.create(user, scope)) throw forbidden()
  if (current?.last_mutation_id === mutation_id) return { replayed: current, context: null }
  // Looks for an earlier outcome only in two cases: the base version is no longer current, or the answer has been deleted. In all
  // other cases, the request hasn't been processed yet, because versions only increase.
  if (base_version !== (current?.version ?? null) || (current === null && deletedVersion !== null)) {
    const place = { dataset_no: scope.dataset.no, seq: scope.record.seq }
    const replayed = await firstOutcome(db, place, { user_id: user.id, mutation_id })
    if (replayed !== null) return { replayed, context: null }
  }
  return { replayed: null, context }
}

const changeOf = <A extends SentAnswer | null>({ user, base_version, mutation_id }: MyResponseRequest, after: A) => ({
  author: user.id,
  actor: user.id,
  after,
  base: base_version,
  mutationId: mutation_id,
  keepsEqual: false,
})

const testRequestOf = ({ user, base_version, mutation_id }: MyResponseRequest) => ({
  user,
  base: base_version,
  mutationId: mutation_id,
})

/**
 * Writes the caller's answer exactly once, even if the request is repeated. @throws Problem not_found, forbidden, conflict,
 * unprocessable
 */
export const putMyResponse = command(
  'responses.put-mine',
  async (
    db,
    { sent, ...request }: MyResponseRequest & { sent: SentAnswer },
  ): Promise<{ response: Response; created: boolean }> => {
    const { replayed, context } = await lockOrReplay(db, request)
    if (replayed !== null) return { response: printResponse(replayed), created: false }
    if (isTestAnswer(context)) return putTestAnswer(db, context, { ...testRequestOf(request), sent })
    return { response: await putAnswer(db, context, changeOf(request, sent)), created: context.own.current === null }
  },
)

/**
 * Deletes the caller's answer exactly once, even if the request is repeated. @returns the deleted answer, or null. @throws
 * Problem not_found, forbidden, conflict
 */
export const clearMyResponse = command(
  'responses.clear-mine',
  async (
    db,
    { active_ms, ...request }: MyResponseRequest & { readonly active_ms?: number | null | undefined },
  ): Promise<Response | null> => {
    const { replayed, context } = await lockOrReplay(db, request)
    if (replayed !== null) return printResponse(replayed)
    if (isTestAnswer(context)) return clearTestAnswer(db, context, { ...testRequestOf(request), activeMs: active_ms })
    const { before } = await changeAnswer(db, context, { ...changeOf(request, null), activeMs: active_ms })
    return before && printResponse(before)
  },
)
