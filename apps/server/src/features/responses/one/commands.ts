import type { Response } from '@postil/contract/responses.ts'
import { conflict, forbidden, notFound } from '@postil/contract/wire/errors.ts'
import { recordOfTest } from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { datasetNoOf, isOurForm } from '#platform/ids.ts'
import { responsePolicy } from '../policy.ts'
import { printResponse, type StoredResponse } from '../rows.ts'
import { loadQuestions, scopeOfResponse } from '../scope.ts'
import type { SentAnswer } from '../sent-answer.ts'
import { loadOwnAnswer } from '../stored-answers.ts'
import { clearTestAnswer, isTestAnswer, putTestAnswer } from './test-answer.ts'
import { changeAnswer, type LockedContext, lockRecord, putAnswer } from './write.ts'

type ForRecord = { readonly user: Actor; readonly record_id: string; readonly sent: SentAnswer }

/** Creates the caller's first answer. @throws Problem not_found, forbidden, conflict, unprocessable */
export const createResponse = command('responses.create', async (db, { user, record_id, sent }: ForRecord): Promise<Response> => {
  const context = await lockRecord(db, record_id, user.id)
  if (!responsePolicy.create(user, context.scope)) throw forbidden()
  const exists = () => conflict(`Response already exists for record with id \`${record_id}\` and user with id \`${user.id}\``)
  if (isTestAnswer(context)) {
    const answer = await putTestAnswer(db, context, { user, sent, base: null, refusal: exists })
    return answer.response
  }
  if (context.own.current !== null) throw exists()
  return putAnswer(db, context, { author: user.id, actor: user.id, after: sent, keepsEqual: false })
})

/** Creates or replaces the caller's answer for an item of a bulk request. @throws Problem not_found, forbidden, unprocessable */
export const upsertResponse = command('responses.upsert', async (db, { user, record_id, sent }: ForRecord): Promise<Response> => {
  const context = await lockRecord(db, record_id, user.id)
  if (!responsePolicy.create(user, context.scope)) throw forbidden()
  if (isTestAnswer(context)) return (await putTestAnswer(db, context, { user, sent })).response
  return putAnswer(db, context, { author: user.id, actor: user.id, after: sent, keepsEqual: false })
})

type LockedResponse = { readonly context: LockedContext; readonly current: StoredResponse }

/** Locks an answer and its record; null if there is no such answer. */
const lockAnswer = async (db: Db, id: string, userId: string): Promise<LockedResponse | null> => {
  const scope = await scopeOfResponse(db, id, userId)
  if (scope === null) return null
  const place = { dataset_no: scope.dataset.no, id: scope.record.id }
  const [own, questions] = await pipeline([
    loadOwnAnswer(db, place, { column: 'id', is: id }),
    loadQuestions(db, scope.dataset.no),
  ])
  const { current } = own
  return current === null ? null : { context: { scope, own, questions }, current }
}

/** Locks an answer and its record. The caller checks permissions. @throws Problem not_found */
export const lockResponse = async (db: Db, id: string, userId: string): Promise<LockedResponse> => {
  const answer = await lockAnswer(db, id, userId)
  if (answer === null) throw notFound('response', id)
  return answer
}

/**
 * If `id` identifies the user's answer to a test item, locks the item's record. Otherwise, returns null. Other users can't access
 * the answer by this ID.
 */
const lockTestAnswer = async (db: Db, id: string, user: Actor): Promise<LockedContext | null> => {
  const recordId = isOurForm(id) ? await recordOfTest(db, { datasetNo: datasetNoOf(id), id, userId: user.id }) : null
  if (recordId === null) return null
  const context = await lockRecord(db, recordId, user.id)
  return isTestAnswer(context) ? context : null
}

type LockedForChange =
  | { readonly answer: LockedResponse; readonly test: null }
  | { readonly answer: null; readonly test: LockedContext }

/** Locks an answer, which may be the user's answer to a test item. @throws Problem not_found, forbidden */
const lockForChange = async (db: Db, id: string, user: Actor): Promise<LockedForChange> => {
  const answer = await lockAnswer(db, id, user.id)
  if (answer === null) {
    const test = await lockTestAnswer(db, id, user)
    if (test === null) throw notFound('response', id)
    return { answer, test }
  }
  if (!responsePolicy.change(user, answer.context.scope, answer.current.user_id)) throw forbidden()
  return { answer, test: null }
}

/**
 * Replaces an answer. The answer keeps its author, and active time is added only if the author makes the change. @throws Problem
 * not_found, forbidden, unprocessable
 */
export const updateResponse = command(
  'responses.update',
  async (db, { user, id, sent }: { user: Actor; id: string; sent: SentAnswer }): Promise<Response> => {
    const { answer, test } = await lockForChange(db, id, user)
    if (answer === null) return (await putTestAnswer(db, test, { user, sent })).response
    const { context, current } = answer
    const after = current.user_id === user.id ? sent : { ...sent, active_ms: null }
    const change = { author: current.user_id, actor: user.id, after, keepsEqual: true }
    return putAnswer(db, context, change)
  },
)

/** @returns the answer before its deletion. @throws Problem not_found, forbidden */
export const deleteResponse = command(
  'responses.delete',
  async (db, { user, id }: { user: Actor; id: string }): Promise<Response> => {
    const { answer, test } = await lockForChange(db, id, user)
    if (answer === null) {
      const deleted = await clearTestAnswer(db, test, { user })
      if (deleted === null) throw notFound('response', id)
      return deleted
    }
    const { context, current } = answer
    const change = { author: current.user_id, actor: user.id, after: null, keepsEqual: false }
    await changeAnswer(db, context, change)
    return printResponse(current)
  },
)
