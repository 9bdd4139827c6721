import type { Response } from '@postil/contract/responses.ts'
import type { Db } from '#platform/db/db.ts'
import { applyChange } from './change.ts'
import type { Sent } from './check.ts'
import { checkAnswer } from './check.ts'
import { gravesOf } from './history.ts'
import type { Actor } from './policy.ts'
import { printResponse } from './rows.ts'
import type { Answers, Scope } from './scope.ts'
import { loadAnswers, loadQuestions } from './scope.ts'

/** The caller's answer to a locked record, and who else answered it. */
export const ownAnswers = (db: Db, scope: Scope, userId: string): Promise<Answers> =>
  loadAnswers(db, scope, { column: 'user_id', is: userId })

/** The version that a deleted answer of the user reached, 0 when there was none. */
const buriedVersion = async (db: Db, { dataset, record }: Scope, userId: string): Promise<number> =>
  (await gravesOf(db, { dataset_no: dataset.no, seq: record.seq }, userId))?.version ?? 0

/** Checks, then creates or replaces the caller's answer. @throws Problem unprocessable */
export const putAnswer = async (
  db: Db,
  scope: Scope,
  { user, own, sent, mutationId }: { user: Actor; own: Answers; sent: Sent; mutationId?: string },
): Promise<Response> => {
  const { standing: before, answers, buried } = own
  const questions = await loadQuestions(db, scope.dataset.id)
  await checkAnswer(db, scope, questions, sent)
  const lastVersion = before === null && buried ? await buriedVersion(db, scope, user.id) : 0
  const who = { author: user.id, actor: user.id }
  const change = { scope, questions, ...who, answers, before, after: sent, lastVersion, ...(mutationId && { mutationId }) }
  return printResponse(await applyChange(db, change))
}
