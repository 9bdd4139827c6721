import type { SelectQueryBuilder } from 'kysely'
import { isLongKey, valueKey } from '#platform/db/keys/index-keys.ts'
import { seqList } from '#platform/db/keys/seq-list.ts'
import type { Tables } from '#platform/db/tables.ts'
import { isEvaluated, type SearchContext } from '../search-context.ts'
import type { AtomOf, Bounds, Values } from './atoms.ts'
import { isWithin, longestSafePrefix, textOfKey } from './long-terms.ts'

type Rows = 'response_terms' | 'response_numbers'

/** Selects the rows with one key from an index table, starting at a `seq`. */
const rowsUnder = <T extends Rows>(context: SearchContext, table: T, { key, user, status }: Values, from: number) => {
  const { db, datasetNo } = context
  let query = db.sql
    .selectFrom(table as 'response_terms')
    .where('dataset_no', '=', datasetNo)
    .where(isEvaluated(context))
    .where('key', '=', key)
  if (from > 0) query = query.where('seq', '>=', from)
  if (user !== null) query = query.where('user_id', '=', user)
  if (status !== undefined)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('responses')
          .select('responses.seq')
          .where('responses.dataset_no', '=', datasetNo)
          .whereRef('responses.seq', '=', `${table}.seq` as 'response_terms.seq')
          .whereRef('responses.user_id', '=', `${table}.user_id` as 'response_terms.user_id')
          .where('responses.status', '=', status),
      ),
    )
  return query as unknown as SelectQueryBuilder<Tables, T, object>
}

// The casts are safe. The index tables for records and agreements have no user column, and `user` is null for them.
const termsUnder = (context: SearchContext, values: Values, from: number) =>
  rowsUnder(context, `${values.table}_terms` as 'response_terms', values, from)
const numbersUnder = (context: SearchContext, values: Values, from: number) =>
  rowsUnder(context, `${values.table}_numbers` as 'response_numbers', values, from)

type Listing = { executeTakeFirst: () => Promise<{ seqs: string | null } | undefined> }
const listOf = async (query: Listing): Promise<string> => (await query.executeTakeFirst())?.seqs ?? ''

/** Returns the records that have one of the terms, as a `seqList`. */
export const withTerms = async (context: SearchContext, { values, terms }: AtomOf<'terms'>, from: number): Promise<string> =>
  terms.length === 0
    ? ''
    : listOf(
        termsUnder(context, values, from)
          .where('value_key', 'in', [...new Set(terms.map(valueKey))])
          .select(seqList.as('seqs')),
      )

export const withNumbers = (context: SearchContext, { values, numbers }: AtomOf<'numbers'>, from: number): Promise<string> =>
  listOf(
    numbersUnder(context, values, from)
      .where('number', 'in', [...new Set(numbers)])
      .select(seqList.as('seqs')),
  )

export const withNumberRange = (
  context: SearchContext,
  { values, bounds }: AtomOf<'number_range'>,
  from: number,
): Promise<string> => {
  let query = numbersUnder(context, values, from)
  if (bounds.ge !== null) query = query.where('number', '>=', bounds.ge)
  if (bounds.le !== null) query = query.where('number', '<=', bounds.le)
  return listOf(query.select(seqList.as('seqs')))
}

/** A string that sorts after every text with this prefix. */
const after = (beginning: string): string => `${beginning}\u{10ffff}`

/**
 * Returns the keys whose full text is within the bounds. Long keys are shortened, so they can't be compared with a long bound
 * directly. The full texts are read only for keys that start with one of `beginnings`, which are prefixes of long bounds.
 */
const settled = async (
  context: SearchContext,
  values: Values,
  beginnings: readonly string[],
  bounds: Bounds<string>,
): Promise<string[]> => {
  const matching: string[] = []
  for (const beginning of new Set(beginnings)) {
    const keys = await termsUnder(context, values, 0)
      .where('value_key', '>=', beginning)
      .where('value_key', '<', after(beginning))
      .groupBy('value_key')
      .select((eb) => ['value_key', eb.fn.min('seq').as('seq')])
      .execute()
    for (const { value_key, seq } of keys) {
      const text = isLongKey(value_key) ? await textOfKey(context.db, context.datasetNo, values, value_key, seq) : value_key
      if (isWithin(text, bounds)) matching.push(value_key)
    }
  }
  return matching
}

export const withTermRange = async (
  context: SearchContext,
  { values, bounds }: AtomOf<'term_range'>,
  from: number,
): Promise<string> => {
  const ge = bounds.ge === null ? null : longestSafePrefix(bounds.ge)
  const le = bounds.le === null ? null : longestSafePrefix(bounds.le)
  let exact = termsUnder(context, values, from)
  if (bounds.ge !== null) exact = exact.where('value_key', '>=', ge === null ? bounds.ge : after(ge))
  if (bounds.le !== null) exact = le === null ? exact.where('value_key', '<=', bounds.le) : exact.where('value_key', '<', le)
  const lists = [await listOf(exact.select(seqList.as('seqs')))]
  const beginnings = [ge, le].filter((beginning) => beginning !== null)
  if (beginnings.length > 0) {
    const keys = await settled(context, values, beginnings, bounds)
    if (keys.length > 0)
      lists.push(await listOf(termsUnder(context, values, from).where('value_key', 'in', keys).select(seqList.as('seqs'))))
  }
  return lists.filter((list) => list !== '').join(',')
}
