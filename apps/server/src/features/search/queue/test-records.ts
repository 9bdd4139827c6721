import type { SearchBody } from '@postil/contract/search.ts'
import { MAX_EXAMINED, usableTests } from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { query } from '#platform/db/operations.ts'
import { matchesOf } from '../hits.ts'
import { prepareSearch, type SearchLane } from '../queries.ts'
import { type CachedResult, CacheMiss, runWithCache } from '../search-cache.ts'
import type { SearchContext } from '../search-context.ts'
import type { SeqSet } from '../seq-set.ts'

export type TestRecordsArgs = {
  readonly user: Actor
  readonly dataset_id: string
  /** The search that finds the records that can be test items. Answer filters refer to all users' answers. */
  readonly body: SearchBody
  /** The number of records to find. The user must never have answered them. */
  readonly count: number
}
export type TestRecords = {
  /** Records that the user has never answered. */
  readonly seqs: readonly number[]
  /** How many records the search finds. */
  readonly total: number
}

const RECORDS_PER_BATCH = 500

/** Some of the records that the user has never answered, starting at a random position. */
const unanswered = async ({ db, datasetNo }: SearchContext, set: SeqSet, total: number, { user, count }: TestRecordsArgs) => {
  const found: number[] = []
  const start = Math.floor(Math.random() * total)
  const end = Math.min(total, MAX_EXAMINED)
  for (let examined = 0; examined < end && found.length < count; ) {
    const seqs = set.slice((start + examined) % total, Math.min(RECORDS_PER_BATCH, end - examined))
    found.push(...(await usableTests(db, { datasetNo, userId: user.id }, seqs, count - found.length)))
    examined += seqs.length
  }
  return found
}

/**
 * Uses a view's search to find records for the user's next test items. The search may use data that is hidden from the user.
 * @throws Problem not_found, forbidden, unprocessable, validation
 */
export const findTestRecords = query(
  'search.find-test-records',
  async (db, args: TestRecordsArgs & SearchLane): Promise<CachedResult<TestRecords>> => {
    const { search, context, cache } = await prepareSearch(db, { ...args, isOwn: false, seesHidden: true })
    return runWithCache(cache, async () => {
      const found = context === null ? null : await matchesOf(context, search.atoms)
      if (found instanceof CacheMiss) return found
      if (context === null || found === null) return { seqs: [], total: 0 }
      const total = found.set.count()
      return { seqs: await unanswered(context, found.set, total, args), total }
    })
  },
)
