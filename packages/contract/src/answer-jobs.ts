import { z } from 'zod'
import { Job } from './jobs.ts'
import { recordTarget, refuseUnclearTarget } from './record-target.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { maxAssignees, maxNoteLength } from './wire/limits.ts'
import { text, uuid } from './wire/scalars.ts'

/** `return`: the answers become drafts with the comment. `discard`: they become discarded. */
export const answerChanges = ['return', 'discard'] as const
export type AnswerChangeName = (typeof answerChanges)[number]

export const AnswerJobBody = z
  .object({
    ...recordTarget,
    change: z.enum(answerChanges),
    /** Required to return answers. Has no effect otherwise. */
    comment: text({ min: 1, max: maxNoteLength }).nullish(),
    /** The people whose answers change; null for everyone. */
    user_ids: z.array(uuid()).min(1).max(maxAssignees).nullish(),
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
  summary: 'Return or discard the submitted answers of records',
})
export const undoAnswerJob = defineEndpoint({
  id: 'review.undo_answer_job',
  method: 'POST',
  path: `${path}/:job_id/undo`,
  status: 202,
  result: Job,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Undo a job that returned or discarded answers, except for answers that have changed since',
})

export const answerJobEndpoints = [startAnswerJob, undoAnswerJob] as const
