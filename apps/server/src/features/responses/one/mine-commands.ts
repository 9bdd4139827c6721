import type { Response } from '@postil/contract/responses.ts'
import { conflict, forbidden } from '@postil/contract/wire/errors.ts'
import { sayRefusal } from '@postil/contract/wire/refusals.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import type { Sent } from '../check.ts'
import { firstOutcome } from '../history.ts'
import type { Actor } from '../policy.ts'
import { responsePolicy } from '../policy.ts'
import type { StoredResponse } from '../rows.ts'
import { printResponse } from '../rows.ts'
import { applyChange } from './change.ts'
import type { Met } from './write.ts'
import { meetRecord, putAnswer } from './write.ts'

/*
 * Idempotent requests about the caller's own answer: each carries the name of its change and the version that it is based on.
 */
type Mine = {
  readonly user: Actor
  readonly record_id: string
  readonly mutation_id: string
  readonly base_version: number | null
}

type Outcome = { readonly replayed: StoredResponse; readonly met: null } | { readonly replayed: null; readonly met: Met }

/** What the request meets: its own first outcome, or the answer to change. @throws Problem not_found, forbidden, conflict */
const meet = async (db: Db, { user, record_id, mutation_id, base_version }: Mine): Promise<Outcome> => {
  const met = await meetRecord(db, record_id, user.id)
  const { scope } = met
  const { standing, buried } = met.own
  // NOTE: one's own answers stay one's own after leaving the workspace
  if (standing === null && !responsePolicy.create(user, scope)) throw forbidden()
  if (standing?.last_mutation_id === mutation_id) return { replayed: standing, met: null }
  const isBase = base_version === (standing?.version ?? null)
  // NOTE: versions only rise, so a request whose base still stands was not carried out, unless what it made was deleted
  if (!isBase || (standing === null && buried)) {
    const place = { dataset_no: scope.dataset.no, seq: scope.record.seq }
    const replayed = await firstOutcome(db, place, { user_id: user.id, mutation_id })
    if (replayed !== null) return { replayed, met: null }
  }
  if (isBase) return { replayed: null, met }
  throw conflict(sayRefusal('otherAnswer', { record: record_id }), {
    response: standing === null ? null : printResponse(standing),
  })
}

/** Writes the caller's answer once, however often it is sent. @throws Problem not_found, forbidden, conflict, unprocessable */
export const putMyResponse = command(
  'responses.put-mine',
  async (db, { sent, ...mine }: Mine & { sent: Sent }): Promise<{ response: Response; created: boolean }> => {
    const { replayed, met } = await meet(db, mine)
    if (replayed !== null) return { response: printResponse(replayed), created: false }
    const response = await putAnswer(db, met, { user: mine.user, sent, mutationId: mine.mutation_id })
    return { response, created: met.own.standing === null }
  },
)

/** Deletes the caller's answer once. @returns the answer as it was, or null. @throws Problem not_found, forbidden, conflict */
export const clearMyResponse = command('responses.clear-mine', async (db, mine: Mine): Promise<Response | null> => {
  const { replayed, met } = await meet(db, mine)
  if (replayed !== null) return printResponse(replayed)
  const { scope, own } = met
  if (own.standing === null) return null
  const { user, mutation_id: mutationId } = mine
  const change = {
    scope,
    questions: [],
    author: user.id,
    actor: user.id,
    answers: own.answers,
    leased: own.leased,
    before: own.standing,
    after: null,
  }
  return printResponse(await applyChange(db, { ...change, mutationId }))
})
