import { z } from 'zod'
import { Job } from './jobs.ts'
import { recordTarget, refuseUnclearTarget } from './record-target.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { maxAssignees } from './wire/limits.ts'
import { idsQuery } from './wire/query-lists.ts'
import { boolOr, itemsOf, printedDatetime, printedUuid, text, uuid } from './wire/scalars.ts'

/** The value of the `assigned_to` filter that matches records without assignments. */
export const unassigned = 'none'

export const AssignBody = z
  .object({
    ...recordTarget,
    /** The assignees. If the records are split, they are assigned to these people in turn, in this order. */
    user_ids: z.array(uuid()).min(1).max(maxAssignees),
    /**
     * `split`: each record goes to one person, and the numbers of records per person differ by at most one. `all`: each record
     * goes to everyone.
     */
    mode: z.enum(['split', 'all']).default('split'),
    /** When the answers are due, in UTC. It must be in the future. */
    due_at: text({ keep: false }).nullish(),
    /** Whether the people replace the current assignees of the records. If false, they are added to the current assignees. */
    replace: boolOr(true),
  })
  .superRefine(refuseUnclearTarget)
export type AssignBody = z.infer<typeof AssignBody>
/** The input type, before defaults are applied. */
export type AssignInput = z.input<typeof AssignBody>

export const UnassignBody = z
  .object({
    ...recordTarget,
    /** The people who lose the records; null for everyone. */
    user_ids: z.array(uuid()).min(1).max(maxAssignees).nullish(),
  })
  .superRefine(refuseUnclearTarget)
export type UnassignBody = z.infer<typeof UnassignBody>

export const MoveBody = z.object({
  from_user_id: uuid(),
  /** The people among whom the remaining records are split. Empty: the records are assigned to nobody. */
  to_user_ids: z.array(uuid()).max(maxAssignees),
})
export type MoveBody = z.infer<typeof MoveBody>

/** Counts of one person's assignments in a dataset. `assigned` = `done` + `remaining` + records that others have completed. */
const counts = {
  assigned: z.int(),
  /** Records for which the person has submitted or discarded an answer. */
  done: z.int(),
  /** Pending records that still need the person's answer. */
  remaining: z.int(),
  /** Remaining records whose due date has passed. */
  overdue: z.int(),
  /** The earliest due date of the remaining records. */
  due_at: printedDatetime().nullable(),
}

export const AssigneeSummary = z.strictObject({
  user: z.strictObject({ id: printedUuid(), username: z.string() }),
  /** Whether the person can answer: they are active and have access to the workspace. */
  can_answer: z.boolean(),
  ...counts,
})
export type AssigneeSummary = z.infer<typeof AssigneeSummary>

export const RecordAssignments = z.strictObject({
  record_id: printedUuid(),
  users: z.array(
    z.strictObject({
      id: printedUuid(),
      username: z.string(),
      due_at: printedDatetime().nullable(),
      assigned_at: printedDatetime(),
      /** Null if the user no longer exists. */
      assigned_by: z.string().nullable(),
    }),
  ),
})
export type RecordAssignments = z.infer<typeof RecordAssignments>

export const OwnAssignments = z.strictObject({
  dataset: z.strictObject({ id: printedUuid(), name: z.string() }),
  ...counts,
})
export type OwnAssignments = z.infer<typeof OwnAssignments>

const path = '/datasets/:dataset_id/assignments'

export const assignRecords = defineEndpoint({
  id: 'assignments.assign',
  method: 'POST',
  path,
  body: AssignBody,
  status: 202,
  result: Job,
  errors: [403, 404],
  addition: true,
  summary: 'Assign records to people; if there are few records, the response contains the finished job',
})
export const unassignRecords = defineEndpoint({
  id: 'assignments.unassign',
  method: 'POST',
  path: `${path}/remove`,
  body: UnassignBody,
  status: 202,
  result: Job,
  errors: [403, 404],
  addition: true,
  summary: 'Remove assignments from records',
})
export const moveAssignments = defineEndpoint({
  id: 'assignments.move',
  method: 'POST',
  path: `${path}/move`,
  body: MoveBody,
  status: 202,
  result: Job,
  errors: [403, 404],
  addition: true,
  summary: "Move a person's remaining records to others or to nobody",
})
export const undoAssignments = defineEndpoint({
  id: 'assignments.undo',
  method: 'POST',
  path: `${path}/:job_id/undo`,
  status: 202,
  result: Job,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Undo a change to assignments, except for records whose assignments have changed since',
})
export const listAssignments = defineEndpoint({
  id: 'assignments.list',
  method: 'GET',
  path,
  result: itemsOf(AssigneeSummary),
  errors: [403, 404],
  addition: true,
  summary: 'Count the assigned, done, remaining and overdue records of each person',
})
export const listRecordAssignments = defineEndpoint({
  id: 'assignments.of_records',
  method: 'GET',
  path: `${path}/records`,
  query: z.object({ ids: idsQuery() }),
  result: itemsOf(RecordAssignments),
  errors: [403, 404, 422],
  addition: true,
  summary: 'List the people to whom the given records are assigned; at most 100 records',
})
export const listMyAssignments = defineEndpoint({
  id: 'assignments.list_mine',
  method: 'GET',
  path: '/me/assignments',
  result: itemsOf(OwnAssignments),
  errors: [],
  addition: true,
  summary: "Count the caller's assigned, done, remaining and overdue records in each dataset",
})

export const assignmentEndpoints = [
  assignRecords,
  unassignRecords,
  moveAssignments,
  undoAssignments,
  listAssignments,
  listRecordAssignments,
  listMyAssignments,
] as const
