import type { SearchBody } from '@postil/contract/search.ts'
import { type VectorSettingsRow, vectorSettingsRows } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { query } from '#platform/db/operations.ts'
import type { AtomOf } from '../conditions/atoms.ts'
import type { Search } from '../conditions/compile.ts'
import { findHits, hitsAmong, hitsSpread, hitsWithAgreement } from '../hits.ts'
import type { QueueOrder } from '../order/user-order.ts'
import { prepareSearch, type SearchLane } from '../queries.ts'
import { type CachedResult, CacheMiss, runWithCache } from '../search-cache.ts'
import type { SearchContext } from '../search-context.ts'

/** Selects which results of a search are returned. */
type FirstOfArgs = {
  /** Considers only these records; null for all. */
  readonly among: readonly number[] | null
  /**
   * Whether to consider only records that have an agreement. If true, the agreement on a question must be the first sort key of
   * the search.
   */
  readonly withAgreement?: boolean
  readonly limit: number
}
export type FirstSearch = {
  readonly body: SearchBody
  /**
   * If set, each record is as different as possible from the records before it. The value is the name of the vector setting by
   * which records are compared. Null for the order of `body`. Parts with `among` ignore it, because their records are in the
   * user's order.
   */
  readonly spread: string | null
  /** Which assignments the records must have; null for any. */
  readonly assigned: Omit<AtomOf<'assigned'>, 'kind'> | null
  readonly parts: readonly FirstOfArgs[]
}
export type FirstArgs = {
  readonly user: Actor
  readonly dataset_id: string
  /** Searches and their parts are evaluated separately, but on the same snapshot. */
  readonly searches: readonly FirstSearch[]
}

type Prepared = Awaited<ReturnType<typeof prepareSearch>>

/** `seq`s in search order, and their total number. */
export type FirstOfResult = { readonly seqs: readonly number[]; readonly total: number }

type Ordered = { readonly search: Search; readonly order: QueueOrder; readonly setting: VectorSettingsRow | null }

const findPart = (context: SearchContext, { search, order, setting }: Ordered, { among, withAgreement, limit }: FirstOfArgs) => {
  if (withAgreement === true) return hitsWithAgreement(context, search, limit)
  const page = { offset: 0, limit }
  if (among === null && setting !== null) return hitsSpread(context, search, setting, page)
  return among === null ? findHits(context, search, order, page) : hitsAmong(context, search, order, page, among)
}

/**
 * Returns the first results of each search, without the records themselves. Answer filters and sort keys refer to one user's
 * answers. The searches may use metadata that is hidden from the user. @throws Problem not_found, forbidden, unprocessable
 */
export const findFirst = query(
  'search.find-first',
  async (db, { searches, ...args }: FirstArgs & SearchLane): Promise<CachedResult<readonly (readonly FirstOfResult[])[]>> => {
    const prepared: (Prepared & Pick<FirstSearch, 'parts'> & Pick<Ordered, 'setting'>)[] = []
    for (const { body, spread, assigned, parts } of searches) {
      const { search, ...rest } = await prepareSearch(db, { ...args, body, isOwn: true, seesHidden: true })
      const atoms = assigned === null ? search.atoms : [...search.atoms, { kind: 'assigned' as const, ...assigned }]
      const settings = spread === null ? [] : await vectorSettingsRows(db, args.dataset_id)
      const setting = settings.find(({ name }) => name === spread) ?? null
      prepared.push({ ...rest, search: { ...search, atoms }, setting, parts })
    }
    const cache = prepared[0]?.cache
    if (cache === undefined) return { value: [], made: [] }
    return runWithCache(cache, async () => {
      const all: (readonly FirstOfResult[])[] = []
      for (const { search, order, setting, context, parts } of prepared) {
        const found: FirstOfResult[] = []
        for (const part of parts) {
          const result =
            context === null ? { hits: [], total: 0 } : await findPart({ ...context, cache }, { search, order, setting }, part)
          if (result instanceof CacheMiss) return result
          found.push({ seqs: result.hits.map(({ seq }) => seq), total: result.total })
        }
        all.push(found)
      }
      return all
    })
  },
)
