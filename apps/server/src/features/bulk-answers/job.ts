import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { AnswerCounts } from '@postil/contract/jobs.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import { sayReason } from '@postil/contract/wire/reasons.ts'
import { answerMany, type ManyOutcome, takeBackMany } from '#features/responses/service.ts'
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
  /** The job whose answers are taken back, where it does not answer: `status` is that job's then. */
  readonly undoes?: string
  /** The part that comes next. */
  readonly part: number
  readonly answers: AnswerCounts
}
export const noAnswers: AnswerCounts = { stored: 0, invalid: 0, changed: 0, gone: 0 }

/**
 * What a part keeps of its outcomes, by `seq`. Answers that were stored need no word, unless the version that they got is not the one after the
 * item's: that of an answer where others were deleted before, or of one that stood already as it was given.
 */
export type Exceptions = { readonly [seq: string]: readonly [ManyOutcome['outcome'], string | null, number?] }

const exceptionsIn = (items: readonly Item[], outcomes: readonly ManyOutcome[]): Exceptions =>
  Object.fromEntries(
    outcomes.flatMap((one, i): [number, Exceptions[string]][] => {
      if (one.outcome !== 'stored') return [[one.seq, [one.outcome, one.outcome === 'invalid' ? one.reason : null]]]
      return one.version === (items[i]?.version ?? 0) + 1 ? [] : [[one.seq, ['stored', null, one.version]]]
    }),
  )

const added = (counts: AnswerCounts, outcomes: readonly ManyOutcome[]): AnswerCounts => {
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

const step = async (db: Db, job: Job): Promise<StepOutcome> => {
  // The arguments are those that `startBulk` made, or this function.
  const args = job.args as BulkArgs
  const user = await starterOf(db, job.user_id)
  if (user === null) return { finished: false, failed: sayReason('answererGone') }
  const part = await nextPart(db, job, args.part)
  if (part === undefined || job.dataset_no === null) return { finished: true }
  const items = parsePart(part.records)
  const { dataset_no } = job
  const sent = { status: args.status, values: args.values }
  const outcomes =
    args.undoes === undefined
      ? await answerMany(db, { user, dataset_no, items, sent, own: args.own })
      : await takeBackMany(db, { user, dataset_no, items: items.map(({ to = 0, ...item }) => ({ ...item, to })) })
  if (outcomes === null) {
    // NOTE: the starter may have been deleted since they were looked up
    const isThere = (await starterOf(db, user.id)) !== null
    return { finished: false, failed: sayReason(isThere ? 'datasetGone' : 'answererGone') }
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
    args: { ...args, part: args.part + 1, answers: added(args.answers, outcomes) },
    done,
  }
}

/** Answers the records that were found when it was started: each step some of them, with everything that follows, once. */
export const bulkAnswer = jobKind('responses.bulk', async (db, job) => {
  try {
    return await step(db, job)
  } catch (error) {
    // NOTE: the right to answer was taken away; another try would end like this one
    if (error instanceof Problem && error.data.kind === 'forbidden') return { finished: false, failed: error.message }
    throw error
  }
})
