import { z } from 'zod'
import { Job } from './jobs.ts'
import { recordTarget, refuseUnclearTarget } from './record-target.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { maxAssignees, maxNoteLength } from './wire/limits.ts'
import { boolOr, int, text, uuid } from './wire/scalars.ts'

/** `return`: the answers become drafts with the comment. `discard`: the answers are discarded. */
export const givenAnswerChanges = ['return', 'discard'] as const
/** `request`: the records need more answers, and completed records become pending. */
export const answerChanges = [...givenAnswerChanges, 'request'] as const
export type GivenAnswerChange = (typeof givenAnswerChanges)[number]

/** The maximum number of answers that a record can need in addition to the dataset's minimum. */
export const maxExtraAnswers = 100
/** The maximum number of answers that one request can add. */
export const maxRequestedAnswers = 10

export const AnswerJobBody = z
  .object({
    ...recordTarget,
    change: z.enum(answerChanges),
    /** Required if `change` is `return`. Has no effect otherwise. */
    comment: text({ min: 1, max: maxNoteLength }).nullish(),
    /** The people whose answers change; null for everyone. */
    user_ids: z.array(uuid()).min(1).max(maxAssignees).nullish(),
    /** How many more answers each record needs. Allowed only if `change` is `request`. Default: 1. */
    answers: int({ ge: 1, le: maxRequestedAnswers }).nullish(),
    /** Whether to count only, without changing anything. Only allowed if `change` is `request`. */
    dry_run: boolOr(false),
  })
  .superRefine(refuseUnclearTarget)
  .superRefine(({ change, comment }, ctx) => {
    if (change === 'return' && (comment === null || comment === undefined))
      ctx.addIssue({
        code: 'custom',
        path: ['comment'],
        message: "Value error, returned answers need a 'comment'",
        params: { type: 'value_error' },
      })
  })
  .superRefine((body, ctx) => {
    const isRequest = body.change === 'request'
    const refused = isRequest ? (['user_ids'] as const) : (['answers', 'dry_run'] as const)
    for (const key of refused)
      if (body[key] != null && body[key] !== false)
        ctx.addIssue({
          code: 'custom',
          path: [key],
          message: `Value error, '${key}' is ${isRequest ? 'not allowed' : 'only allowed'} with the change 'request'`,
          params: { type: 'value_error' },
        })
  })
export type AnswerJobBody = z.infer<typeof AnswerJobBody>
export type AnswerJobInput = z.input<typeof AnswerJobBody>

const path = '/datasets/:dataset_id/answers/jobs'

export const startAnswerJob = defineEndpoint({
  id: 'review.start_answer_job',
  method: 'POST',
  path,
  body: AnswerJobBody,
  status: 202,
  result: Job,
  errors: [403, 404],
  addition: true,
  summary: 'Return or discard the submitted answers to records, or request more answers',
})
export const undoAnswerJob = defineEndpoint({
  id: 'review.undo_answer_job',
  method: 'POST',
  path: `${path}/:job_id/undo`,
  status: 202,
  result: Job,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Undo a job that returned, discarded or requested answers, except for answers that have changed since',
})

export const answerJobEndpoints = [startAnswerJob, undoAnswerJob] as const
