import type { SearchBody } from '@postil/contract/search.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { query } from '#platform/db/operations.ts'
import type { Search } from '../conditions/compile.ts'
import { findHits, hitsAmong, hitsWithAgreement } from '../hits.ts'
import type { QueueOrder } from '../order/user-order.ts'
import { prepareSearch, type SearchLane } from '../queries.ts'
import { type CachedResult, CacheMiss, runWithCache } from '../search-cache.ts'
import type { SearchContext } from '../search-context.ts'

/** A subset of the records that a dataset's own search finds for a user. */
export type FirstOfArgs = {
  /** Considers only these records; null for all. */
  readonly among: readonly number[] | null
  /** Whether to consider only records that have an agreement, which must then be the first sort key. */
  readonly withAgreement?: boolean
  readonly limit: number
}
export type FirstArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly body: SearchBody
  /** Parts are evaluated separately, but on the same snapshot. */
  readonly parts: readonly FirstOfArgs[]
}

/** `seq`s in search order, and their total number. */
export type FirstOfResult = { readonly seqs: readonly number[]; readonly total: number }

const findPart = (context: SearchContext, search: Search, order: QueueOrder, { among, withAgreement, limit }: FirstOfArgs) => {
  if (withAgreement === true) return hitsWithAgreement(context, search, limit)
  const page = { offset: 0, limit }
  return among === null ? findHits(context, search, order, page) : hitsAmong(context, search, order, page, among)
}

/**
 * Returns the first results of a search, without the records themselves. Answer filters and sort keys refer to one user's
 * answers. The search may use metadata that is hidden from the user. @throws Problem not_found, forbidden, unprocessable
 */
export const findFirst = query(
  'search.find-first',
  async (db, { parts, ...args }: FirstArgs & SearchLane): Promise<CachedResult<readonly FirstOfResult[]>> => {
    const { search, order, context, cache } = await prepareSearch(db, { ...args, isOwn: true, seesHidden: true })
    if (context === null) return { value: parts.map(() => ({ seqs: [], total: 0 })), made: [] }
    return runWithCache(cache, async () => {
      const found: FirstOfResult[] = []
      for (const part of parts) {
        const result = await findPart(context, search, order, part)
        if (result instanceof CacheMiss) return result
        const { hits, total } = result
        found.push({ seqs: hits.map(({ seq }) => seq), total })
      }
      return found
    })
  },
)
