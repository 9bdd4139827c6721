import type { DatasetProgress, MyMetrics, UsersProgress } from '@postil/contract/progress.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { datasetFor, type FoundDataset, maySee } from '#features/datasets/public.ts'
import { checksFor, isStopped } from '#features/test-items/public.ts'
import { type Actor, isAdminOf, isOwner } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { ownMetrics, recordCounts, submittedCounts } from './counters.ts'

export type OfDataset = { readonly user: Actor; readonly dataset_id: string }

/** @throws Problem not_found, forbidden */
export const visible = async (db: Db, { user, dataset_id }: OfDataset): Promise<FoundDataset> => {
  const dataset = await datasetFor(db, dataset_id, user)
  if (!maySee(user, dataset)) throw forbidden()
  return dataset
}

/**
 * The number of records by status, the number of submitted answers, and everyone who has ever answered, in order of their
 * first answer.
 */
export const progressOf = async (db: Db, { no, min_submitted }: FoundDataset): Promise<DatasetProgress> => {
  const users = await db.sql
    .selectFrom('dataset_users')
    .innerJoin('users', 'users.id', 'dataset_users.user_id')
    .select('users.username')
    .where('dataset_users.dataset_no', '=', no)
    .orderBy('dataset_users.inserted_at')
    .orderBy('users.id')
    .execute()
  const counts = await recordCounts(db, no)
  return { ...counts, ...(await submittedCounts(db, no, counts, min_submitted)), users }
}

/** @throws Problem not_found, forbidden */
export const datasetProgress = query(
  'progress.dataset',
  async (db, of: OfDataset): Promise<DatasetProgress> => progressOf(db, await visible(db, of)),
)

const none = () => ({ submitted: 0, discarded: 0, draft: 0 })

/**
 * For each user who has answers, the number of answers by record status and answer status.
 * @throws Problem not_found, forbidden
 */
export const usersProgress = query('progress.users', async (db, of: OfDataset): Promise<UsersProgress> => {
  const { no } = await visible(db, of)
  const rows = await db.sql
    .selectFrom('user_counts')
    .innerJoin('users', 'users.id', 'user_counts.user_id')
    .select(['users.username', 'user_counts.record_status', 'user_counts.response_status', 'user_counts.n'])
    .where('user_counts.dataset_no', '=', no)
    .where('user_counts.n', '>', 0)
    .orderBy('users.inserted_at')
    .orderBy('users.id')
    .execute()
  const users = new Map<string, UsersProgress['users'][number]>()
  for (const { username, record_status, response_status, n } of rows) {
    const user = users.get(username) ?? { username, completed: none(), pending: none() }
    user[record_status][response_status] += n
    users.set(username, user)
  }
  return { users: [...users.values()] }
})

/** The number of the caller's answers, by status. @throws Problem not_found, forbidden */
export const myMetrics = query('progress.my-metrics', async (db, of: OfDataset): Promise<MyMetrics> => {
  const dataset = await visible(db, of)
  const isLead = isOwner(of.user) || isAdminOf(of.user, dataset)
  const stopped = await isStopped(db, dataset.no, of.user.id, checksFor(dataset, of.user.id, isLead))
  return { responses: await ownMetrics(db, dataset, of.user), stopped }
})
