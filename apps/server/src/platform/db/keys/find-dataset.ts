import { sql } from 'kysely'
import { datasetNoOf, isOurForm } from '../../ids.ts'
import type { Db } from '../db.ts'

type Table = 'records' | 'responses' | 'suggestions'

/**
 * Looks the ID up in every dataset by index, because IDs of rows copied from another server don't contain our dataset number.
 * "cross" makes SQLite keep the join order; otherwise it might scan the large table first. A join lets a cluster query all
 * nodes at once.
 */
const datasetOfRow = async (db: Db, table: Table, id: string): Promise<number | null> => {
  const { rows } = await sql<{ no: number }>`
    select datasets.no from datasets cross join ${sql.table(table)} as one
    where one.dataset_no = datasets.no and one.id = ${id} and datasets.gone_at is null
    order by datasets.no limit 1`.execute(db.sql)
  return rows[0]?.no ?? null
}

/**
 * Finds a row by its ID: first in the dataset whose number the ID contains, otherwise in the dataset that has a row with this
 * ID.
 * @param lookUp returns the row from the dataset with this number; null if the dataset doesn't have it
 */
export const withDatasetOf = async <T>(
  db: Db,
  table: Table,
  id: string,
  lookUp: (datasetNo: number) => Promise<T | null>,
): Promise<T | null> => {
  const found = isOurForm(id) ? await lookUp(datasetNoOf(id)) : null
  if (found !== null) return found
  const no = await datasetOfRow(db, table, id)
  return no === null ? null : lookUp(no)
}
