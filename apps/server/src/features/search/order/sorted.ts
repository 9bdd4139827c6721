import { type RawBuilder, sql } from 'kysely'
import { type OwnTest, shownStatus } from '#features/test-items/public.ts'
import { isLongKey } from '#platform/db/keys/index-keys.ts'
import { forEachPair } from '#platform/db/keys/pair-list.ts'
import { type ChangeCounts, changeCounts, sameCounts } from '#platform/db/record-changes.ts'
import { isVolatileSort, keyOf, type SortKey } from '../conditions/atoms.ts'
import { compareTexts, textOfKey } from '../conditions/long-terms.ts'
import { withNumberRange } from '../conditions/narrow.ts'
import { scanSort, unfilledProperty } from '../conditions/unfilled.ts'
import { CacheMiss } from '../search-cache.ts'
import { recordCount, type SearchContext } from '../search-context.ts'
import { SeqSet } from '../seq-set.ts'
import { type Page, pageBy } from './select-page.ts'

/**
 * Maximum size of a result that is sorted separately. For larger results, the order of the entire dataset is computed and
 * cached.
 */
const MAX_SQL_SORTED = 300
/**
 * Like `MAX_SQL_SORTED`, for an order that depends on answers. The cache for such an order is valid only until the next change.
 */
const MAX_VOLATILE_SORTED = 2000

/** Visits each record that has a value, with the value's rank, starting at 1. Equal values share a rank. */
type Ranks = (visit: (seq: number, rank: number) => void) => void

const among = ({ db }: SearchContext, seqs: readonly number[] | null): RawBuilder<unknown> =>
  seqs === null ? sql`` : sql`and seq in ${db.dialect.listed(seqs)}`

/** The status of a record. For a test item, it is the status that the user sees. */
const shownStatusColumn = (tests: readonly OwnTest[]): RawBuilder<unknown> => {
  const shown = tests.filter((test) => shownStatus(test) !== 'completed').map(({ seq }) => seq)
  return shown.length === 0 ? sql.ref('status') : sql`case when seq in (${sql.join(shown)}) then 'pending' else status end`
}

/**
 * Selects `seq` and `v`. `v` is the value that a sort compares. For answers, `v` is the mean of the answers to the record. If a
 * value is a list, each item has a row. Only the first of these rows in sort order counts: the smallest item, or the largest item
 * in descending order.
 */
const listedRanks = (context: SearchContext, key: SortKey, seqs: readonly number[] | null): RawBuilder<unknown> => {
  const { datasetNo } = context
  if (key.by === 'column') {
    const column = key.column === 'status' ? shownStatusColumn(context.ownTests) : sql.ref(key.column)
    return sql`select seq, ${column} as v from records where dataset_no = ${datasetNo} and ${column} is not null ${among(context, seqs)}`
  }
  const { values } = key
  const table = sql.table(`${values.table}_${values.kind}`)
  const column = sql.ref(values.kind === 'terms' ? 'value_key' : 'number')
  const where = sql`dataset_no = ${datasetNo} and key = ${values.key} ${among(context, seqs)}`
  if (values.table !== 'response') return sql`select seq, ${column} as v from ${table} where ${where}`
  const user = values.user === null ? sql`` : sql`and user_id = ${values.user}`
  return sql`select seq, avg(${column}) as v from ${table} where ${where} ${user} group by seq`
}

const rankedBySql = async (context: SearchContext, key: SortKey, seqs: readonly number[] | null): Promise<Ranks> => {
  const order = key.descending ? sql`desc` : sql`asc`
  const { rows } = await sql<{ pairs: string | null }>`
    select string_agg(cast(seq as text) || ' ' || cast(place as text), ',') as pairs from
      (select seq, dense_rank() over (order by v ${order}) as place from (${listedRanks(context, key, seqs)}) as given) as ranked`.execute(
    context.db.sql,
  )
  const pairs = rows[0]?.pairs ?? ''
  return (visit) => forEachPair(pairs, visit)
}

type Value = string | number
const compareValues = (a: Value, b: Value): number =>
  typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b)

/** Ranks values that were read individually. */
const ranksOf = (best: ReadonlyMap<number, Value>, descending: boolean): Ranks => {
  const sign = descending ? -1 : 1
  const entries = [...best].sort(([, a], [, b]) => sign * compareValues(a, b))
  return (visit) => {
    let rank = 0
    let last: Value | null = null
    for (const [seq, value] of entries) {
      if (last === null || compareValues(value, last) !== 0) rank += 1
      last = value
      visit(seq, rank)
    }
  }
}

