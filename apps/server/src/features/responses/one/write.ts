import type { Response } from '@postil/contract/responses.ts'
import { notFound } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { withDatasetOf } from '#platform/db/keys/find-dataset.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { Sent } from '../check.ts'
import { checkAnswer } from '../check.ts'
import { tombstonesOf } from '../history.ts'
import { printResponse } from '../rows.ts'
import type { Answers, Scope, ScopeQuestion } from '../scope.ts'
import { loadAnswers, loadQuestions, scopeOfRecord } from '../scope.ts'
import { applyChange } from './change.ts'

/** The locked record with the author's answer and the questions. */
export type LockedContext = { readonly scope: Scope; readonly own: Answers; readonly questions: readonly ScopeQuestion[] }

/**
 * Locks the record, then reads the author's answer to it, who else answered it, and the questions.
 * @param author the answer's author; defaults to the caller
 * @throws Problem not_found
 */
export const lockRecord = async (db: Db, recordId: string, userId: string, author = userId): Promise<LockedContext> => {
  const context = await withDatasetOf(db, 'records', recordId, async (no): Promise<LockedContext | null> => {
    const [scope, own, questions] = await pipeline([
      scopeOfRecord(db, recordId, { no, userId }),
      loadAnswers(db, { dataset_no: no, id: recordId }, { column: 'user_id', is: author }),
      loadQuestions(db, no),
    ])
    return scope && { scope, own, questions }
  })
  if (context === null) throw notFound('record', recordId)
  return context
}

/** Returns the last version of the user's deleted answer; 0 if there was none. */
const deletedVersion = async (db: Db, { dataset, record }: Scope, userId: string): Promise<number> =>
  (await tombstonesOf(db, { dataset_no: dataset.no, seq: record.seq }, userId))?.version ?? 0

type PutArgs = { readonly user: Actor; readonly sent: Sent; readonly mutationId?: string; readonly author?: string }

/**
 * Validates an answer, then creates or replaces it. The author is the caller unless another author is given. @throws Problem
 * unprocessable
 */
export const putAnswer = async (
  db: Db,
  { scope, own, questions }: LockedContext,
  { user, sent, mutationId, author = user.id }: PutArgs,
): Promise<Response> => {
  const { current: before, answers, wasDeleted, leased } = own
  checkAnswer(scope, questions, sent)
  const lastVersion = before === null && wasDeleted ? await deletedVersion(db, scope, author) : 0
  const people = { author, actor: user.id }
  const change = {
    scope,
    questions,
    ...people,
    answers,
    leased,
    before,
    after: sent,
    lastVersion,
    ...(mutationId && { mutationId }),
  }
  return printResponse(await applyChange(db, change))
}
