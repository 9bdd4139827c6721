import type { AnswerChangeName } from '@postil/contract/answer-jobs.ts'
import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { AnswerCounts } from '@postil/contract/jobs.ts'
import { message } from '@postil/contract/wire/message.ts'
import { usernamesOf } from '#features/gold/public.ts'
import { datasetScopeAt } from '#features/records/public.ts'
import { changeAnswersOf, replacedAnswers, type StoredResponse } from '#features/responses/public.ts'
import type { Db } from '#platform/db/db.ts'
import { type Job, jobKind, type StepOutcome } from '#platform/jobs/kinds.ts'
import { starterOf } from '#platform/jobs/starter.ts'
import { now, printTime } from '#platform/time.ts'
import { recordsOfPart } from '../job-parts.ts'
import { reviewPolicy } from '../policy.ts'

/** What a job does: it returns or discards submitted answers, or it undoes a job that did. */
export type AnswerWork =
  | {
      readonly do: AnswerChangeName
      readonly comment: string
      /** The people whose answers change; null for everyone. */
      readonly users: readonly string[] | null
    }
  | { readonly do: 'undo'; readonly job: string }

export type AnswerJobArgs = {
  /** The next part to process. */
  readonly part: number
  readonly work: AnswerWork
  readonly answers: AnswerCounts
}
export const noCounts: AnswerCounts = { stored: 0, invalid: 0, changed: 0, gone: 0 }

const sentAs = ({ values, suggestion_outcomes }: StoredResponse) => ({ values: values as AnswerValues, suggestion_outcomes })

type Starter = { readonly id: string; readonly username: string }

/** The change to each answer to some records. `changed`: after all changes, the answers that an undo keeps. */
const changesBy = async (
  db: Db,
  work: AnswerWork,
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

const runPart = async (db: Db, job: Job): Promise<StepOutcome> => {
  // The arguments were written by the starting command or by this function.
  const { part, work, answers } = job.args as AnswerJobArgs
  const user = await starterOf(db, job.user_id)
  if (user === null) return { finished: false, failed: message('assignerGone') }
  const dataset = job.dataset_no === null ? null : await datasetScopeAt(db, job.dataset_no, user, { hold: true })
  if (dataset === null) return { finished: false, failed: message('datasetGone') }
  if (!reviewPolicy.changeAnswers(user, dataset)) return { finished: false, failed: message('reviewerForbidden') }
  const seqs = await recordsOfPart(db, job.id, part)
  if (seqs === null) return { finished: true }
  const of = { dataset_no: dataset.no, seqs }
  const username = (await usernamesOf(db, [user.id])).get(user.id) ?? ''
  const { afterOf, changed } = await changesBy(db, work, { ...of, starter: { id: user.id, username } })
  const counts = await changeAnswersOf(db, { ...of, user, mutationId: job.id, afterOf })
  if (counts === null) return { finished: false, failed: message('datasetGone') }
  const done = job.done + seqs.length
  const next: AnswerCounts = {
    stored: answers.stored + counts.stored,
    invalid: answers.invalid + counts.invalid,
    changed: answers.changed + changed.size,
    gone: answers.gone + counts.gone,
  }
  return { finished: done >= (job.total ?? 0), args: { part: part + 1, work, answers: next }, done }
}

/** Returns or discards the submitted answers of records, or undoes a job that did, in steps of one part each. */
export const changeAnswers = jobKind('responses.return', (db, job) => runPart(db, job))
