import type { Response } from '@postil/contract/responses.ts'
import { conflict, forbidden, notFound } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import type { Sent } from '../check.ts'
import { checkAnswer } from '../check.ts'
import type { Actor } from '../policy.ts'
import { responsePolicy } from '../policy.ts'
import type { StoredResponse } from '../rows.ts'
import { printResponse } from '../rows.ts'
import type { Answers, Scope } from '../scope.ts'
import { loadAnswers, loadQuestions, scopeOfResponse } from '../scope.ts'
import { applyChange, applyUnchanged } from './change.ts'
import { meetRecord, putAnswer } from './write.ts'

type ForRecord = { readonly user: Actor; readonly record_id: string; readonly sent: Sent }

/** The caller's first answer. @throws Problem not_found, forbidden, conflict, unprocessable */
export const createResponse = command('responses.create', async (db, { user, record_id, sent }: ForRecord): Promise<Response> => {
  const met = await meetRecord(db, record_id, user.id)
  if (!responsePolicy.create(user, met.scope)) throw forbidden()
  if (met.own.standing !== null) {
    throw conflict(`Response already exists for record with id \`${record_id}\` and user with id \`${user.id}\``)
  }
  return putAnswer(db, met, { user, sent })
})

/** An item of a bulk: the caller's answer, created or replaced. @throws Problem not_found, forbidden, unprocessable */
export const upsertResponse = command('responses.upsert', async (db, { user, record_id, sent }: ForRecord): Promise<Response> => {
  const met = await meetRecord(db, record_id, user.id)
  if (!responsePolicy.create(user, met.scope)) throw forbidden()
  return putAnswer(db, met, { user, sent })
})

type Found = { readonly scope: Scope; readonly before: StoredResponse; readonly own: Answers }

/** @throws Problem not_found, forbidden */
const changeable = async (db: Db, id: string, user: Actor): Promise<Found> => {
  const scope = await scopeOfResponse(db, id, user.id)
  const place = { dataset_no: scope.dataset.no, id: scope.record.id }
  const own = await loadAnswers(db, place, { column: 'id', is: id })
  const { standing } = own
  if (standing === null) throw notFound('response', id)
  if (!responsePolicy.change(user, scope, standing.user_id)) throw forbidden()
  return { scope, before: standing, own }
}

/** Replaces an answer; its author stays. @throws Problem not_found, forbidden, unprocessable */
export const updateResponse = command(
  'responses.update',
  async (db, { user, id, sent }: { user: Actor; id: string; sent: Sent }): Promise<Response> => {
    const { scope, before, own } = await changeable(db, id, user)
    const questions = await loadQuestions(db, scope.dataset.no)
    checkAnswer(scope, questions, sent)
    if (before.status === sent.status && jsonEquals(before.values, sent.values)) {
      return printResponse(await applyUnchanged(db, { scope, before, actor: user.id }))
    }
    const who = { author: before.user_id, actor: user.id }
    return printResponse(await applyChange(db, { scope, questions, ...who, ...own, before, after: sent }))
  },
)

/** @returns the answer as it was. @throws Problem not_found, forbidden */
export const deleteResponse = command(
  'responses.delete',
  async (db, { user, id }: { user: Actor; id: string }): Promise<Response> => {
    const { scope, before, own } = await changeable(db, id, user)
    const who = { author: before.user_id, actor: user.id }
    return printResponse(await applyChange(db, { scope, questions: [], ...who, ...own, before, after: null }))
  },
)
