import { pageSeqs } from '#features/records/service.ts'
import { type Atom, type AtomOf, isVolatile, keyOf } from './conditions/atoms.ts'
import type { Search } from './conditions/compile.ts'
import { allOf, type Conditions, conditionsOf } from './conditions/conditions.ts'
import { rankedBy } from './order/ranked.ts'
import type { Page } from './order/select-page.ts'
import { type Similar, similarTo } from './order/similar.ts'
import { pageSorted } from './order/sorted.ts'
import { FULLY_SHUFFLED, type Hit, pageInUserOrder } from './order/user-order.ts'
import { isQueue, markFirst, queuePage } from './queue/queue-page.ts'
import { type Reach, recordsIn } from './reach.ts'
import { intersect, SeqSet } from './seq-set.ts'

export type Hits = { readonly hits: readonly Hit[]; readonly total: number; readonly large?: Similar['large'] }

const scored = (seqs: readonly number[], score: number | null): Hit[] => seqs.map((seq) => ({ seq, score }))

/** In order of insertion without any condition: blocks are counted, nothing is walked. */
const plainPage = async (reach: Reach, page: Page): Promise<Hits> => ({
  hits: scored(await pageSeqs(reach.db, reach.datasetNo, page), 1),
  total: recordsIn(reach),
})

const byRelevance = async (
  reach: Reach,
  atoms: readonly Atom[],
  { content, texts }: Conditions,
  set: SeqSet,
  page: Page,
): Promise<Hit[] | null> => {
  const atom = atoms.find((one): one is AtomOf<'text'> => one.kind === 'text')
  const text = atom && texts.get(atom)
  if (atom === undefined || text === undefined) return null
  const lasting = atoms.filter((one) => !isVolatile(one))
  const ofContent = lasting.length === atoms.length ? set : await intersect(content, () => allOf(reach), reach.size)
  const key = lasting.map(keyOf).join(' ')
  const ranked = await rankedBy(reach, { atom, text, set: ofContent, key })
  if (ranked === null) return null
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

/** A page of those of some records that a search by conditions finds, in its order. @throws Problem, Cold */
export const hitsAmong = async (
  reach: Reach,
  search: Search,
  order: string,
  page: Page,
  seqs: readonly number[],
): Promise<Hits> => {
  const { content, volatile } = await conditionsOf(reach, search.atoms)
  const set = (await intersect([...content, ...volatile], () => allOf(reach), reach.size)).and(SeqSet.of(reach.size, seqs))
  const total = set.count()
  if (page.limit === 0 || total === 0) return { hits: [], total }
  if (search.sort.length > 0) return { hits: scored(await pageSorted(reach, set, search.sort, page), null), total }
  return { hits: [...(await pageInUserOrder(reach, set, order, page))], total }
}

/**
 * A page of what a search finds, and how many records it finds in all.
 *
 * @param order the user in whose own order records come; null for relevance or order of insertion
 * @throws Problem, Cold
 */
export const findHits = async (reach: Reach, search: Search, order: string | null, page: Page): Promise<Hits> => {
  const { atoms, sort, vector } = search
  if (vector !== null) return similarTo(reach, search, vector, page)
  if (atoms.length === 0 && sort.length === 0 && order === null) return plainPage(reach, page)
  if (order !== null && sort.length === 0 && isQueue(atoms)) {
    const walked = await queuePage(reach, order, page)
    if (walked !== null) return walked
  }
  const conditions = await conditionsOf(reach, atoms)
  const set = await intersect([...conditions.content, ...conditions.volatile], () => allOf(reach), reach.size)
  const total = set.count()
  if (page.offset >= total) return { hits: [], total }
  if (sort.length > 0) return { hits: scored(await pageSorted(reach, set, sort, page), null), total }
  if (order !== null) {
    const hits = await pageInUserOrder(reach, set, order, page)
    if (page.offset === 0 && isQueue(atoms) && recordsIn(reach) > FULLY_SHUFFLED) markFirst(reach, order, hits)
    return { hits, total }
  }
  const ranked = await byRelevance(reach, atoms, conditions, set, page)
  return { hits: ranked ?? scored(set.slice(page.offset, page.limit), 1), total }
}
