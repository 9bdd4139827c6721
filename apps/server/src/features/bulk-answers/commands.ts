import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { datasetFor } from '#features/datasets/public.ts'
import { type Actor, refuseAgent } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { deleteOldParts } from '#platform/jobs/parts.ts'
import { type BulkArgs, bulkAnswer, emptyCounts } from './job.ts'
import { type Item, printParts } from './parts.ts'
import { bulkPolicy } from './policy.ts'

type StartArgs = Pick<BulkArgs, 'status' | 'values' | 'own' | 'skip' | 'label' | 'undoes'> & {
  readonly user: Actor
  readonly dataset_id: string
  readonly items: readonly Item[]
}

/** Locks the job, so that only one of two concurrent undo requests succeeds. @throws Problem unprocessable */
const lockUndoneJob = async (db: Db, job_id: string): Promise<void> => {
  await db.dialect.forUpdate(db.sql.selectFrom('jobs').select('id').where('id', '=', job_id)).execute()
  const runningJobs = await db.sql
    .selectFrom('jobs')
    .select('args')
    .where('kind', '=', bulkAnswer.kind)
    .where('state', 'in', ['queued', 'started', 'deferred', 'scheduled'])
    .execute()
  if (runningJobs.some(({ args }) => (args as unknown as BulkArgs).undoes === job_id))
    throw unprocessable('The job is already being undone')
}

/** @returns the job's ID. @throws Problem not_found, forbidden, unprocessable */
export const startBulk = command('bulk-answers.start', async (db, args: StartArgs): Promise<string> => {
  const { user, dataset_id, items, ...answer } = args
  const dataset = await datasetFor(db, dataset_id, user)
  if (!bulkPolicy.start(user, dataset)) throw forbidden()
  refuseAgent(user)
  const known = await db.sql.selectFrom('questions').select('name').where('dataset_id', '=', dataset.id).execute()
  const unknown = [...Object.keys(answer.values), ...answer.own, ...(answer.skip ?? [])].find(
    (name) => !known.some((question) => question.name === name),
  )
  if (unknown !== undefined) throw unprocessable(`The dataset has no question with name=${unknown}`)
  if (answer.undoes !== undefined) await lockUndoneJob(db, answer.undoes)
  await deleteOldParts(db, 'bulk_answer_parts')
  const first: BulkArgs = { ...answer, part: 0, answers: emptyCounts }
  const job = { dataset_no: dataset.no, user_id: user.id, args: first, total: items.length }
  const job_id = await enqueueJob(db, bulkAnswer, job)
  const parts = printParts(items).map((records, part_no) => ({
    job_id,
    part_no,
    dataset_no: dataset.no,
    records,
    outcomes: null,
  }))
  await db.dialect.insertMany(db.sql, 'bulk_answer_parts', parts)
  return job_id
})
