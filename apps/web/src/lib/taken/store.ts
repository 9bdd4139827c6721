import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { DBSchema, IDBPDatabase } from 'idb'
import { openDB } from 'idb'
import { storagePatience } from '#lib/constants.ts'
import { inTime } from '#lib/in-time.ts'
import { tellTakenChanged } from './changes.ts'

/** What the server answers at an address, as it was when records were taken along. */
type Answer = { readonly user_id: string; readonly address: string; readonly dataset_id: string; readonly body: unknown }
type TakenRecord = {
  readonly user_id: string
  readonly record_id: string
  readonly dataset_id: string
  /** Its place among those that were handed out. */
  readonly place: number
  readonly record: AnnotationRecord
}
/** A picture of the server's that records show, by the path of its address. */
type TakenFile = { readonly user_id: string; readonly path: string; readonly dataset_id: string; readonly content: Blob }
/** A dataset that somebody has taken records of along. */
export type Pack = { readonly user_id: string; readonly dataset_id: string; readonly taken_at: number }

interface Schema extends DBSchema {
  answers: { key: [userId: string, address: string]; value: Answer; indexes: { by_dataset: [string, string] } }
  records: { key: [userId: string, recordId: string]; value: TakenRecord; indexes: { by_dataset: [string, string] } }
  packs: { key: [userId: string, datasetId: string]; value: Pack }
  files: { key: [userId: string, path: string]; value: TakenFile; indexes: { by_dataset: [string, string] } }
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
  return inTime(opened, storagePatience)
}

/** Everything of one user. */
const ofUser = (userId: string): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []])
const stores = ['answers', 'records', 'packs', 'files'] as const

/** What is taken along at once: all of it is on the device, or none. */
export type Taken = {
  readonly userId: string
  readonly datasetId: string
  readonly answers: ReadonlyMap<string, unknown>
  readonly records: readonly AnnotationRecord[]
  /** Pictures by the path of their address. */
  readonly files: ReadonlyMap<string, Blob>
}

/** Puts records, and what they need, on the device; records that were there before stay. @throws when the device refuses */
export const keepTaken = async ({ userId: user_id, datasetId: dataset_id, answers, records, files }: Taken): Promise<void> => {
  const taken_at = Date.now()
  const transaction = (await database()).transaction(stores, 'readwrite', { durability: 'strict' })
  const puts = [
    ...[...answers].map(([address, body]) => transaction.objectStore('answers').put({ user_id, address, dataset_id, body })),
    ...records.map((record, i) =>
      transaction.objectStore('records').put({ user_id, record_id: record.id, dataset_id, place: taken_at + i / 1000, record }),
    ),
    ...[...files].map(([path, content]) => transaction.objectStore('files').put({ user_id, path, dataset_id, content })),
    transaction.objectStore('packs').put({ user_id, dataset_id, taken_at }),
  ]
  await Promise.all([...puts, transaction.done])
}

/** What was answered at an address when records were taken along; undefined for what was not kept. */
export const answerAt = async (userId: string, address: string): Promise<unknown> =>
  (await (await database()).get('answers', [userId, address]))?.body

/** A picture of the server's; undefined for what was not kept. */
export const fileAt = async (userId: string, path: string): Promise<Blob | undefined> =>
  (await (await database()).get('files', [userId, path]))?.content

/** The records of a dataset on this device, in the order in which they were handed out. */
export const takenRecords = async (userId: string, datasetId: string): Promise<readonly AnnotationRecord[]> => {
  const found = await (await database()).getAllFromIndex('records', 'by_dataset', [userId, datasetId])
  return found.sort((a, b) => a.place - b.place).map(({ record }) => record)
}

/** How many records there are of each dataset that something was taken along of. */
export const recordCounts = async (userId: string): Promise<ReadonlyMap<string, number>> => {
  const db = await database()
  const packs = await db.getAll('packs', ofUser(userId))
  const countOf = async ({ dataset_id }: Pack) =>
    [dataset_id, await db.countFromIndex('records', 'by_dataset', [userId, dataset_id])] as const
  return new Map(await Promise.all(packs.map(countOf)))
}

export const packOf = async (userId: string, datasetId: string): Promise<Pack | null> =>
  (await (await database()).get('packs', [userId, datasetId])) ?? null

/** Records that the server has answers to are not answered again. */
export const dropRecords = async (userId: string, recordIds: readonly string[]): Promise<void> => {
  const transaction = (await database()).transaction('records', 'readwrite')
  await Promise.all([...recordIds.map((id) => transaction.store.delete([userId, id])), transaction.done])
  tellTakenChanged()
}

/** Takes a dataset's records off the device. */
export const dropPack = async (userId: string, datasetId: string): Promise<void> => {
  const transaction = (await database()).transaction(stores, 'readwrite')
  for (const name of ['answers', 'records', 'files'] as const) {
    const store = transaction.objectStore(name)
    for (const key of await store.index('by_dataset').getAllKeys([userId, datasetId])) await store.delete(key)
  }
  await transaction.objectStore('packs').delete([userId, datasetId])
  await transaction.done
  tellTakenChanged()
}

/** Takes everything of a user off the device. */
export const dropAll = async (userId: string): Promise<void> => {
  const transaction = (await database()).transaction(stores, 'readwrite')
  await Promise.all([...stores.map((name) => transaction.objectStore(name).delete(ofUser(userId))), transaction.done])
}
