import type { SelectQueryBuilder } from 'kysely'
import { isLongKey, valueKey } from '#platform/db/keys/index-keys.ts'
import { seqList } from '#platform/db/keys/seq-list.ts'
import type { Tables } from '#platform/db/tables.ts'
import type { Reach } from '../reach.ts'
import type { AtomOf, Bounds, Values } from './atoms.ts'
import { doubtfulBeginning, isWithin, textOfKey } from './long-terms.ts'

type Rows = 'response_terms' | 'response_numbers'

/** The rows of one key of a narrow table, from a `seq` on. */
const rowsUnder = <T extends Rows>({ db, datasetNo }: Reach, table: T, { key, user }: Values, from: number) => {
  let query = db.sql
    .selectFrom(table as 'response_terms')
    .where('dataset_no', '=', datasetNo)
    .where('key', '=', key)
  if (from > 0) query = query.where('seq', '>=', from)
  if (user !== null) query = query.where('user_id', '=', user)
  return query as unknown as SelectQueryBuilder<Tables, T, object>
}

// NOTE: tables of records have the same columns without a user, and no user is given for them
const termsUnder = (reach: Reach, values: Values, from: number) =>
  rowsUnder(reach, `${values.table}_terms` as 'response_terms', values, from)
const numbersUnder = (reach: Reach, values: Values, from: number) =>
  rowsUnder(reach, `${values.table}_numbers` as 'response_numbers', values, from)

type Listing = { executeTakeFirst: () => Promise<{ seqs: string | null } | undefined> }
const listOf = async (query: Listing): Promise<string> => (await query.executeTakeFirst())?.seqs ?? ''

/** The records that have one of the terms, as a `SeqList`. */
export const withTerms = async (reach: Reach, { values, terms }: AtomOf<'terms'>, from: number): Promise<string> =>
  terms.length === 0
    ? ''
    : listOf(
        termsUnder(reach, values, from)
          .where('value_key', 'in', [...new Set(terms.map(valueKey))])
          .select(seqList.as('seqs')),
      )

export const withNumbers = (reach: Reach, { values, numbers }: AtomOf<'numbers'>, from: number): Promise<string> =>
  listOf(
    numbersUnder(reach, values, from)
      .where('number', 'in', [...new Set(numbers)])
      .select(seqList.as('seqs')),
  )

export const withNumberRange = (reach: Reach, { values, bounds }: AtomOf<'number_range'>, from: number): Promise<string> => {
  let query = numbersUnder(reach, values, from)
  if (bounds.ge !== null) query = query.where('number', '>=', bounds.ge)
  if (bounds.le !== null) query = query.where('number', '<=', bounds.le)
  return listOf(query.select(seqList.as('seqs')))
}

/** After every text that begins with it. */
const after = (beginning: string): string => `${beginning}\u{10ffff}`

/** Keys that begin like a long bound, each settled by the text that it stands for. */
const settled = async (
  reach: Reach,
  values: Values,
  beginnings: readonly string[],
  bounds: Bounds<string>,
): Promise<string[]> => {
  const good: string[] = []
  for (const beginning of new Set(beginnings)) {
    const keys = await termsUnder(reach, values, 0)
      .where('value_key', '>=', beginning)
      .where('value_key', '<', after(beginning))
      .groupBy('value_key')
      .select((eb) => ['value_key', eb.fn.min('seq').as('seq')])
      .execute()
    for (const { value_key, seq } of keys) {
      const text = isLongKey(value_key) ? await textOfKey(reach.db, reach.datasetNo, values, value_key, seq) : value_key
      if (isWithin(text, bounds)) good.push(value_key)
    }
  }
  return good
}

export const withTermRange = async (reach: Reach, { values, bounds }: AtomOf<'term_range'>, from: number): Promise<string> => {
  const ge = bounds.ge === null ? null : doubtfulBeginning(bounds.ge)
  const le = bounds.le === null ? null : doubtfulBeginning(bounds.le)
  let sure = termsUnder(reach, values, from)
  if (bounds.ge !== null) sure = sure.where('value_key', '>=', ge === null ? bounds.ge : after(ge))
  if (bounds.le !== null) sure = le === null ? sure.where('value_key', '<=', bounds.le) : sure.where('value_key', '<', le)
  const lists = [await listOf(sure.select(seqList.as('seqs')))]
  const beginnings = [ge, le].filter((beginning) => beginning !== null)
  if (beginnings.length > 0) {
    const keys = await settled(reach, values, beginnings, bounds)
    if (keys.length > 0)
      lists.push(await listOf(termsUnder(reach, values, from).where('value_key', 'in', keys).select(seqList.as('seqs'))))
  }
  return lists.filter((list) => list !== '').join(',')
}
