import type { Response } from '@postil/contract/responses.ts'
import { conflict, forbidden, notFound } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import type { Sent } from '../check.ts'
import { checkAnswer } from '../check.ts'
import { responsePolicy } from '../policy.ts'
import type { StoredResponse } from '../rows.ts'
import { printResponse } from '../rows.ts'
import type { Answers, Scope } from '../scope.ts'
import { loadAnswers, loadQuestions, scopeOfResponse } from '../scope.ts'
import { applyChange, applyUnchanged } from './change.ts'
import { lockRecord, putAnswer } from './write.ts'

type ForRecord = { readonly user: Actor; readonly record_id: string; readonly sent: Sent }

/** Creates the caller's first answer. @throws Problem not_found, forbidden, conflict, unprocessable */
export const createResponse = command('responses.create', async (db, { user, record_id, sent }: ForRecord): Promise<Response> => {
  const context = await lockRecord(db, record_id, user.id)
  if (!responsePolicy.create(user, context.scope)) throw forbidden()
  if (context.own.current !== null) {
    throw conflict(`Response already exists for record with id \`${record_id}\` and user with id \`${user.id}\``)
  }
  return putAnswer(db, context, { user, sent })
})

/** Creates or replaces the caller's answer for an item of a bulk. @throws Problem not_found, forbidden, unprocessable */
export const upsertResponse = command('responses.upsert', async (db, { user, record_id, sent }: ForRecord): Promise<Response> => {
  const context = await lockRecord(db, record_id, user.id)
  if (!responsePolicy.create(user, context.scope)) throw forbidden()
  return putAnswer(db, context, { user, sent })
})

type LockedResponse = { readonly scope: Scope; readonly before: StoredResponse; readonly own: Answers }

/** @throws Problem not_found, forbidden */
const lockForChange = async (db: Db, id: string, user: Actor): Promise<LockedResponse> => {
  const scope = await scopeOfResponse(db, id, user.id)
  const place = { dataset_no: scope.dataset.no, id: scope.record.id }
  const own = await loadAnswers(db, place, { column: 'id', is: id })
  const { current } = own
  if (current === null) throw notFound('response', id)
  if (!responsePolicy.change(user, scope, current.user_id)) throw forbidden()
  return { scope, before: current, own }
}

/** Replaces an answer. Its author stays the same. @throws Problem not_found, forbidden, unprocessable */
export const updateResponse = command(
  'responses.update',
  async (db, { user, id, sent }: { user: Actor; id: string; sent: Sent }): Promise<Response> => {
    const { scope, before, own } = await lockForChange(db, id, user)
    const questions = await loadQuestions(db, scope.dataset.no)
    checkAnswer(scope, questions, sent)
    if (before.status === sent.status && jsonEquals(before.values, sent.values)) {
      return printResponse(await applyUnchanged(db, { scope, before, actor: user.id }))
    }
    const people = { author: before.user_id, actor: user.id }
    return printResponse(await applyChange(db, { scope, questions, ...people, ...own, before, after: sent }))
  },
)

/** @returns the answer before its deletion. @throws Problem not_found, forbidden */
export const deleteResponse = command(
  'responses.delete',
  async (db, { user, id }: { user: Actor; id: string }): Promise<Response> => {
    const { scope, before, own } = await lockForChange(db, id, user)
    const people = { author: before.user_id, actor: user.id }
    return printResponse(await applyChange(db, { scope, questions: [], ...people, ...own, before, after: null }))
  },
)
