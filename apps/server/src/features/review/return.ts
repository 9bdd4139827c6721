import type { Response } from '@postil/contract/responses.ts'
import type { ReturnBody } from '@postil/contract/review.ts'
import { conflict, forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { recordScope } from '#features/records/public.ts'
import { lockResponse, putAnswer } from '#features/responses/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { command } from '#platform/db/operations.ts'
import { now, printTime } from '#platform/time.ts'
import { canReview, mayReviewOwn } from './settings.ts'

type ReturnArgs = {
  readonly user: Actor & { readonly username: string }
  readonly response_id: string
  readonly body: ReturnBody
}

/**
 * Returns a submitted answer to its author. Like any change, this stores a new version of the answer: a draft with the reviewer's
 * comment. @throws Problem not_found, forbidden, conflict, unprocessable
 */
export const returnResponse = command(
  'review.return',
  async (db, { user, response_id, body: { comment, base_version } }: ReturnArgs): Promise<Response> => {
    const { context, current } = await lockResponse(db, response_id, user.id)
    const { dataset, record } = await recordScope(db, context.scope.record.id, user, { hold: true })
    if (!canReview(user, dataset)) throw forbidden()
    const hasAnswered = context.own.record.answered.some(({ user_id, status }) => user_id === user.id && status === 'submitted')
    if (hasAnswered && !mayReviewOwn(user, dataset)) throw unprocessable(message('reviewOwn', { record: record.id }))
    if (current.status !== 'submitted') throw conflict(message('notSubmitted', { answer: response_id }))
    const { values, suggestion_outcomes } = current
    const returned = { by: { id: user.id, username: user.username }, at: printTime(now()), comment }
    return putAnswer(db, context, {
      author: current.user_id,
      actor: user.id,
      after: { status: 'draft', values: values as Response['values'], suggestion_outcomes, returned },
      base: base_version ?? undefined,
      keepsEqual: false,
    })
  },
)
