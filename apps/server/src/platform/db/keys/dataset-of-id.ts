import { sql } from 'kysely'
import { datasetNoOf, isOurForm } from '../../ids.ts'
import type { Db } from '../db.ts'

type Table = 'records' | 'responses' | 'suggestions'

/**
 * Looks into each dataset by its index: rows that were brought over from another server have ids without a number of ours. NOTE: "cross", because
 * SQLite keeps the order of such a join and else might read the large table first; a join at all, because a cluster asks all nodes at once for it.
 */
const datasetThatHas = async (db: Db, table: Table, id: string): Promise<number | null> => {
  const { rows } = await sql<{ no: number }>`
    select datasets.no from datasets cross join ${sql.table(table)} as one
    where one.dataset_no = datasets.no and one.id = ${id} and datasets.gone_at is null
    order by datasets.no limit 1`.execute(db.sql)
  return rows[0]?.no ?? null
}

/**
 * Finds what an id stands for: in the dataset whose number the id carries, else in the one that has a row with this id.
 * @param look the row in the dataset of a number, with all that is wanted of it; null where it is not there
 */
export const inDatasetOf = async <T>(
  db: Db,
  table: Table,
  id: string,
  look: (datasetNo: number) => Promise<T | null>,
): Promise<T | null> => {
  const found = isOurForm(id) ? await look(datasetNoOf(id)) : null
  if (found !== null) return found
  const no = await datasetThatHas(db, table, id)
  return no === null ? null : look(no)
}
