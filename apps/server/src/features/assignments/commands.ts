import { forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { json } from '#platform/db/codecs.ts'
import { assignmentsChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { deleteOldParts } from '#platform/jobs/parts.ts'
import { now } from '#platform/time.ts'
import { requireAssignees } from './assignees.ts'
import { type Change, type Item, printParts } from './change.ts'
import { type AssignmentArgs, changeAssignments, emptyCounts, runStep } from './job.ts'
import { assignmentPolicy } from './policy.ts'
import { type AssignmentDataset, datasetOf, type InDataset } from './scope.ts'

type NewJob = {
  readonly user_id: string
  readonly dataset: AssignmentDataset
  readonly change: AssignmentArgs['change']
  readonly total: number
  /** The number of steps. */
  readonly steps: number
  /** Stores the data that the job needs. Called after the job is added and before its first step. */
  readonly prepare: (job_id: string) => Promise<void>
}

/** Adds a job. A job with a single part runs immediately. @returns the job's ID */
const addJob = async (db: Db, { user_id, dataset, change, total, steps, prepare }: NewJob): Promise<string> => {
  const args: AssignmentArgs = { change, part: 0, assignments: emptyCounts }
  const id = await enqueueJob(db, changeAssignments, { dataset_no: dataset.no, user_id, args, total })
  await prepare(id)
  if (steps > 1) return id
  const outcome = await runStep(db, { id, dataset_no: dataset.no, user_id, args, done: 0, total, ms: 0 })
  if (outcome.failed !== undefined) throw unprocessable(outcome.failed)
  await db.sql
    .updateTable('jobs')
    .set({ state: 'finished', args: json(outcome.args ?? args), done: outcome.done ?? total, updated_at: now() })
    .where('id', '=', id)
    .execute()
  return id
}

const refusePast = (change: Change): void => {
  if (change.do === 'assign' && change.due_at !== null && change.due_at <= now()) throw unprocessable(message('dueDatePast'))
}

type StartArgs = InDataset & {
  readonly change: Change
  /** In ascending order, because records are locked in that order. */
  readonly items: readonly Item[]
}

/** Starts a job that changes assignments. @returns the job's ID. @throws Problem not_found, forbidden, unprocessable */
export const startChange = command('assignments.start', async (db, args: StartArgs): Promise<string> => {
  const { user, change, items } = args
  const dataset = await datasetOf(db, args)
  if (!assignmentPolicy.change(user, dataset)) throw forbidden()
  refusePast(change)
  await requireAssignees(db, dataset, change.do === 'unassign' ? [] : change.to)
  await deleteOldParts(db, 'assignment_parts')
  const printed = printParts(change, items)
  const prepare = async (job_id: string): Promise<void> => {
    const parts = printed.map((records, part_no) => ({
      job_id,
      part_no,
      dataset_no: dataset.no,
      records,
      stored: null,
    }))
    await db.dialect.insertMany(db.sql, 'assignment_parts', parts)
  }
  return addJob(db, { user_id: user.id, dataset, change, total: items.length, steps: printed.length, prepare })
})

type UndoArgs = InDataset & { readonly job_id: string }
const ENDED: ReadonlySet<string> = new Set(['finished', 'failed', 'stopped', 'canceled'])

/**
 * Starts undoing a change to assignments. A record gets its earlier assignments back if nobody has changed its assignments since.
 * @returns the job's ID. @throws Problem not_found, forbidden, unprocessable
 */
export const startUndo = command('assignments.undo', async (db, args: UndoArgs): Promise<string> => {
  const dataset = await datasetOf(db, args)
  if (!assignmentPolicy.change(args.user, dataset)) throw forbidden()
  const job = await db.sql
    .selectFrom('jobs')
    .select(['id', 'state', 'args', 'done'])
    .where('id', '=', args.job_id)
    .where('kind', '=', changeAssignments.kind)
    .where('dataset_no', '=', dataset.no)
    .executeTakeFirst()
  if (job === undefined) throw notFound('Job', args.job_id)
  if (!ENDED.has(job.state)) throw unprocessable('The job is still running. Cancel it, or wait until it ends')
  const { change } = job.args as unknown as AssignmentArgs
  if (change.do === 'undo') throw unprocessable('This job undoes another job and cannot be undone itself')
  // The job may have ended before it processed all parts. It may have processed none
  const { steps } = await db.sql
    .selectFrom('assignment_parts')
    .select((eb) => eb.fn.countAll<number>().as('steps'))
    .where('job_id', '=', job.id)
    .where('stored', 'is not', null)
    .executeTakeFirstOrThrow()
  if (Number(steps) === 0) throw unprocessable('This job changed no records, so there is nothing to undo')
  const undo = { do: 'undo', job: job.id } as const
  const prepare = async (): Promise<void> => undefined
  return addJob(db, { user_id: args.user.id, dataset, change: undo, total: job.done, steps: Number(steps), prepare })
})

/** Maximum number of assignments to delete per command. */
const ROWS_PER_COMMAND = 5000

type Leaving = { readonly user_id: string; readonly dataset_no: number; readonly after: number }

/**
 * Removes some of the assignments of a user who has left a dataset's workspace.
 * @returns the last record whose assignment was removed; null if no assignment was left to remove
 */
export const removeAssignmentsOf = command(
  'assignments.remove-of-user',
  async (db, { user_id, dataset_no, after }: Leaving): Promise<number | null> => {
    const rows = await db.sql
      .selectFrom('assignments')
      .select('seq')
      .where('dataset_no', '=', dataset_no)
      .where('user_id', '=', user_id)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(ROWS_PER_COMMAND)
      .execute()
    const last = rows.at(-1)?.seq
    if (last === undefined) return null
    await db.sql
      .deleteFrom('assignments')
      .where('dataset_no', '=', dataset_no)
      .where('user_id', '=', user_id)
      .where('seq', '>', after)
      .where('seq', '<=', last)
      .execute()
    await assignmentsChanged(db, dataset_no)
    return last
  },
  { isPreparation: true },
)
