import type { ListedJob } from '@postil/contract/jobs.ts'
import { query } from '#platform/db/operations.ts'
import type { JobState } from '#platform/db/tables.ts'
import { printTime } from '#platform/time.ts'
import { printJob } from './print-job.ts'

const MOST = 500
const MOST_OF_ONE = 20
const GOES_ON: ReadonlySet<JobState> = new Set(['queued', 'scheduled', 'started'])

/** Hub jobs name what they read or write in their arguments, in one of two places. */
const hubName = (args: { readonly [key: string]: unknown }): string | null => {
  for (const place of [args.source, args.target]) {
    const name = typeof place === 'object' && place !== null ? Reflect.get(place, 'name') : undefined
    if (typeof name === 'string') return name
  }
  return null
}

type Asked = { readonly status?: JobState | undefined /** Whose alone. */; readonly user_id?: string }

/** The last jobs, newest first. Their arguments stay here: people are shown what of them is for people. */
export const listJobs = query('jobs.list', async (db, { status, user_id }: Asked): Promise<ListedJob[]> => {
  const all = db.sql
    .selectFrom('jobs')
    .leftJoin('datasets', (join) => join.onRef('datasets.no', '=', 'jobs.dataset_no').on('datasets.gone_at', 'is', null))
    .leftJoin('users', 'users.id', 'jobs.user_id')
    .leftJoin('imports', 'imports.job_id', 'jobs.id')
    .select(['jobs.id', 'jobs.kind', 'jobs.user_id', 'jobs.args', 'jobs.state', 'jobs.done', 'jobs.total', 'jobs.reason'])
    .select(['jobs.inserted_at', 'jobs.updated_at', 'users.username', 'imports.name as file'])
    .select(['datasets.id as dataset_id', 'datasets.name as dataset'])
  const ofStatus = status === undefined ? all : all.where('jobs.state', '=', status)
  const some = user_id === undefined ? ofStatus : ofStatus.where('jobs.user_id', '=', user_id)
  const most = user_id === undefined ? MOST : MOST_OF_ONE
  const rows = await some.orderBy('jobs.inserted_at', 'desc').orderBy('jobs.id', 'desc').limit(most).execute()
  return rows.map(({ dataset_id, dataset, username, file, inserted_at, updated_at, ...job }) => ({
    ...printJob(job),
    done: job.done,
    total: job.total,
    reason: job.reason,
    kind: job.kind,
    subject: file ?? hubName(job.args),
    dataset: dataset_id === null || dataset === null ? null : { id: dataset_id, name: dataset },
    user: job.user_id === null || username === null ? null : { id: job.user_id, username },
    cancelable: job.user_id !== null && GOES_ON.has(job.state),
    inserted_at: printTime(inserted_at),
    updated_at: printTime(updated_at),
  }))
})
