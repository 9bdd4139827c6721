import type { AssignmentCounts } from '@postil/contract/jobs.ts'
import { forbidden, Problem } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { json } from '#platform/db/codecs.ts'
import { assignmentsChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import { type Job, jobKind, type StepOutcome } from '#platform/jobs/kinds.ts'
import { starterOf } from '#platform/jobs/starter.ts'
import { now } from '#platform/time.ts'
import { peopleWithAccess, requireAssignees } from './assignees.ts'
import { applyChange, type Change, type Item, parsePart } from './change.ts'
import { assignmentPolicy } from './policy.ts'
import { type Assignment, type Assignments, assignmentsOf, replaceAssignments, sameAssignments } from './rows.ts'
import { type AssignmentDataset, datasetAt } from './scope.ts'

export type AssignmentArgs = {
  /** The change, or the job whose change is undone. */
  readonly change: Change | { readonly do: 'undo'; readonly job: string }
  /** The next part to process. */
  readonly part: number
  readonly assignments: AssignmentCounts
}
export const emptyCounts: AssignmentCounts = { stored: 0, unchanged: 0, changed: 0, gone: 0 }

type StoredAssignment = readonly [user: string, due_at: number | null, by: string | null, at: number]
/**
 * What one part of a job changed. `before` contains the earlier assignments of the changed records. `at` is the time of the new
 * assignments.
 */
type Stored = { readonly at: number; readonly before: { readonly [seq: string]: readonly StoredAssignment[] } }

const printAssignments = (list: readonly Assignment[]): readonly StoredAssignment[] =>
  list.map(({ user_id, due_at, assigned_by, assigned_at }) => [user_id, due_at, assigned_by, assigned_at])
const parseAssignments = (list: readonly StoredAssignment[]): readonly Assignment[] =>
  list.map(([user_id, due_at, assigned_by, assigned_at]) => ({ user_id, due_at, assigned_by, assigned_at }))

type Part = { readonly part_no: number; readonly records: string; readonly stored: unknown }
const partOf = (db: Db, jobId: string, part: number): Promise<Part | undefined> =>
  db.sql
    .selectFrom('assignment_parts')
    .select(['part_no', 'records', 'stored'])
    .where('job_id', '=', jobId)
    .where('part_no', '=', part)
    .executeTakeFirst()

/** Locks records. Assignments are changed only under this lock. @returns the records that still exist */
const lockRecords = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<ReadonlySet<number>> => {
  const rows = await db.dialect
    .forUpdate(
      db.sql
        .selectFrom('records')
        .select('seq')
        .where('dataset_no', '=', datasetNo)
        .where('seq', 'in', db.dialect.listed(seqs))
        .orderBy('seq'),
    )
    .execute()
  return new Set(rows.map(({ seq }) => seq))
}

/** The records that a person no longer needs to answer. */
const closedFor = async (db: Db, datasetNo: number, userId: string, seqs: readonly number[]): Promise<ReadonlySet<number>> => {
  const among = db.dialect.listed(seqs)
  const completed = await db.sql
    .selectFrom('records')
    .select('seq')
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', among)
    .where('status', '=', 'completed')
    .execute()
  const answered = await db.sql
    .selectFrom('responses')
    .select('seq')
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', among)
    .where('user_id', '=', userId)
    .where('status', '!=', 'draft')
    .execute()
  return new Set([...completed, ...answered].map(({ seq }) => seq))
}

type PartOutcome = {
  readonly counts: AssignmentCounts
  readonly next: Assignments
  readonly stored: Stored
}
type Current = {
  readonly existing: ReadonlySet<number>
  readonly before: Assignments
}

const applyPart = (
  change: Change,
  items: readonly Item[],
  { existing, before }: Current,
  { by, closed }: { readonly by: string; readonly closed: ReadonlySet<number> },
): PartOutcome => {
  const at = now()
  const counts = { ...emptyCounts }
  const next = new Map<number, readonly Assignment[]>()
  const stored: { [seq: string]: readonly StoredAssignment[] } = {}
  for (const item of items) {
    const earlier = before.get(item.seq) ?? []
    const later = closed.has(item.seq) ? earlier : applyChange(change, item, earlier, { by, at })
    if (!existing.has(item.seq)) counts.gone += 1
    else if (later === earlier) counts.unchanged += 1
    else {
      counts.stored += 1
      next.set(item.seq, later)
      stored[item.seq] = printAssignments(earlier)
    }
  }
  return { counts, next, stored: { at, before: stored } }
}

/**
 * Undoes the changes that one part of another job made. Skips records whose assignments have changed since then.
 * @param people the people who still have access to the workspace
 */
const undoPart = (
  change: Change,
  items: readonly Item[],
  { existing, before: current }: Current,
  { by, stored, people }: { readonly by: string; readonly stored: Stored; readonly people: ReadonlySet<string> },
): Omit<PartOutcome, 'stored'> => {
  const counts = { ...emptyCounts }
  const next = new Map<number, readonly Assignment[]>()
  for (const item of items) {
    const earlier = stored.before[item.seq]
    if (earlier === undefined) continue
    const before = parseAssignments(earlier)
    const expected = applyChange(change, item, before, { by, at: stored.at })
    if (!existing.has(item.seq)) counts.gone += 1
    else if (!sameAssignments(current.get(item.seq) ?? [], expected)) counts.changed += 1
    else {
      counts.stored += 1
      next.set(
        item.seq,
        before.filter(({ user_id }) => people.has(user_id)),
      )
    }
  }
  return { counts, next }
}

const addCounts = (a: AssignmentCounts, b: AssignmentCounts): AssignmentCounts => ({
  stored: a.stored + b.stored,
  unchanged: a.unchanged + b.unchanged,
  changed: a.changed + b.changed,
  gone: a.gone + b.gone,
})

/**
 * The change that a job makes or undoes, and the user who requested this change. Null if the job to undo no longer exists or is
 * itself an undo.
 */
const sourceOf = async (db: Db, job: Job): Promise<{ id: string; by: string; change: Change; isUndo: boolean } | null> => {
  // The arguments were written by `startChange` or by `runStep`.
  const { change } = job.args as AssignmentArgs
  if (change.do !== 'undo') return { id: job.id, by: String(job.user_id), change, isUndo: false }
  const undone = await db.sql.selectFrom('jobs').select(['user_id', 'args']).where('id', '=', change.job).executeTakeFirst()
  if (undone === undefined) return null
  const { change: original } = undone.args as unknown as AssignmentArgs
  return original.do === 'undo' ? null : { id: change.job, by: String(undone.user_id), change: original, isUndo: true }
}

type Source = NonNullable<Awaited<ReturnType<typeof sourceOf>>>

const changePart = async (db: Db, dataset: AssignmentDataset, source: Source, part: Part): Promise<AssignmentCounts> => {
  const { change, by } = source
  const items = parsePart(part.records)
  const seqs = items.map(({ seq }) => seq)
  await requireAssignees(db, dataset, change.do === 'unassign' ? [] : change.to)
  const existing = await lockRecords(db, dataset.no, seqs)
  const closed = change.do === 'move' ? await closedFor(db, dataset.no, change.from, seqs) : new Set<number>()
  const current = { existing, before: await assignmentsOf(db, dataset.no, seqs) }
  const { counts, next, stored } = applyPart(change, items, current, { by, closed })
  await replaceAssignments(db, dataset.no, { before: current.before, next })
  await db.sql
    .updateTable('assignment_parts')
    .set({ stored: json(stored) })
    .where('job_id', '=', source.id)
    .where('part_no', '=', part.part_no)
    .execute()
  if (next.size > 0) await assignmentsChanged(db, dataset.no)
  return counts
}

const revertPart = async (db: Db, dataset: AssignmentDataset, source: Source, part: Part): Promise<AssignmentCounts> => {
  // Written by `changePart`; null if the undone job ended before this part
  const stored = part.stored as Stored | null
  if (stored === null) return emptyCounts
  const { change, by } = source
  const items = parsePart(part.records).filter(({ seq }) => stored.before[seq] !== undefined)
  const seqs = items.map(({ seq }) => seq)
  const earlierPeople = Object.values(stored.before).flatMap((list) => list.map(([user]) => user))
  const people = await peopleWithAccess(db, dataset, [...new Set(earlierPeople)])
  const existing = await lockRecords(db, dataset.no, seqs)
  const current = { existing, before: await assignmentsOf(db, dataset.no, seqs) }
  const { counts, next } = undoPart(change, items, current, { by, stored, people })
  await replaceAssignments(db, dataset.no, { before: current.before, next })
  if (next.size > 0) await assignmentsChanged(db, dataset.no)
  return counts
}

/**
 * Processes one part. Changes to few records call this function directly, without a worker.
 * @throws Problem unprocessable, forbidden
 */
export const runStep = async (db: Db, job: Job): Promise<StepOutcome> => {
  // The arguments were written by `startChange` or by this function.
  const args = job.args as AssignmentArgs
  const user = await starterOf(db, job.user_id)
  if (user === null) return { finished: false, failed: message('assignerGone') }
  const dataset = job.dataset_no === null ? null : await datasetAt(db, job.dataset_no, user)
  if (dataset === null) return { finished: false, failed: message('datasetGone') }
  if (!assignmentPolicy.change(user, dataset)) throw forbidden()
  const source = await sourceOf(db, job)
  const part = source === null ? undefined : await partOf(db, source.id, args.part)
  if (source === null || part === undefined) return { finished: true }
  const counts = await (source.isUndo ? revertPart : changePart)(db, dataset, source, part)
  const done = job.done + parsePart(part.records).length
  return {
    finished: done >= (job.total ?? 0),
    args: { ...args, part: args.part + 1, assignments: addCounts(args.assignments, counts) },
    done,
  }
}

/**
 * Changes the assignments of the records that were found when the job started. Each record is changed exactly once. Each step
 * stores the earlier assignments of its records, so that the change can be undone.
 */
export const changeAssignments = jobKind('assignments.change', async (db, job) => {
  try {
    return await runStep(db, job)
  } catch (error) {
    // The error means that a person can no longer get records, or that the user who started the job can no longer assign them. A
    // retry would fail in the same way.
    const isFinal = error instanceof Problem && ['forbidden', 'unprocessable'].includes(error.data.kind)
    if (isFinal) return { finished: false, failed: error.reason }
    throw error
  }
})
