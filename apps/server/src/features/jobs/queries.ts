import type { ListedJob } from '@postil/contract/jobs.ts'
import type { Membership } from '#platform/auth/actor.ts'
import { isMember } from '#platform/auth/membership.ts'
import { query } from '#platform/db/operations.ts'
import type { JobState } from '#platform/db/tables.ts'
import type { JobRow } from '#platform/jobs/operations.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'
import { printTime } from '#platform/time.ts'
import { isStoppable } from './policy.ts'
import { printJob } from './print-job.ts'

const MAX_JOBS = 500
const MAX_JOBS_PER_USER = 20
const RUNNING: ReadonlySet<JobState> = new Set(UNFINISHED)

/** Returns the name of the Hub dataset from which a job imports or to which it exports. Null for other jobs. */
const hubName = (args: { readonly [key: string]: unknown }): string | null => {
  for (const place of [args.source, args.target]) {
    const name = typeof place === 'object' && place !== null ? Reflect.get(place, 'name') : undefined
    if (typeof name === 'string') return name
  }
  return null
}

export type FoundJob = JobRow & Membership

/** A job, and whether the user belongs to the workspace of its dataset. Null if the ID is unknown. */
export const findJobFor = query(
  'jobs.find-for',
  async (db, { id, user_id }: { readonly id: string; readonly user_id: string }): Promise<FoundJob | null> => {
    const found = await db.sql
      .selectFrom('jobs')
      .leftJoin('datasets', 'datasets.no', 'jobs.dataset_no')
      .select(['jobs.id', 'jobs.kind', 'jobs.user_id', 'jobs.args', 'jobs.state', 'jobs.done', 'jobs.total'])
      .select(['jobs.reason', 'jobs.reason_parts'])
      .select(isMember(user_id).as('member'))
      .where('jobs.id', '=', id)
      .executeTakeFirst()
    return found === undefined ? null : { ...found, member: Boolean(found.member) }
  },
  { single: true },
)

type JobFilter = { readonly status?: JobState | undefined /** If set, only this user's jobs. */; readonly user_id?: string }

/** The latest jobs, newest first. Only those arguments that are meant for users are returned. */
export const listJobs = query('jobs.list', async (db, { status, user_id }: JobFilter): Promise<ListedJob[]> => {
  const all = db.sql
    .selectFrom('jobs')
    .leftJoin('datasets', (join) => join.onRef('datasets.no', '=', 'jobs.dataset_no').on('datasets.gone_at', 'is', null))
    .leftJoin('users', 'users.id', 'jobs.user_id')
    .leftJoin('imports', 'imports.job_id', 'jobs.id')
    .select(['jobs.id', 'jobs.kind', 'jobs.user_id', 'jobs.args', 'jobs.state', 'jobs.done', 'jobs.total'])
    .select(['jobs.reason', 'jobs.reason_parts'])
    .select(['jobs.inserted_at', 'jobs.updated_at', 'users.username', 'imports.name as file'])
    .select(['datasets.id as dataset_id', 'datasets.name as dataset', 'jobs.dataset_name', 'jobs.subject'])
  const ofStatus = status === undefined ? all : all.where('jobs.state', '=', status)
  const filtered = user_id === undefined ? ofStatus : ofStatus.where('jobs.user_id', '=', user_id)
  const limit = user_id === undefined ? MAX_JOBS : MAX_JOBS_PER_USER
  const rows = await filtered.orderBy('jobs.inserted_at', 'desc').orderBy('jobs.id', 'desc').limit(limit).execute()
  return rows.map(({ dataset_id, dataset, dataset_name, subject, username, file, inserted_at, updated_at, ...job }) => ({
    ...printJob(job),
    done: job.done,
    total: job.total,
    reason: job.reason,
    kind: job.kind,
    subject: file ?? subject ?? hubName(job.args),
    dataset: dataset_id === null || dataset === null ? null : { id: dataset_id, name: dataset },
    dataset_name: dataset ?? dataset_name,
    user: job.user_id === null || username === null ? null : { id: job.user_id, username },
    cancelable: job.user_id !== null && RUNNING.has(job.state) && isStoppable(job.kind),
    inserted_at: printTime(inserted_at),
    updated_at: printTime(updated_at),
  }))
})
