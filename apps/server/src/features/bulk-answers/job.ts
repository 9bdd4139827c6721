import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { AnswerCounts } from '@postil/contract/jobs.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import { answerMany, type LabelToSet, type ManyOutcome, revertMany } from '#features/responses/public.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import { type Job, jobKind, type StepOutcome } from '#platform/jobs/kinds.ts'
import { starterOf } from '#platform/jobs/starter.ts'
import { type Item, parsePart } from './parts.ts'

export type BulkArgs = {
  readonly status: ResponseStatus
  readonly values: AnswerValues
  readonly own: readonly string[]
  /** Missing in jobs that an earlier version of Postil started. */
  readonly skip?: readonly string[]
  /** A label to add to every answer. */
  readonly label?: LabelToSet | undefined
  /** For an undo: the job that this job undoes. In that case, `status` is the undone job's status. */
  readonly undoes?: string
  /** The next part to process. */
  readonly part: number
  readonly answers: AnswerCounts
}
export const emptyCounts: AnswerCounts = { stored: 0, invalid: 0, changed: 0, gone: 0 }

/**
 * Outcomes of the items in one part of the job, by `seq`. Contains all outcomes other than `stored`. Contains a stored answer
 * only if its new version isn't the version in the item plus one. This happens if earlier answers were deleted or if an identical
 * answer already existed.
 */
export type Exceptions = { readonly [seq: string]: readonly [ManyOutcome['outcome'], string | null, number?] }

const exceptionsIn = (items: readonly Item[], outcomes: readonly ManyOutcome[]): Exceptions =>
  Object.fromEntries(
    outcomes.flatMap((one, i): [number, Exceptions[string]][] => {
      if (one.outcome !== 'stored')
        return [[one.seq, [one.outcome, one.outcome === 'invalid' ? renderMessage(one.reason) : null]]]
      return one.version === (items[i]?.version ?? 0) + 1 ? [] : [[one.seq, ['stored', null, one.version]]]
    }),
  )

const addOutcomes = (counts: AnswerCounts, outcomes: readonly ManyOutcome[]): AnswerCounts => {
  const sum = { ...counts }
  for (const { outcome } of outcomes) sum[outcome] += 1
  return sum
}

const nextPart = (db: Db, job: Job, part: number) =>
  db.sql
    .selectFrom('bulk_answer_parts')
    .select(['part_no', 'records'])
    .where('job_id', '=', job.id)
    .where('part_no', '=', part)
    .executeTakeFirst()

const runStep = async (db: Db, job: Job): Promise<StepOutcome> => {
  // The arguments were written by `startBulk` or by this function.
  const args = job.args as BulkArgs
  const user = await starterOf(db, job.user_id)
  if (user === null) return { finished: false, failed: message('answererGone') }
  const part = await nextPart(db, job, args.part)
  if (part === undefined || job.dataset_no === null) return { finished: true }
  const items = parsePart(part.records)
  const { dataset_no } = job
  const sent = { status: args.status, values: args.values }
  const outcomes =
    args.undoes === undefined
      ? await answerMany(db, { user, dataset_no, items, sent, own: args.own, skip: args.skip ?? [], label: args.label })
      : await revertMany(db, { user, dataset_no, items: items.map(({ to = 0, ...item }) => ({ ...item, to })) })
  if (outcomes === null) {
    // The user who started the job may have been deleted since `user` was looked up
    const authorExists = (await starterOf(db, user.id)) !== null
    return { finished: false, failed: message(authorExists ? 'datasetGone' : 'answererGone') }
  }
  await db.sql
    .updateTable('bulk_answer_parts')
    .set({ outcomes: json(exceptionsIn(items, outcomes)) })
    .where('job_id', '=', job.id)
    .where('part_no', '=', part.part_no)
    .execute()
  const done = job.done + items.length
  return {
    finished: done >= (job.total ?? 0),
    args: { ...args, part: args.part + 1, answers: addOutcomes(args.answers, outcomes) },
    done,
  }
}

/**
 * Answers the records that were found when the job started, with the same side effects as single answers. Each step answers one
 * part of the records and stores the job's progress in the same transaction, so no record is answered twice.
 */
export const bulkAnswer = jobKind('responses.bulk', async (db, job) => {
  try {
    return await runStep(db, job)
  } catch (error) {
    // The right to answer was revoked. A retry would end the same way
    if (error instanceof Problem && error.data.kind === 'forbidden') return { finished: false, failed: error.reason }
    throw error
  }
})
