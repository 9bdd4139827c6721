import type { SearchBody } from '@postil/contract/search.ts'
import type { TestResults } from '@postil/contract/test-items.ts'
import { forbidden, notFound } from '@postil/contract/wire/errors.ts'
import { usernamesOf } from '#features/gold/public.ts'
import { datasetScope } from '#features/records/public.ts'
import { testSearchIn, viewAt } from '#features/saved-views/public.ts'
import { testRecords } from '#features/search/public.ts'
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

type StoredResults = TestResults & {
  /** The search that selects the records for test items. Undefined if no saved view is set, or if the view can't be searched. */
  readonly body: SearchBody | undefined
}

/** The search for test items that a view defines. Null if the view doesn't exist or can't be searched. */
const bodyOf = async (db: Db, datasetNo: number, viewId: string): Promise<SearchBody | null> => {
  const view = await viewAt(db, datasetNo, viewId)
  return view === undefined ? null : testSearchIn(view)
}

const storedResults = query('review.checks', async (db, { user, dataset_id }: InDataset): Promise<StoredResults> => {
  const dataset = await datasetScope(db, dataset_id, user, { hold: false })
  if (!reviewPolicy.seeChecks(user, dataset)) throw forbidden()
  const checks = checksOf(dataset)
  const viewId = checks?.view_id ?? null
  const body = viewId === null ? undefined : await bodyOf(db, dataset.no, viewId)
  const [available, results] = await pipeline([
    body === undefined ? countUsable(db, dataset.no) : 0,
    testResults(db, dataset.no, { checks }),
  ])
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
    body: body ?? undefined,
  }
})

/** @throws Problem not_found, forbidden */
export const getTestResults = async (ctx: Parameters<typeof testRecords>[0], of: InDataset): Promise<TestResults> => {
  const { body, ...results } = await ctx.store.read(storedResults, of)
  return body === undefined ? results : { ...results, available: (await testRecords(ctx, { ...of, body, count: 0 })).total }
}

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
