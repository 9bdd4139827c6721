import { conflict, forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { datasetFor, type FoundDataset, lockDatasetFor, mayChange, maySee } from '#features/datasets/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
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

/** Returns the dataset, if the user may read its schema. @throws Problem not_found, forbidden */
export const readableDataset = async (db: Db, datasetId: string, user: Actor): Promise<FoundDataset> => {
  const dataset = await datasetFor(db, datasetId, user)
  if (!maySee(user, dataset)) throw forbidden()
  return dataset
}

/** Locks the dataset until the command ends, if the user may change its schema. @throws Problem not_found, forbidden */
export const lockedDataset = async (db: Db, datasetId: string, user: Actor): Promise<FoundDataset> => {
  const dataset = await lockDatasetFor(db, datasetId, user)
  if (!mayChange(user, dataset)) throw forbidden()
  return dataset
}

// All four tables start with the same columns, so one type is used for all of them.
const as = (table: ChildTable) => table as 'vector_settings'

/** Locks a schema part's dataset until the command ends. @throws Problem not_found, forbidden */
export const lockedDatasetOf = async (db: Db, table: ChildTable, id: string, user: Actor): Promise<FoundDataset> => {
  const absent = notFound(singular[table], id)
  const location = await db.sql
    .selectFrom(as(table))
    .innerJoin('datasets', 'datasets.id', `${as(table)}.dataset_id`)
    .select(`${as(table)}.dataset_id`)
    .where(`${as(table)}.id`, '=', id)
    .where('datasets.gone_at', 'is', null)
    .executeTakeFirst()
  if (location === undefined) throw absent
  const dataset = await lockedDataset(db, location.dataset_id, user)
  // The previous holder of the lock may have deleted the part.
  const existing = await db.sql.selectFrom(as(table)).select('id').where('id', '=', id).executeTakeFirst()
  if (existing === undefined) throw absent
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
  if (taken) throw conflict(message('partExists', { part: singular[table], name, dataset: datasetId }))
}

/** @throws Problem unprocessable */
export const refusePublished = (table: ChildTable, dataset: FoundDataset, action: 'created' | 'deleted'): void => {
  if (dataset.status !== 'ready') return
  throw unprocessable(message('partOfPublished', { part: singular[table], action }))
}

/**
 * Returns the columns that every new field, question, metadata property and vector setting has: an ID, its number in the dataset,
 * and identical creation and update times.
 */
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

/** Returns the values of `sent` that differ from the stored row, with a new `updated_at`; null if none differ. */
export const changesOf = <R extends object, S extends object>(row: R, sent: S): (Partial<S> & { updated_at: Micros }) | null => {
  const entries = Object.entries(sent).filter(([key, value]) => value !== undefined && !jsonEquals(value, Reflect.get(row, key)))
  return entries.length === 0 ? null : { ...(Object.fromEntries(entries) as Partial<S>), updated_at: now() }
}

type Times = { readonly inserted_at: Micros; readonly updated_at: Micros }
export const printTimes = ({ inserted_at, updated_at }: Times) => ({
  inserted_at: printTime(inserted_at),
  updated_at: printTime(updated_at),
})
