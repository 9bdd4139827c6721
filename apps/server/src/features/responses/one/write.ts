import type { Response } from '@postil/contract/responses.ts'
import { notFound } from '@postil/contract/wire/errors.ts'
import type { Db } from '#platform/db/db.ts'
import { inDatasetOf } from '#platform/db/keys/dataset-of-id.ts'
import { together } from '#platform/db/statements/together.ts'
import type { Sent } from '../check.ts'
import { checkAnswer } from '../check.ts'
import { gravesOf } from '../history.ts'
import type { Actor } from '../policy.ts'
import { printResponse } from '../rows.ts'
import type { Answers, Scope, ScopeQuestion } from '../scope.ts'
import { loadAnswers, loadQuestions, scopeOfRecord } from '../scope.ts'
import { applyChange } from './change.ts'

/** What an answer of a user to a record meets. */
export type Met = { readonly scope: Scope; readonly own: Answers; readonly questions: readonly ScopeQuestion[] }

/**
 * Locks the record; then reads the author's answer to it, who else answered it, and the questions.
 * @param author whose answer it is about; the caller unless said
 * @throws Problem not_found
 */
export const meetRecord = async (db: Db, recordId: string, userId: string, author = userId): Promise<Met> => {
  const met = await inDatasetOf(db, 'records', recordId, async (no): Promise<Met | null> => {
    const [scope, own, questions] = await together([
      scopeOfRecord(db, recordId, { no, userId }),
      loadAnswers(db, { dataset_no: no, id: recordId }, { column: 'user_id', is: author }),
      loadQuestions(db, no),
    ])
    return scope && { scope, own, questions }
  })
  if (met === null) throw notFound('record', recordId)
  return met
}

/** The version that a deleted answer of the user reached, 0 when there was none. */
const buriedVersion = async (db: Db, { dataset, record }: Scope, userId: string): Promise<number> =>
  (await gravesOf(db, { dataset_no: dataset.no, seq: record.seq }, userId))?.version ?? 0

type Put = { readonly user: Actor; readonly sent: Sent; readonly mutationId?: string; readonly author?: string }

/** Checks, then creates or replaces an answer: the caller's, unless another author is said. @throws Problem unprocessable */
export const putAnswer = async (
  db: Db,
  { scope, own, questions }: Met,
  { user, sent, mutationId, author = user.id }: Put,
): Promise<Response> => {
  const { standing: before, answers, buried, leased } = own
  checkAnswer(scope, questions, sent)
  const lastVersion = before === null && buried ? await buriedVersion(db, scope, author) : 0
  const who = { author, actor: user.id }
  const change = {
    scope,
    questions,
    ...who,
    answers,
    leased,
    before,
    after: sent,
    lastVersion,
    ...(mutationId && { mutationId }),
  }
  return printResponse(await applyChange(db, change))
}
