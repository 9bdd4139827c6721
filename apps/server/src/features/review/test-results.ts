import type { TestResults } from '@postil/contract/test-items.ts'
import { forbidden, notFound } from '@postil/contract/wire/errors.ts'
import { usernamesOf } from '#features/gold/public.ts'
import { datasetScope } from '#features/records/public.ts'
import { checksOf, testResults } from '#features/test-items/public.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { now } from '#platform/time.ts'
import { reviewPolicy } from './policy.ts'
import type { InDataset } from './settings.ts'

/** The number of complete records with finished final answers. */
const countUsable = async (db: Db, datasetNo: number): Promise<number> => {
  const row = await db.sql
    .selectFrom('gold')
    .innerJoin('records', (join) =>
      join.onRef('records.dataset_no', '=', 'gold.dataset_no').onRef('records.seq', '=', 'gold.seq'),
    )
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('gold.dataset_no', '=', datasetNo)
    .where('gold.final', '=', true)
    .where('gold.stale', '=', false)
    .where('records.status', '=', 'completed')
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

const byName = (a: { readonly username: string }, b: { readonly username: string }): number =>
  a.username < b.username ? -1 : Number(a.username > b.username)

/** @throws Problem not_found, forbidden */
export const getTestResults = query('review.checks', async (db, { user, dataset_id }: InDataset): Promise<TestResults> => {
  const dataset = await datasetScope(db, dataset_id, user, { hold: false })
  if (!reviewPolicy.seeChecks(user, dataset)) throw forbidden()
  const checks = checksOf(dataset)
  const [available, results] = await pipeline([countUsable(db, dataset.no), testResults(db, dataset.no, { checks })])
  const names = await usernamesOf(
    db,
    results.map(({ user_id }) => user_id),
  )
  const people = results.flatMap((result) => {
    const username = names.get(result.user_id)
    return username === undefined ? [] : [{ ...result, username }]
  })
  return {
    enabled: checks !== null,
    available,
    people: people.sort((a, b) => Number(b.stopped) - Number(a.stopped) || byName(a, b)),
  }
})

/** @throws Problem not_found, forbidden */
export const letContinue = command(
  'review.let-continue',
  async (db, { user, dataset_id, user_id }: InDataset & { readonly user_id: string }): Promise<void> => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: true })
    if (!reviewPolicy.letContinue(user, dataset)) throw forbidden()
    const { numUpdatedRows } = await db.sql
      .updateTable('test_people')
      .set({ continued_at: now() })
      .where('dataset_no', '=', dataset.no)
      .where('user_id', '=', user_id)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw notFound('User', user_id)
  },
)
