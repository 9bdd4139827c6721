import { sql } from 'kysely'
import { ensureState } from '../dataset-state.test.operations.ts'
import { command, query } from '../operations.ts'

export const fillNumbers = command(
  'test.statistics.fill',
  async (db, { datasetNo, rows }: { readonly datasetNo: number; readonly rows: number }) => {
    await ensureState(db, datasetNo)
    const numbers = Array.from({ length: rows }, (_, seq) => ({ dataset_no: datasetNo, key: 1, number: seq, seq }))
    await db.dialect.insertMany(db.sql, 'record_numbers', numbers)
  },
)

/** The datasets that PostgreSQL's planner has statistics for. */
export const knownDatasets = query('test.statistics.known', async (db): Promise<string> => {
  const { rows } = await sql<{ known: string | null }>`
    select most_common_vals::text as known from pg_stats where tablename = 'record_numbers' and attname = 'dataset_no'`.execute(
    db.sql,
  )
  return rows[0]?.known ?? ''
})
