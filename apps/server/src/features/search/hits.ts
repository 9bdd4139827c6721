import { pageSeqs } from '#features/records/public.ts'
import type { VectorSettingsRow } from '#features/schema/public.ts'
import { type Atom, type AtomOf, isVolatile, type SortKey } from './conditions/atoms.ts'
import type { Search } from './conditions/compile.ts'
import { allOf, type Conditions, conditionsOf, contentKeyOf } from './conditions/conditions.ts'
import { rankedBy } from './order/ranked.ts'
import type { Page } from './order/select-page.ts'
import { type Similar, similarTo } from './order/similar.ts'
import { firstWithAgreement, pageSorted } from './order/sorted.ts'
import { pageSpread } from './order/spread.ts'
import { type Hit, pageInUserOrder, type QueueOrder } from './order/user-order.ts'
import { isQueue, isWalked, markFirst, queuePage } from './queue/queue-page.ts'
import { CacheMiss } from './search-cache.ts'
import { recordCount, type SearchContext } from './search-context.ts'
import { intersect, SeqSet } from './seq-set.ts'

export type Hits = { readonly hits: readonly Hit[]; readonly total: number; readonly large?: Similar['large'] }

const scored = (seqs: readonly number[], score: number | null): Hit[] => seqs.map((seq) => ({ seq, score }))

/**
 * Returns a page of a search without conditions, in insertion order. The number of records in each block is known, so the records
 * before the page are not scanned.
 */
const plainPage = async (context: SearchContext, page: Page): Promise<Hits> => ({
  hits: scored(await pageSeqs(context.db, context.datasetNo, page), 1),
  total: recordCount(context),
})

const byRelevance = async (
  context: SearchContext,
  atoms: readonly Atom[],
  { content, texts }: Conditions,
  set: SeqSet,
  page: Page,
): Promise<Hit[] | null | CacheMiss> => {
  const atom = atoms.find((one): one is AtomOf<'text'> => one.kind === 'text')
  const text = atom && texts.get(atom)
  if (atom === undefined || text === undefined) return null
  const stableAtoms = atoms.filter((one) => !isVolatile(one))
  const contentSet = stableAtoms.length === atoms.length ? set : await intersect(content, () => allOf(context), context.size)
  if (contentSet instanceof CacheMiss) return contentSet
  const key = stableAtoms.map((one) => contentKeyOf(context, one)).join(' ')
  const ranked = await rankedBy(context, { atom, text, set: contentSet, key })
  if (ranked === null || ranked instanceof CacheMiss) return ranked
  const hits: Hit[] = []
  let skip = page.offset
  for (const [i, seq] of ranked.seqs.entries()) {
    if (hits.length === page.limit) break
    if (!set.has(seq)) continue
    if (skip > 0) skip -= 1
    else hits.push({ seq, score: ranked.scores[i]! })
  }
  return hits
}

/** Returns the records that match all conditions, together with the evaluated conditions. */
export const matchesOf = async (
  context: SearchContext,
  atoms: readonly Atom[],
): Promise<{ readonly conditions: Conditions; readonly set: SeqSet } | CacheMiss> => {
  const conditions = await conditionsOf(context, atoms)
  if (conditions instanceof CacheMiss) return conditions
  const set = await intersect([...conditions.content, ...conditions.volatile], () => allOf(context), context.size)
  return set instanceof CacheMiss ? set : { conditions, set }
}

const sortedPage = async (
  context: SearchContext,
  set: SeqSet,
  sort: readonly SortKey[],
  page: Page,
): Promise<Hits | CacheMiss> => {
  const seqs = await pageSorted(context, set, sort, page)
  return seqs instanceof CacheMiss ? seqs : { hits: scored(seqs, null), total: set.count() }
}

/** Returns a page of the given records that match a search's conditions, in search order. @throws Problem */
export const hitsAmong = async (
  context: SearchContext,
  search: Search,
  order: QueueOrder,
  page: Page,
  seqs: readonly number[],
): Promise<Hits | CacheMiss> => {
  const found = await matchesOf(context, search.atoms)
  if (found instanceof CacheMiss) return found
  const set = found.set.and(SeqSet.of(context.size, seqs))
  const total = set.count()
  if (page.limit === 0 || total === 0) return { hits: [], total }
  if (search.sort.length > 0) return sortedPage(context, set, search.sort, page)
  const hits = await pageInUserOrder(context, set, order, page)
  return hits instanceof CacheMiss ? hits : { hits, total }
}

/**
 * Returns the first search results that have an agreement. The search's first sort key must be the agreement on a question.
 * @throws Problem
 */
export const hitsWithAgreement = async (context: SearchContext, search: Search, limit: number): Promise<Hits | CacheMiss> => {
  const found = await matchesOf(context, search.atoms)
  if (found instanceof CacheMiss) return found
  const seqs = await firstWithAgreement(context, found.set, search.sort, limit)
  return seqs instanceof CacheMiss ? seqs : { hits: scored(seqs, null), total: found.set.count() }
}

/**
 * Returns a page of search results in an order in which each record is as different as possible from those before it.
 * @throws Problem
 */
export const hitsSpread = async (
  context: SearchContext,
  search: Search,
  setting: VectorSettingsRow,
  page: Page,
): Promise<Hits | CacheMiss> => {
  const found = await matchesOf(context, search.atoms)
  if (found instanceof CacheMiss) return found
  const total = found.set.count()
  if (page.limit === 0 || page.offset >= total) return { hits: [], total }
  const seqs = await pageSpread(context, found.set, setting, page)
  return seqs instanceof CacheMiss ? seqs : { hits: scored(seqs, null), total }
}

/**
 * Returns a page of search results and their total number.
 * @param order the order in which the user gets records; null for relevance or insertion order
 * @throws Problem
 */
export const findHits = async (
  context: SearchContext,
  search: Search,
  order: QueueOrder | null,
  page: Page,
): Promise<Hits | CacheMiss> => {
  const { atoms, sort, vector } = search
  if (vector !== null) return similarTo(context, search, vector, page)
  if (atoms.length === 0 && sort.length === 0 && order === null) return plainPage(context, page)
  if (order !== null && sort.length === 0 && isQueue(atoms) && context.ownTests.length === 0) {
    const walked = await queuePage(context, order, page)
    if (walked !== null) return walked
  }
  const found = await matchesOf(context, atoms)
  if (found instanceof CacheMiss) return found
  const { conditions, set } = found
  const total = set.count()
  if (page.offset >= total) return { hits: [], total }
  if (sort.length > 0) return sortedPage(context, set, sort, page)
  if (order !== null) {
    const hits = await pageInUserOrder(context, set, order, page)
    if (hits instanceof CacheMiss) return hits
    if (page.offset === 0 && isQueue(atoms) && isWalked(context) && context.ownTests.length === 0) markFirst(context, order, hits)
    return { hits, total }
  }
  const ranked = await byRelevance(context, atoms, conditions, set, page)
  if (ranked instanceof CacheMiss) return ranked
  return { hits: ranked ?? scored(set.slice(page.offset, page.limit), 1), total }
}
