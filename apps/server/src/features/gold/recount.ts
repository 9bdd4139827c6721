import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

const RECORDS_PER_BATCH = 500

type Report = (difference: {
  readonly what: string
  readonly key: string
  readonly stored: unknown
  readonly counted: unknown
}) => void

const rowsAfter = (db: Db, datasetNo: number, after: number, limit: number) =>
  db.sql
    .selectFrom('gold')
    .leftJoin('records', (join) => join.onRef('records.dataset_no', '=', 'gold.dataset_no').onRef('records.seq', '=', 'gold.seq'))
    .select(['gold.seq', 'gold.record_id', 'gold.values', 'gold.answered', 'gold.final', 'records.id'])
    .where('gold.dataset_no', '=', datasetNo)
    .where('gold.seq', '>', after)
    .orderBy('gold.seq')
    .limit(limit)

/** Records that the index of the review queue leaves out although their review isn't finished. Nobody would review them. */
const hidden = (datasetNo: number): RawBuilder<boolean> => sql`dataset_no = ${datasetNo} and reviewed and (
  select 1 from gold where gold.dataset_no = ${datasetNo} and gold.seq = agreement_numbers.seq and final) is null`

/**
 * Checks that final answers belong to existing records. Also checks the data that is derived from final answers: the number of
 * answered questions, and the marks of finished reviews.
 */
export const compareGold = async (db: Db, report: Report, datasetNo: number): Promise<void> => {
  for (let after = -1; ; ) {
    const rows = await rowsAfter(db, datasetNo, after, RECORDS_PER_BATCH).execute()
    for (const { seq, record_id, values, answered, id } of rows) {
      const key = String(seq)
      const count = Object.keys(values).length
      if (id === null) report({ what: 'gold', key, stored: record_id, counted: null })
      else if (record_id !== id) report({ what: 'gold.record_id', key, stored: record_id, counted: id })
      if (answered !== count) report({ what: 'gold.answered', key, stored: answered, counted: count })
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.seq
  }
  const { rows } = await sql<{ n: number }>`select count(*) as n from agreement_numbers where ${hidden(datasetNo)}`.execute(
    db.sql,
  )
  const n = Number(rows[0]?.n ?? 0)
  if (n > 0) report({ what: 'agreement_numbers.reviewed', key: 'without a finished review', stored: n, counted: 0 })
}

type Range = { readonly after: number; readonly last: number }

/**
 * Rebuilds the data that is derived from the final answers of some records, and removes final answers of missing records. The
 * caller has locked the records, and has rebuilt their agreement. @param range records with `after` < `seq` ≤ `last`
 */
export const rebuildGold = async (db: Db, datasetNo: number, { after, last }: Range): Promise<void> => {
  const rows = await rowsAfter(db, datasetNo, after, last - after)
    .where('gold.seq', '<=', last)
    .execute()
  for (const { seq, record_id, values, answered, id } of rows) {
    const counted = Object.keys(values).length
    if (id === null) await db.sql.deleteFrom('gold').where('dataset_no', '=', datasetNo).where('seq', '=', seq).execute()
    else if (record_id !== id || answered !== counted)
      await db.sql
        .updateTable('gold')
        .set({ record_id: id, answered: counted })
        .where('dataset_no', '=', datasetNo)
        .where('seq', '=', seq)
        .execute()
  }
  const finished = rows.filter(({ id, final }) => id !== null && final).map(({ seq }) => seq)
  if (finished.length > 0)
    await db.sql
      .updateTable('agreement_numbers')
      .set({ reviewed: true })
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', db.dialect.listed(finished))
      .execute()
}

/** Removes the final answers whose `seq` is greater than the `seq` of the dataset's last record. */
export const removeGoldAfter = async (db: Db, datasetNo: number, last: number): Promise<void> => {
  await db.sql.deleteFrom('gold').where('dataset_no', '=', datasetNo).where('seq', '>', last).execute()
}
