import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { indexKey } from '#platform/db/keys/index-keys.ts'

/** If the result column had the name of a JSON column, its values would be decoded. It is therefore named `answered`. */
type Row = { readonly answered: string | number; readonly user_id: string; readonly n: number }
export type ValueCount = { readonly value: string | number; readonly user_id: string; readonly n: number }
type Source = { readonly table: 'response_terms' | 'response_numbers'; readonly column: 'value_key' | 'number' }
type Place = { readonly datasetNo: number; readonly questionNo: number }

const countsIn = async (db: Db, { datasetNo, questionNo }: Place, { table, column }: Source, unsubmitted: boolean) => {
  // The join starts with drafts and discarded answers, because there are few of them. In SQLite, `cross join` keeps this order.
  const answers = unsubmitted
    ? sql`(select seq, user_id from responses where dataset_no = ${datasetNo} and status in ('draft', 'discarded')) as other
        cross join ${sql.table(table)} as given`
    : sql`${sql.table(table)} as given`
  const joined = unsubmitted ? sql`and given.seq = other.seq and given.user_id = other.user_id` : sql``
  const { rows } = await sql<Row>`
    select given.${sql.ref(column)} as answered, given.user_id, count(*) as n from ${answers}
    where given.dataset_no = ${datasetNo} and given.key = ${indexKey(questionNo)} ${joined}
    group by given.${sql.ref(column)}, given.user_id`.execute(db.sql)
  return rows.map(({ answered, user_id, n }): ValueCount => ({ value: answered, user_id, n: Number(n) }))
}

/**
 * Counts the submitted answers by value and user. For speed, counts all answers and subtracts the drafts and discarded answers,
 * because there are few of them.
 */
export const countValues = async (db: Db, place: Place, source: Source): Promise<readonly ValueCount[]> => {
  const keyOf = ({ value, user_id }: ValueCount) => JSON.stringify([value, user_id])
  const others = new Map((await countsIn(db, place, source, true)).map((one) => [keyOf(one), one.n]))
  return (await countsIn(db, place, source, false))
    .map((one) => ({ ...one, n: one.n - (others.get(keyOf(one)) ?? 0) }))
    .filter(({ n }) => n > 0)
}

/** Counts the submitted answers with at least one value. */
export const countAnswered = async (db: Db, { datasetNo, questionNo }: Place, { table }: Source): Promise<number> => {
  const key = indexKey(questionNo)
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from responses where dataset_no = ${datasetNo} and status = 'submitted' and exists (
      select 1 from ${sql.table(table)} as given where given.dataset_no = ${datasetNo} and given.seq = responses.seq
        and given.user_id = responses.user_id and given.key = ${key})`.execute(db.sql)
  return Number(rows[0]?.n ?? 0)
}