const hasLongKeys = async ({ db, datasetNo }: SearchContext, table: 'record_terms', key: number): Promise<boolean> => {
  const row = await db.sql
    .selectFrom(table)
    .select('seq')
    .where('dataset_no', '=', datasetNo)
    .where('key', '=', key)
    .where((eb) => eb(eb.fn<number>('octet_length', ['value_key']), '>', 200))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Ranks records by full texts instead of keys, because the keys of long texts don't contain the whole text. */
const rankedByText = async (context: SearchContext, key: SortKey & { by: 'values' }): Promise<Ranks> => {
  const { db, datasetNo } = context
  const rows = await db.sql
    .selectFrom('record_terms')
    .select(['seq', 'value_key'])
    .where('dataset_no', '=', datasetNo)
    .where('key', '=', key.values.key)
    .execute()
  const texts = new Map<string, string>()
  const best = new Map<number, string>()
  for (const { seq, value_key } of rows) {
    let text = texts.get(value_key)
    if (text === undefined) {
      text = isLongKey(value_key) ? await textOfKey(db, datasetNo, key.values, value_key, seq) : value_key
      texts.set(value_key, text)
    }
    const known = best.get(seq)
    if (known === undefined || compareTexts(text, known) * (key.descending ? -1 : 1) < 0) best.set(seq, text)
  }
  return ranksOf(best, key.descending)
}

const ranksBy = async (context: SearchContext, key: SortKey, seqs: readonly number[] | null): Promise<Ranks> => {
  if (key.by === 'values') {
    const property = unfilledProperty(context, key.values)
    if (property !== null) {
      const sign = key.descending ? -1 : 1
      return ranksOf(await scanSort(context, key, property, (a, b) => sign * compareValues(a, b) < 0), key.descending)
    }
    const { table, kind } = key.values
    if (table === 'record' && kind === 'terms' && (await hasLongKeys(context, 'record_terms', key.values.key)))
      return rankedByText(context, key)
  }
  return rankedBySql(context, key, seqs)
}

/** Merges two rankings of some records: by `first`, then by `second` for ties. */
const merge = (first: Uint32Array, second: Uint32Array, members: Uint32Array): Uint32Array => {
  const order = members.slice().sort((a, b) => first[a]! - first[b]! || second[a]! - second[b]!)
  const places = new Uint32Array(new SharedArrayBuffer(first.byteLength))
  let place = -1
  for (let i = 0; i < order.length; i++) {
    const seq = order[i]!
    const last = order[i - 1]
    if (last === undefined || first[seq] !== first[last] || second[seq] !== second[last]) place += 1
    places[seq] = place
  }
  return places
}

/**
 * Returns one rank for each record, computed from all sort keys. Ranks start at 0. Records without a value come last in either
 * direction.
 * @param seqs the only records to rank; null for all
 */
const combine = async (
  context: SearchContext,
  sort: readonly SortKey[],
  seqs: readonly number[] | null,
): Promise<Uint32Array> => {
  const { size } = context
  const members = seqs === null ? Uint32Array.from({ length: size }, (_, seq) => seq) : Uint32Array.from(seqs)
  let places: Uint32Array | null = null
  for (const key of sort) {
    const ranks = new Uint32Array(new SharedArrayBuffer(size * 4))
    let most = 0
    const visit = await ranksBy(context, key, seqs)
    visit((seq, rank) => {
      if (ranks[seq] === 0 || rank < ranks[seq]!) ranks[seq] = rank
      most = Math.max(most, rank)
    })
    for (const seq of members) ranks[seq] = ranks[seq] === 0 ? most : ranks[seq]! - 1
    places = places === null ? ranks : merge(places, ranks, members)
  }
  return places ?? new Uint32Array(size)
}

/** How many index rows to read. The second number is used if too few of the first 1,000 rows belong to the set. */
const WALKED = [1000, 20_000] as const

/** The sort key of a search that is sorted only by the agreement on a question; null for any other search. */
const agreementKey = ([key, ...others]: readonly SortKey[]) =>
  key?.by === 'values' && key.values.table === 'agreement' && others.length === 0 ? key : null

/**
 * Returns the first records of a set, in order of the agreement on a question. Reads the index in this order. The order of the
 * whole dataset isn't computed, because every answer can change it. Null if the search has another order, or if too many index
 * rows would have to be read.
 */
const walkAgreement = async (
  { db, datasetNo }: SearchContext,
  set: SeqSet,
  sort: readonly SortKey[],
  count: number,
): Promise<readonly number[] | null> => {
  const key = agreementKey(sort)
  if (key === null) return null
  for (const limit of WALKED) {
    const rows = await db.sql
      .selectFrom('agreement_numbers')
      .select('seq')
      .where('dataset_no', '=', datasetNo)
      .where('key', '=', key.values.key)
      .orderBy('number', key.descending ? 'desc' : 'asc')
      .orderBy('seq')
      .limit(limit)
      .execute()
    const seqs = rows.map(({ seq }) => seq).filter((seq) => set.has(seq))
    if (seqs.length >= count || rows.length < limit) return seqs.slice(0, count)
  }
  return null
}

/** Returns the first records of a set in order of agreement, followed by records without an agreement in insertion order. */
const firstByAgreement = async (
  context: SearchContext,
  set: SeqSet,
  sort: readonly SortKey[],
  count: number,
): Promise<readonly number[] | null> => {
  const walked = await walkAgreement(context, set, sort, count)
  if (walked === null || walked.length === count) return walked
  const rest = set.grown(context.size)
  for (const seq of walked) rest.remove(seq)
  return [...walked, ...rest.slice(0, count - walked.length)]
}

/**
 * All records of a dataset in order. Ties are in insertion order. Contains every `seq` below the dataset's size, including those
 * of deleted records.
 */
const orderOf = (places: Uint32Array): Uint32Array => {
  const starts = new Uint32Array(places.length + 1)
  for (const place of places) starts[place + 1]! += 1
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  const order = new Uint32Array(new SharedArrayBuffer(places.byteLength))
  for (let seq = 0; seq < places.length; seq++) order[starts[places[seq]!]!++] = seq
  return order
}

/** Returns one page of the records in a set. `order` is the order of all records in the dataset. */
const pageInOrder = (order: Uint32Array, set: SeqSet, { offset, limit }: Page): number[] => {
  const found: number[] = []
  let skip = offset
  for (let i = 0; i < order.length && found.length < limit; i++) {
    const seq = order[i]!
    if (!set.has(seq)) continue
    if (skip > 0) skip -= 1
    else found.push(seq)
  }
  return found
}

type KeptOrder = { readonly order: Uint32Array; readonly changes: ChangeCounts }

/**
 * The order of the whole dataset. The sort keys can change with answers, so a cached order is valid only until the next change.
 */
const keptOrder = async (context: SearchContext, sort: readonly SortKey[]): Promise<Uint32Array | CacheMiss> => {
  const { db, datasetNo, size, cache } = context
  const key = `kept sort ${sort.map(keyOf).join(' ')}`
  const changes = await changeCounts(db, datasetNo)
  const known = cache.updatable<KeptOrder>(key)
  if (known !== null && known.nextSeq === size && sameCounts(known.value.changes, changes)) return known.value.order
  if (cache.missOfCost(recordCount(context) * sort.length) !== null) return new CacheMiss([cache.fullKey(key)])
  const order = orderOf(await combine(context, sort, null))
  cache.keep(key, { order, changes } satisfies KeptOrder, order.byteLength)
  return order
}

/** Returns a page of a sorted set. Ties are in insertion order. */
export const pageSorted = async (
  context: SearchContext,
  set: SeqSet,
  sort: readonly SortKey[],
  page: Page,
): Promise<number[] | CacheMiss> => {
  const { size, cache } = context
  const count = set.count()
  const isVolatile = sort.some(isVolatileSort)
  const few = count <= (isVolatile ? MAX_VOLATILE_SORTED : MAX_SQL_SORTED)
  const end = page.offset + page.limit
  const isWalked = !few && (end <= WALKED[0] || !context.keepsVolatile)
  const walked = isWalked ? await firstByAgreement(context, set, sort, end) : null
  if (walked !== null) return walked.slice(page.offset)
  if (!few && (!isVolatile || context.keepsVolatile)) {
    const order = isVolatile
      ? await keptOrder(context, sort)
      : await cache.getOrMake({
          key: `sort ${sort.map(keyOf).join(' ')}`,
          cost: recordCount(context) * sort.length,
          make: async () => orderOf(await combine(context, sort, null)),
          bytes: (made) => made.byteLength,
        })
    return order instanceof CacheMiss ? order : pageInOrder(order, set, page)
  }
  const costly = few ? null : cache.missOfCost(recordCount(context) * sort.length)
  if (costly !== null) return costly
  const places = await combine(context, sort, few ? set.toArray() : null)
  return pageBy(set, (seq) => places[seq]!, page, { keys: size + 1, size })
}

/**
 * Returns the first `count` records of a sorted search. Only records in `set` that have an agreement are considered. The first
 * sort key must be the agreement on a question.
 */
export const firstWithAgreement = async (
  context: SearchContext,
  set: SeqSet,
  sort: readonly SortKey[],
  count: number,
): Promise<readonly number[] | CacheMiss> => {
  const [key] = sort
  const walked = await walkAgreement(context, set, sort, count)
  if (walked !== null || key?.by !== 'values') return walked ?? []
  const costly = context.cache.missOfCost(recordCount(context))
  if (costly !== null) return costly
  const any = { kind: 'number_range', values: key.values, bounds: { ge: null, le: null } } as const
  const withValue = SeqSet.parse(context.size, await withNumberRange(context, any, 0))
  return pageSorted(context, withValue.and(set), sort, { offset: 0, limit: count })
}
