import type { SearchBody } from '@postil/contract/search.ts'
import { query } from '#platform/db/operations.ts'
import { findHits, hitsAmong } from '../hits.ts'
import { type Kept, keptBy } from '../kept.ts'
import type { Actor } from '../policy.ts'
import { prepareSearch, type SearchLane } from '../queries.ts'

/** Some of the records that a search by the conditions of a dataset's owner finds for a user. */
export type Some = {
  /** Only these count; null for all. */
  readonly among: readonly number[] | null
  readonly limit: number
}
export type FirstArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly body: SearchBody
  /** Each is answered by itself, all on one snapshot. */
  readonly some: readonly Some[]
}
/** `seq`s in the order of the search, and how many there are in all. */
export type First = { readonly seqs: readonly number[]; readonly total: number }
/**
 * What comes first of what a search finds for a user, by their answers, without the records themselves. The search may look at metadata
 * that the user is not shown. @throws Problem not_found, forbidden, unprocessable
 */
export const findFirst = query(
  'search.find-first',
  async (db, { some, ...args }: FirstArgs & SearchLane): Promise<Kept<readonly First[]>> => {
    const { search, reach, keeper } = await prepareSearch(db, { ...args, mine: true, seesHidden: true })
    if (reach === null) return { value: some.map(() => ({ seqs: [], total: 0 })), made: [] }
    return keptBy(keeper, async () => {
      const found: First[] = []
      for (const { among, limit } of some) {
        const page = { offset: 0, limit }
        const { hits, total } =
          among === null
            ? await findHits(reach, search, args.user.id, page)
            : await hitsAmong(reach, search, args.user.id, page, among)
        found.push({ seqs: hits.map(({ seq }) => seq), total })
      }
      return found
    })
  },
)
