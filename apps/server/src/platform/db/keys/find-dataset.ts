import { sql } from 'kysely'
import { datasetNoOf, isOurForm } from '../../ids.ts'
import type { Db } from '../db.ts'

type Table = 'records' | 'responses' | 'suggestions'

/**
 * Looks up the ID in every dataset by index. IDs of rows that were copied from another server don't contain the number of their
 * dataset on this server. "cross" makes SQLite keep the join order. Otherwise, it might scan the large table first. A join lets a
 * cluster query all nodes at once.
 */
const datasetOfRow = async (db: Db, table: Table, id: string): Promise<number | null> => {
  const { rows } = await sql<{ no: number }>`
    select datasets.no from datasets cross join ${sql.table(table)} as one
    where one.dataset_no = datasets.no and one.id = ${id} and datasets.gone_at is null
    order by datasets.no limit 1`.execute(db.sql)
  return rows[0]?.no ?? null
}

/**
 * Finds a row by its ID. Looks first in the dataset whose number is encoded in the ID. If the row isn't there, searches all
 * datasets for the ID.
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
