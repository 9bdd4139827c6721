import { conflict, forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { sayRefusal } from '@postil/contract/wire/refusals.ts'
import type { Actor, FoundDataset } from '#features/datasets/service.ts'
import { datasetFor, lockDatasetFor, mayChange, maySee } from '#features/datasets/service.ts'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/ids.ts'
import type { Micros } from '#platform/time.ts'
import { now, printTime } from '#platform/time.ts'

export type ChildTable = 'fields' | 'questions' | 'metadata_properties' | 'vector_settings'

const singular: { readonly [T in ChildTable]: string } = {
  fields: 'Field',
  questions: 'Question',
  metadata_properties: 'Metadata property',
  vector_settings: 'Vector settings',
}

/** The dataset whose schema is read. @throws Problem not_found, forbidden */
export const readable = async (db: Db, datasetId: string, user: Actor): Promise<FoundDataset> => {
  const dataset = await datasetFor(db, datasetId, user)
  if (!maySee(user, dataset)) throw forbidden()
  return dataset
}

/** The dataset whose schema is changed, held until the command ends. @throws Problem not_found, forbidden */
export const changeable = async (db: Db, datasetId: string, user: Actor): Promise<FoundDataset> => {
  const dataset = await lockDatasetFor(db, datasetId, user)
  if (!mayChange(user, dataset)) throw forbidden()
  return dataset
}

// All four tables have the same first columns; one stands for them.
const as = (table: ChildTable) => table as 'vector_settings'

/** The dataset of a part of its schema, held until the command ends. @throws Problem not_found, forbidden */
export const changeableWith = async (db: Db, table: ChildTable, id: string, user: Actor): Promise<FoundDataset> => {
  const absent = notFound(singular[table], id)
  const place = await db.sql
    .selectFrom(as(table))
    .innerJoin('datasets', 'datasets.id', `${as(table)}.dataset_id`)
    .select(`${as(table)}.dataset_id`)
    .where(`${as(table)}.id`, '=', id)
    .where('datasets.gone_at', 'is', null)
    .executeTakeFirst()
  if (place === undefined) throw absent
  const dataset = await changeable(db, place.dataset_id, user)
  // NOTE: whoever held the dataset before us may have deleted it
  const kept = await db.sql.selectFrom(as(table)).select('id').where('id', '=', id).executeTakeFirst()
  if (kept === undefined) throw absent
  return dataset
}

/** @throws Problem conflict */
export const refuseTakenName = async (db: Db, table: ChildTable, datasetId: string, name: string): Promise<void> => {
  const taken = await db.sql
    .selectFrom(as(table))
    .select('id')
    .where('dataset_id', '=', datasetId)
    .where('name', '=', name)
    .executeTakeFirst()
  if (taken) throw conflict(sayRefusal('partExists', { part: singular[table], name, dataset: datasetId }))
}

/** @throws Problem unprocessable */
export const refuseReady = (table: ChildTable, dataset: FoundDataset, action: 'created' | 'deleted'): void => {
  if (dataset.status !== 'ready') return
  throw unprocessable(sayRefusal('partOfPublished', { part: singular[table], action }))
}

/** The columns that every new part has: an id, its number in the dataset, and equal times. */
export const newChild = async (db: Db, dataset: FoundDataset, { name, title }: { name: string; title: string }) => {
  const { next_no } = await db.sql
    .updateTable('dataset_state')
    .set((eb) => ({ next_no: eb('next_no', '+', 1) }))
    .where('dataset_no', '=', dataset.no)
    .returning('next_no')
    .executeTakeFirstOrThrow()
  const at = now()
  return { id: newId(), dataset_id: dataset.id, no: next_no - 1, name, title, inserted_at: at, updated_at: at }
}

/** What of `sent` differs from the stored row, with a new `updated_at`; null when nothing does. */
export const changesOf = <R extends object, S extends object>(row: R, sent: S): (Partial<S> & { updated_at: Micros }) | null => {
  const entries = Object.entries(sent).filter(([key, value]) => value !== undefined && !jsonEquals(value, Reflect.get(row, key)))
  return entries.length === 0 ? null : { ...(Object.fromEntries(entries) as Partial<S>), updated_at: now() }
}

type Times = { readonly inserted_at: Micros; readonly updated_at: Micros }
export const printTimes = ({ inserted_at, updated_at }: Times) => ({
  inserted_at: printTime(inserted_at),
  updated_at: printTime(updated_at),
})
