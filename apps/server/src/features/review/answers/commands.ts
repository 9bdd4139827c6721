import type { AnswerJobBody } from '@postil/contract/answer-jobs.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { datasetScope, type ScopeDataset } from '#features/records/public.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { deleteOldParts } from '#platform/jobs/parts.ts'
import { copyParts, countParts, endedJob, refuseUndo, storeParts } from '../job-parts.ts'
import { reviewPolicy } from '../policy.ts'
import type { InDataset } from '../settings.ts'
import { type AnswerJobArgs, type AnswerWork, changeAnswers, noCounts } from './job.ts'

const leadDataset = async (db: Db, { user, dataset_id }: InDataset): Promise<ScopeDataset> => {
  const dataset = await datasetScope(db, dataset_id, user, { hold: true })
  if (!reviewPolicy.changeAnswers(user, dataset)) throw forbidden()
  return dataset
}

const addJob = async (db: Db, dataset_no: number, user_id: string, work: AnswerWork, total: number): Promise<string> => {
  await deleteOldParts(db, 'gold_parts')
  const args: AnswerJobArgs = { part: 0, work, answers: noCounts }
  return enqueueJob(db, changeAnswers, { dataset_no, user_id, args, total })
}

type StartArgs = InDataset & {
  readonly body: Pick<AnswerJobBody, 'change' | 'comment' | 'user_ids' | 'answers' | 'dry_run'>
  /** In ascending order, because records are locked in that order. */
  readonly seqs: readonly number[]
}

/**
 * Adds a job that returns, discards or requests answers.
 * @returns the job's ID.
 * @throws Problem not_found, forbidden, too_many
 */
export const startChange = command('review.start-answers', async (db, { body, seqs, ...of }: StartArgs): Promise<string> => {
  const { no } = await leadDataset(db, of)
  const { change, comment, user_ids = null, answers, dry_run } = body
  const work: AnswerWork =
    change === 'request'
      ? { do: change, answers: answers ?? 1, isDryRun: dry_run }
      : { do: change, comment: comment ?? '', users: user_ids }
  const job_id = await addJob(db, no, of.user.id, work, seqs.length)
  await storeParts(db, { job_id, dataset_no: no, seqs })
  return job_id
})

/**
 * Adds a job that undoes another job. Keeps answers that have been changed since the other job changed them.
 * @returns the ID of the new job
 * @throws Problem not_found, forbidden, unprocessable, too_many
 */
export const startUndo = command(
  'review.undo-answers',
  async (db, { job_id, ...of }: InDataset & { readonly job_id: string }) => {
    const { no } = await leadDataset(db, of)
    const job = await endedJob(db, { job_id, dataset_no: no, kinds: [changeAnswers.kind] })
    const { work, answers, part } = job.args as unknown as AnswerJobArgs
    const isRequest = work.do === 'request'
    const left = isRequest && !work.isDryRun ? await countParts(db, job.id, part) : 0
    const stored = isRequest && left === 0 ? 0 : answers.stored
    refuseUndo({ isUndo: work.do === 'undo' || work.do === 'withdraw', stored })
    if (isRequest) return addJob(db, no, of.user.id, { do: 'withdraw', job: job.id, end: part, answers: work.answers }, stored)
    const undo = await addJob(db, no, of.user.id, { do: 'undo', job: job.id }, job.done)
    await copyParts(db, { from: job.id, to: undo, end: part })
    return undo
  },
)
