import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { indexKey, valueKey } from '#platform/db/keys/index-keys.ts'
import { forEachPair } from '#platform/db/keys/pair-list.ts'
import type { Submitted } from './submitted.ts'

type Question = { readonly datasetNo: number; readonly questionNo: number }

/**
 * For each value, returns the answers that have it. Each answer is a pair: the record's `seq` and the user's number in
 * `submitted.users`. Reads only `response_terms` or `response_numbers`. These tables also have rows for answers that aren't
 * submitted, so callers must skip pairs that `submitted` doesn't contain.
 *
 * Returns one row per value, with all pairs of that value in one string. Reading a row for each of a hundred thousand pairs would
 * take several times as long. The result column must not have the name of a JSON column, because its values would then be
 * decoded.
 *
 * The users are passed as a parameter, so that SQLite can't estimate their number. Without an estimate, SQLite looks up the user
 * of each row in an index. With an estimate, it would compare each row with every user (bench: agreement of 1,000,000 answers).
 */
const pairsBy = async (
  db: Db,
  { datasetNo, questionNo }: Question,
  { users }: Submitted,
  source: { readonly table: 'response_terms' | 'response_numbers'; readonly column: 'value_key' | 'number' },
) => {
  const { rows } = await sql<{ answered: string | number; pairs: string }>`
    with people as (
      select each.value as user_id, row_number() over (order by each.value) - 1 as no from ${db.dialect.each(users, 'uuid')}
    )
    select given.${sql.ref(source.column)} as answered,
      string_agg(cast(given.seq as text) || ' ' || cast(people.no as text), ',') as pairs
    from ${sql.table(source.table)} as given cross join people
    where given.user_id = people.user_id and given.dataset_no = ${datasetNo} and given.key = ${indexKey(questionNo)}
    group by given.${sql.ref(source.column)}`.execute(db.sql)
  return rows
}

/** Returns a list with −1 for each position in `submitted`. The value −1 means that the answer has no value. */
const noValues = (submitted: Submitted): Int32Array => new Int32Array(submitted.count).fill(-1)

/** Returns a function that looks up the index of a value in the list. If the list doesn't contain the value, it is added. */
const indexesIn = <T extends string | number>(values: T[], keyOf: (value: T) => string | number) => {
  const known = new Map(values.map((value, i) => [keyOf(value), i]))
  return (key: T): number => {
    const found = known.get(key)
    if (found !== undefined) return found
    known.set(key, values.length)
    values.push(key)
    return values.length - 1
  }
}

/** The label that each answer has. Labels that are no longer options are added to `labels`. */
export const readLabels = async (db: Db, question: Question, submitted: Submitted, labels: string[]): Promise<Int32Array> => {
  const values = noValues(submitted)
  const indexOf = indexesIn(labels, valueKey)
  for (const { answered, pairs } of await pairsBy(db, question, submitted, { table: 'response_terms', column: 'value_key' })) {
    const label = indexOf(String(answered))
    await db.dialect.flush()
    forEachPair(pairs, (seq, rater) => {
      const at = submitted.positionOf(seq, rater)
      if (at >= 0) values[at] = label
    })
  }
  return values
}

/**
 * Returns the rating of each answer, as an index of `scale`. `scale` contains the options, and ratings in answers that are no
 * longer options, in ascending order.
 */
export const readRatings = async (
  db: Db,
  question: Question,
  submitted: Submitted,
  options: readonly number[],
): Promise<{ readonly values: Int32Array; readonly scale: readonly number[] }> => {
  const values = noValues(submitted)
  const rows = await pairsBy(db, question, submitted, { table: 'response_numbers', column: 'number' })
  const scale = [...new Set([...options, ...rows.map(({ answered }) => Number(answered))])].sort((a, b) => a - b)
  for (const { answered, pairs } of rows) {
    const index = scale.indexOf(Number(answered))
    await db.dialect.flush()
    forEachPair(pairs, (seq, rater) => {
      const at = submitted.positionOf(seq, rater)
      if (at >= 0) values[at] = index
    })
  }
  return { values, scale }
}

/** The set of labels that each answer has. */
export const readSets = async (
  db: Db,
  question: Question,
  submitted: Submitted,
  labels: string[],
): Promise<{
  readonly values: Int32Array
  readonly sets: (readonly number[])[]
  readonly indexOf: (set: readonly string[]) => number
}> => {
  const indexOf = indexesIn(labels, valueKey)
  const rows = await pairsBy(db, question, submitted, { table: 'response_terms', column: 'value_key' })
  const byLabel = rows
    .map(({ answered, pairs }) => ({ label: indexOf(String(answered)), pairs }))
    .sort((a, b) => a.label - b.label)
  // Adds one label at a time, in ascending order, so that equal sets end at the same node of a tree.
  const sets: (readonly number[])[] = [[]]
  const children = new Map<number, number>()
  const nodes = new Uint32Array(submitted.count)
  for (const { label, pairs } of byLabel) {
    await db.dialect.flush()
    forEachPair(pairs, (seq, rater) => {
      const at = submitted.positionOf(seq, rater)
      if (at < 0) return
      const edge = nodes[at]! * labels.length + label
      let child = children.get(edge)
      if (child === undefined) {
        child = sets.length
        children.set(edge, child)
        sets.push([...sets[nodes[at]!]!, label])
      }
      nodes[at] = child
    })
  }
  const indexes = new Map<number, number>()
  const values = Int32Array.from(nodes, (node) => {
    if (node === 0) return -1
    const known = indexes.get(node) ?? indexes.size
    indexes.set(node, known)
    return known
  })
  const used = [...indexes.keys()].map((node) => sets[node]!)
  const keyOf = (set: readonly number[]): string => set.join(' ')
  const known = new Map(used.map((set, i) => [keyOf(set), i]))
  /** Returns the index of a set. Adds the set if it is new. Returns −1 if the set contains an unknown label. */
  const indexOfSet = (wanted: readonly string[]): number => {
    const set = wanted.map((label) => labels.indexOf(label)).sort((a, b) => a - b)
    if (set[0] === -1) return -1
    const index = known.get(keyOf(set)) ?? used.push(set) - 1
    known.set(keyOf(set), index)
    return index
  }
  return { values, sets: used, indexOf: indexOfSet }
}
