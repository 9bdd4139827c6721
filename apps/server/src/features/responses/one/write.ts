import type { Response } from '@postil/contract/responses.ts'
import { conflict, notFound, type Problem, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { autoGoldOf } from '#features/gold/public.ts'
import type { Db } from '#platform/db/db.ts'
import { withDatasetOf } from '#platform/db/keys/find-dataset.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { type AnswerChange, applyAnswers } from '../apply-answers.ts'
import { printResponse, type StoredResponse } from '../rows.ts'
import type { Scope, ScopeQuestion } from '../scope.ts'
import { contentOf, loadQuestions, scopeOfRecord } from '../scope.ts'
import { loadOwnAnswer, type OwnAnswer } from '../stored-answers.ts'

/** A locked record with one answer. */
export type LockedContext = { readonly scope: Scope; readonly own: OwnAnswer; readonly questions: readonly ScopeQuestion[] }

/**
 * Locks the record, then reads the author's answer to it, the users who answered it, and the questions.
 * @param author the answer's author; defaults to the caller
 * @throws Problem not_found
 */
export const lockRecord = async (db: Db, recordId: string, userId: string, author = userId): Promise<LockedContext> => {
  const context = await withDatasetOf(db, 'records', recordId, async (no): Promise<LockedContext | null> => {
    const [scope, own, questions] = await pipeline([
      scopeOfRecord(db, recordId, { no, userId }),
      loadOwnAnswer(db, { dataset_no: no, id: recordId }, { column: 'user_id', is: author }),
      loadQuestions(db, no),
    ])
    return scope && { scope, own, questions }
  })
  if (context === null) throw notFound('record', recordId)
  return context
}

type OneChange = Pick<AnswerChange, 'author' | 'after' | 'base' | 'mutationId' | 'activeMs'> & {
  /** The user who makes the change: the author, an admin or an owner. */
  readonly actor: string
  readonly keepsEqual: boolean
}
type Versions = { readonly before: StoredResponse | null; readonly after: StoredResponse | null }

const otherAnswer = (recordId: string, current: StoredResponse | null): Problem =>
  conflict(message('otherAnswer', { record: recordId }), { response: current && printResponse(current) })

/**
 * Applies one change to the answer of a locked record, with all side effects. @returns the answer before and after the change
 * @throws Problem conflict, unprocessable
 */
export const changeAnswer = async (
  db: Db,
  { scope, own, questions }: LockedContext,
  { actor, keepsEqual, ...change }: OneChange,
): Promise<Versions> => {
  const { dataset, record, hidingRule, hasAnsweredBefore, hasWebhooks } = scope
  const autoGold = autoGoldOf(dataset)
  // The writes are deferred to the commit, except in two cases:
  // - If webhooks are enabled, the events must read the stored rows.
  // - If a rule chooses final answers, they must be computed from the rows of earlier reviews.
  const { outcomes } = await applyAnswers(hasWebhooks || autoGold !== null ? db : db.atCommit, {
    dataset,
    questions,
    actor,
    changes: [{ record, content: contentOf(scope), ...change }],
    stored: new Map([[record.seq, own.record]]),
    keepsEqual,
    autoGold,
    hidingRule,
    activity: { hasWebhooks },
    // `hasAnsweredBefore` refers to the caller.
    knowsAuthors: hasAnsweredBefore && change.author === actor,
  })
  const [outcome] = outcomes
  if (outcome?.outcome === 'changed') throw otherAnswer(record.id, outcome.current)
  if (outcome?.outcome === 'invalid') throw unprocessable(outcome.reason)
  if (outcome === undefined) throw new Error('the change has no outcome')
  return outcome
}

/** Like `changeAnswer`, for a new answer. @returns the stored answer */
export const putAnswer = async (
  db: Db,
  context: LockedContext,
  change: OneChange & { readonly after: NonNullable<AnswerChange['after']> },
): Promise<Response> => {
  const { after } = await changeAnswer(db, context, change)
  if (after === null) throw new Error('the answer was not stored')
  return printResponse(after)
}
