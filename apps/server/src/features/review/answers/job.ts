import type { GivenAnswerChange } from '@postil/contract/answer-jobs.ts'
import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { AnswerCounts } from '@postil/contract/jobs.ts'
import { message } from '@postil/contract/wire/message.ts'
import { usernamesOf } from '#features/gold/public.ts'
import { datasetScopeAt } from '#features/records/public.ts'
import { changeAnswersOf, replacedAnswers, requestAnswers, type StoredResponse } from '#features/responses/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { type Job, jobKind, type StepOutcome } from '#platform/jobs/kinds.ts'
import { starterOf } from '#platform/jobs/starter.ts'
import { now, printTime } from '#platform/time.ts'
import { lockRecordsOfPart, setRecordsOfPart } from '../job-parts.ts'
import { reviewPolicy } from '../policy.ts'

/** What a job does: it returns or discards submitted answers, requests answers, or undoes an earlier job. */
export type AnswerWork =
  | {
      readonly do: GivenAnswerChange
      readonly comment: string
      /** The people whose answers change; null for everyone. */
      readonly users: readonly string[] | null
    }
  | { readonly do: 'request'; readonly answers: number; readonly isDryRun: boolean }
  | { readonly do: 'undo'; readonly job: string }
  /**
   * Withdraws an earlier job's request for more answers per record. `end` is the first part that the earlier job hadn't
   * processed.
   */
  | { readonly do: 'withdraw'; readonly job: string; readonly end: number; readonly answers: number }

export type AnswerJobArgs = {
  /** The next part to process. */
  readonly part: number
  readonly work: AnswerWork
  readonly answers: AnswerCounts
}
export const noCounts: AnswerCounts = { stored: 0, invalid: 0, changed: 0, gone: 0 }

const sentAs = ({ values, suggestion_outcomes }: StoredResponse) => ({ values: values as AnswerValues, suggestion_outcomes })

type AnswerWorkOn = Exclude<AnswerWork, { readonly do: 'request' | 'withdraw' }>
type Starter = { readonly id: string; readonly username: string }

/**
 * Returns two values. `afterOf` is a function that computes what an answer becomes. `changed` is for undoing a job: after
 * `afterOf` was called for all answers, it contains the IDs of the answers that are kept because they have changed since the job.
 */
const changesBy = async (
  db: Db,
  work: AnswerWorkOn,
  { dataset_no, seqs, starter }: { readonly dataset_no: number; readonly seqs: readonly number[]; readonly starter: Starter },
) => {
  if (work.do === 'undo') {
    const { replacedBy, changedSince } = await replacedAnswers(db, dataset_no, seqs)
    const changed = changedSince(work.job)
    const afterOf = (answer: StoredResponse) => {
      if (answer.last_mutation_id !== work.job) return null
      changed.delete(answer.id)
      const before = replacedBy(answer)
      return before === null ? null : { ...sentAs(before), status: before.status, returned: before.returned ?? null }
    }
    return { afterOf, changed }
  }
  const { do: change, comment, users } = work
  const returned = { by: starter, at: printTime(now()), comment }
  const afterOf = (answer: StoredResponse) => {
    if (answer.status !== 'submitted' || users?.includes(answer.user_id) === false) return null
    return change === 'return'
      ? { ...sentAs(answer), status: 'draft' as const, returned }
      : { ...sentAs(answer), status: 'discarded' as const }
  }
  return { afterOf, changed: new Set<string>() }
}

type PartOfJob = {
  readonly work: AnswerWork
  readonly user: Actor
  readonly jobId: string
  readonly part: number
  readonly dataset_no: number
  readonly seqs: readonly number[]
}

/** Does the work of a job on some records. @returns null if the dataset or the user has been deleted */
const changePart = async (db: Db, { work, user, jobId, part, ...of }: PartOfJob): Promise<AnswerCounts | null> => {
  if (work.do === 'request' || work.do === 'withdraw') {
    const isRequest = work.do === 'request'
    const more = isRequest ? work.answers : -work.answers
    const counts = await requestAnswers(db, { ...of, user, more, isDryRun: isRequest && work.isDryRun })
    if (counts === null) return null
    const { changed, moved, full, gone } = counts
    const stored = changed.length
    // Stores which records the request changed, so that withdrawing the request changes only these records. A withdrawal clears
    // this list, so that a second undo has no effect.
    if (isRequest) await setRecordsOfPart(db, jobId, part, changed)
    else await setRecordsOfPart(db, work.job, part, [])
    return isRequest ? { stored, moved, invalid: full, changed: 0, gone } : { stored, moved, invalid: 0, changed: full, gone }
  }
  const username = (await usernamesOf(db, [user.id])).get(user.id) ?? ''
  const { afterOf, changed } = await changesBy(db, work, { ...of, starter: { id: user.id, username } })
  const counts = await changeAnswersOf(db, { ...of, user, mutationId: jobId, afterOf })
  return counts && { ...counts, changed: changed.size }
}

const runPart = async (db: Db, job: Job): Promise<StepOutcome> => {
  // The arguments were written by the starting command or by this function.
  const { part, work, answers } = job.args as AnswerJobArgs
  const user = await starterOf(db, job.user_id)
  if (user === null) return { finished: false, failed: message('assignerGone') }
  const dataset = job.dataset_no === null ? null : await datasetScopeAt(db, job.dataset_no, user, { hold: true })
  if (dataset === null) return { finished: false, failed: message('datasetGone') }
  if (!reviewPolicy.changeAnswers(user, dataset)) return { finished: false, failed: message('reviewerForbidden') }
  const isOver = work.do === 'withdraw' && part >= work.end
  const seqs = isOver ? null : await lockRecordsOfPart(db, work.do === 'withdraw' ? work.job : job.id, part)
  if (seqs === null) return { finished: true }
  const of = { dataset_no: dataset.no, seqs }
  const counts = await changePart(db, { work, user, jobId: job.id, part, ...of })
  if (counts === null) return { finished: false, failed: message('datasetGone') }
  const done = job.done + seqs.length
  const next: AnswerCounts = {
    stored: answers.stored + counts.stored,
    invalid: answers.invalid + counts.invalid,
    changed: answers.changed + counts.changed,
    gone: answers.gone + counts.gone,
    ...(counts.moved !== undefined && { moved: (answers.moved ?? 0) + counts.moved }),
  }
  // A withdrawal ends after the last part of the request, see `isOver`. The number of records can't show the end, because an
  // earlier withdrawal may have emptied some of the parts.
  const isLast = work.do !== 'withdraw' && done >= (job.total ?? 0)
  return { finished: isLast, args: { part: part + 1, work, answers: next }, done }
}

/**
 * Returns answers to their authors, discards answers, requests more answers, or undoes an earlier job. Each step of the job
 * processes one part of its records.
 */
export const changeAnswers = jobKind('responses.return', (db, job) => runPart(db, job))
