import { type RawBuilder, sql } from 'kysely'
import { isLongKey } from '#platform/db/keys/index-keys.ts'
import { isVolatileSort, keyOf, type SortKey } from '../conditions/atoms.ts'
import { compareTexts, textOfKey } from '../conditions/long-terms.ts'
import { scanSort, unfilledProperty } from '../conditions/unfilled.ts'
import { type Reach, recordsIn } from '../reach.ts'
import type { SeqSet } from '../seq-set.ts'
import { forEachPair } from './pairs.ts'
import { type Page, pageBy } from './select-page.ts'

/** Results up to this size are sorted by themselves; for larger ones the order of the whole dataset is made and kept. */
const FEW = 300

/** The place of each record that has a value among the values in their order, from 1 on; equal values share one. */
type Ranks = (visit: (seq: number, rank: number) => void) => void

const among = ({ db }: Reach, seqs: readonly number[] | null): RawBuilder<unknown> =>
  seqs === null ? sql`` : sql`and seq in ${db.dialect.listed(seqs)}`

/**
 * `seq` and `v`: what a sort compares of each record, of answers their mean. A list has several rows, of which the first in
 * the order of the sort counts: the smallest item, falling the greatest.
 */
const given = (reach: Reach, key: SortKey, seqs: readonly number[] | null): RawBuilder<unknown> => {
  const { datasetNo } = reach
  if (key.by === 'column') {
    const column = sql.ref(key.column)
    return sql`select seq, ${column} as v from records where dataset_no = ${datasetNo} and ${column} is not null ${among(reach, seqs)}`
  }
  const { values } = key
  const table = sql.table(`${values.table}_${values.kind}`)
  const column = sql.ref(values.kind === 'terms' ? 'value_key' : 'number')
  const where = sql`dataset_no = ${datasetNo} and key = ${values.key} ${among(reach, seqs)}`
  if (values.table === 'record') return sql`select seq, ${column} as v from ${table} where ${where}`
  const user = values.user === null ? sql`` : sql`and user_id = ${values.user}`
  return sql`select seq, avg(${column}) as v from ${table} where ${where} ${user} group by seq`
}

const rankedBySql = async (reach: Reach, key: SortKey, seqs: readonly number[] | null): Promise<Ranks> => {
  const order = key.descending ? sql`desc` : sql`asc`
  const { rows } = await sql<{ pairs: string | null }>`
    select string_agg(cast(seq as text) || ' ' || cast(place as text), ',') as pairs from
      (select seq, dense_rank() over (order by v ${order}) as place from (${given(reach, key, seqs)}) as given) as ranked`.execute(
    reach.db.sql,
  )
  const pairs = rows[0]?.pairs ?? ''
  return (visit) => forEachPair(pairs, visit)
}

type Value = string | number
const compareValues = (a: Value, b: Value): number =>
  typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b)

/** Ranks of values that were read one by one. */
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

const hasLongKeys = async ({ db, datasetNo }: Reach, table: 'record_terms', key: number): Promise<boolean> => {
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

/** Texts of which some are longer than their keys: compared as they are. */
const rankedByText = async (reach: Reach, key: SortKey & { by: 'values' }): Promise<Ranks> => {
  const { db, datasetNo } = reach
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

const ranksBy = async (reach: Reach, key: SortKey, seqs: readonly number[] | null): Promise<Ranks> => {
  if (key.by === 'values') {
    const property = unfilledProperty(reach, key.values)
    if (property !== null) {
      const sign = key.descending ? -1 : 1
      return ranksOf(await scanSort(reach, key, property, (a, b) => sign * compareValues(a, b) < 0), key.descending)
    }
    const { table, kind } = key.values
    if (table === 'record' && kind === 'terms' && (await hasLongKeys(reach, 'record_terms', key.values.key)))
      return rankedByText(reach, key)
  }
  return rankedBySql(reach, key, seqs)
}

/** The places of some records by two keys, the first one first. */
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
 * One place for each record over all keys, from 0 on; records without a value come last, whichever the direction.
 * @param seqs the only records that matter; null for all
 */
const combine = async (reach: Reach, sort: readonly SortKey[], seqs: readonly number[] | null): Promise<Uint32Array> => {
  const { size } = reach
  const members = seqs === null ? Uint32Array.from({ length: size }, (_, seq) => seq) : Uint32Array.from(seqs)
  let places: Uint32Array | null = null
  for (const key of sort) {
    const ranks = new Uint32Array(new SharedArrayBuffer(size * 4))
    let most = 0
    const visit = await ranksBy(reach, key, seqs)
    visit((seq, rank) => {
      if (ranks[seq] === 0 || rank < ranks[seq]!) ranks[seq] = rank
      most = Math.max(most, rank)
    })
    for (const seq of members) ranks[seq] = ranks[seq] === 0 ? most : ranks[seq]! - 1
    places = places === null ? ranks : merge(places, ranks, members)
  }
  return places ?? new Uint32Array(size)
}

/** A page of a set as sorted, ties in order of insertion. @throws Cold on the page's path */
export const pageSorted = async (reach: Reach, set: SeqSet, sort: readonly SortKey[], page: Page): Promise<number[]> => {
  const { size, keeper } = reach
  const count = set.count()
  const few = count <= FEW
  const keep = !few && !sort.some(isVolatileSort)
  if (!few && !keep) keeper.expect(recordsIn(reach) * sort.length)
  const places = keep
    ? await keeper.take({
        key: `sort ${sort.map(keyOf).join(' ')}`,
        cost: recordsIn(reach) * sort.length,
        make: () => combine(reach, sort, null),
        bytes: (made) => made.byteLength,
      })
    : await combine(reach, sort, few ? set.toArray() : null)
  return pageBy(set, (seq) => places[seq]!, page, { keys: size + 1, size })
}
