import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { DBSchema, IDBPDatabase } from 'idb'
import { openDB } from 'idb'
import { storageTimeout } from '#lib/constants.ts'
import { withTimeout } from '#lib/with-timeout.ts'
import { notifyOfflineChange } from './offline-changes.ts'

/** A server response, stored when the records were saved. */
type StoredResponse = { readonly user_id: string; readonly address: string; readonly dataset_id: string; readonly body: unknown }
type StoredRecord = {
  readonly user_id: string
  readonly record_id: string
  readonly dataset_id: string
  /** Position in the order in which the server assigned the records. */
  readonly place: number
  readonly record: AnnotationRecord
}
/** A server image that records show. It is stored under its URL path. */
type StoredFile = { readonly user_id: string; readonly path: string; readonly dataset_id: string; readonly content: Blob }
/** A dataset with records that a user has saved. */
type OfflinePack = { readonly user_id: string; readonly dataset_id: string; readonly taken_at: number }

interface Schema extends DBSchema {
  answers: { key: [userId: string, address: string]; value: StoredResponse; indexes: { by_dataset: [string, string] } }
  records: { key: [userId: string, recordId: string]; value: StoredRecord; indexes: { by_dataset: [string, string] } }
  packs: { key: [userId: string, datasetId: string]; value: OfflinePack }
  files: { key: [userId: string, path: string]; value: StoredFile; indexes: { by_dataset: [string, string] } }
}

const databaseName = 'postil-taken'
const schemaVersion = 2

const open = (): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>(databaseName, schemaVersion, {
    upgrade: (db, before) => {
      if (before < 1) {
        db.createObjectStore('answers', { keyPath: ['user_id', 'address'] }).createIndex('by_dataset', ['user_id', 'dataset_id'])
        db.createObjectStore('records', { keyPath: ['user_id', 'record_id'] }).createIndex('by_dataset', [
          'user_id',
          'dataset_id',
        ])
        db.createObjectStore('packs', { keyPath: ['user_id', 'dataset_id'] })
      }
      db.createObjectStore('files', { keyPath: ['user_id', 'path'] }).createIndex('by_dataset', ['user_id', 'dataset_id'])
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
let opened: ReturnType<typeof open> | null = null
const database = (): ReturnType<typeof open> => {
  opened ??= open()
  return withTimeout(opened, storageTimeout)
}

/** Returns the key range of one user's data. */
const userRange = (userId: string): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []])
const stores = ['answers', 'records', 'packs', 'files'] as const

/** Data that is saved together: either all of it is stored or none. */
type PackContent = {
  readonly userId: string
  readonly datasetId: string
  /** The server's HTTP responses, keyed by URL. */
  readonly responses: ReadonlyMap<string, unknown>
  readonly records: readonly AnnotationRecord[]
  /** Images by URL path. */
  readonly files: ReadonlyMap<string, Blob>
}

/**
 * Stores records on the device, together with the data that they need. Keeps the records that are already stored.
 * @throws if the device refuses
 */
export const storePack = async ({
  userId: user_id,
  datasetId: dataset_id,
  responses,
  records,
  files,
}: PackContent): Promise<void> => {
  const taken_at = Date.now()
  const transaction = (await database()).transaction(stores, 'readwrite', { durability: 'strict' })
  const puts = [
    ...[...responses].map(([address, body]) => transaction.objectStore('answers').put({ user_id, address, dataset_id, body })),
    ...records.map((record, i) =>
      transaction.objectStore('records').put({ user_id, record_id: record.id, dataset_id, place: taken_at + i / 1000, record }),
    ),
    ...[...files].map(([path, content]) => transaction.objectStore('files').put({ user_id, path, dataset_id, content })),
    transaction.objectStore('packs').put({ user_id, dataset_id, taken_at }),
  ]
  await Promise.all([...puts, transaction.done])
}

/** Returns the response that was stored for an address together with the records, or undefined if there is none. */
export const getResponse = async (userId: string, address: string): Promise<unknown> =>
  (await (await database()).get('answers', [userId, address]))?.body

/** Returns the stored copy of a server image, or undefined if there is none. */
export const getFile = async (userId: string, path: string): Promise<Blob | undefined> =>
  (await (await database()).get('files', [userId, path]))?.content

/** Returns the dataset's records on this device, in the order in which they were assigned. */
export const getRecords = async (userId: string, datasetId: string): Promise<readonly AnnotationRecord[]> => {
  const found = await (await database()).getAllFromIndex('records', 'by_dataset', [userId, datasetId])
  return found.sort((a, b) => a.place - b.place).map(({ record }) => record)
}

/** Returns the number of saved records of each dataset that has any. */
export const countRecords = async (userId: string): Promise<ReadonlyMap<string, number>> => {
  const db = await database()
  const packs = await db.getAll('packs', userRange(userId))
  const countOf = async ({ dataset_id }: OfflinePack) =>
    [dataset_id, await db.countFromIndex('records', 'by_dataset', [userId, dataset_id])] as const
  return new Map(await Promise.all(packs.map(countOf)))
}

export const getPack = async (userId: string, datasetId: string): Promise<OfflinePack | null> =>
  (await (await database()).get('packs', [userId, datasetId])) ?? null

/** Removes records that the server has answers for, so that they aren't answered again. */
export const dropRecords = async (userId: string, recordIds: readonly string[]): Promise<void> => {
  const transaction = (await database()).transaction('records', 'readwrite')
  await Promise.all([...recordIds.map((id) => transaction.store.delete([userId, id])), transaction.done])
  notifyOfflineChange()
}

/** Removes a dataset's records from the device. */
export const dropPack = async (userId: string, datasetId: string): Promise<void> => {
  const transaction = (await database()).transaction(stores, 'readwrite')
  for (const name of ['answers', 'records', 'files'] as const) {
    const store = transaction.objectStore(name)
    for (const key of await store.index('by_dataset').getAllKeys([userId, datasetId])) await store.delete(key)
  }
  await transaction.objectStore('packs').delete([userId, datasetId])
  await transaction.done
  notifyOfflineChange()
}

/** Removes all of a user's data from the device. */
export const dropAll = async (userId: string): Promise<void> => {
  const transaction = (await database()).transaction(stores, 'readwrite')
  await Promise.all([...stores.map((name) => transaction.objectStore(name).delete(userRange(userId))), transaction.done])
}
