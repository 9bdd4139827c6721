import type { DBSchema, IDBPDatabase, IDBPObjectStore } from 'idb'
import { openDB, unwrap } from 'idb'
import { storageTimeout } from '#lib/constants.ts'
import type { Draft } from '#lib/drafts/draft.ts'
import type { Edit } from '#lib/drafts/edit.ts'
import { applyEdit } from '#lib/drafts/edit.ts'
import { withTimeout } from '#lib/with-timeout.ts'
import type { Disk, LineUpdate } from './disk.ts'
import type { StoredLine } from './stored-line.ts'
import { fromStoredLine, toStoredLine } from './stored-line.ts'
import { createStores, databaseName, schemaVersion } from './stores.ts'
import type { OutboxLine } from './types.ts'
import type { Device } from './with-memory-fallback.ts'
import { withMemoryFallback } from './with-memory-fallback.ts'

/** Keys start with the user, so that users can't see each other's data. */
type Key = [userId: string, recordId: string]
interface Schema extends DBSchema {
  outbox: { key: Key; value: StoredLine }
  drafts: { key: Key; value: Draft; indexes: { by_dataset: [userId: string, datasetId: string] } }
}

/** Returns the key range of one user's records. */
const userRange = (userId: string): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []])

/** Aborts a transaction that can't be completed. Does nothing if the browser has already aborted it. */
const abortQuietly = (transaction: { readonly abort: () => void }): void => {
  try {
    transaction.abort()
  } catch {
    // The transaction has ended.
  }
}

const writeEdit = async (
  drafts: IDBPObjectStore<Schema, ('outbox' | 'drafts')[], 'drafts', 'readwrite'>,
  edit: Edit,
): Promise<void> => {
  const key: Key = [edit.user_id, edit.record_id]
  const draft = applyEdit((await drafts.get(key)) ?? null, edit)
  await (draft ? drafts.put(draft) : drafts.delete(key))
}

const persistentDisk = (db: IDBPDatabase<Schema>): Disk => ({
  lines: async (userId) => (await db.getAll('outbox', userRange(userId))).map(fromStoredLine),
  updateLines: async (userId, updates, edits = []) => {
    // An answer must be on the disk before it is reported as stored.
    const transaction = db.transaction(['outbox', 'drafts'], 'readwrite', { durability: 'strict' })
    const store = transaction.objectStore('outbox')
    const updateOne = async (recordId: string, update: LineUpdate): Promise<readonly [string, OutboxLine | null]> => {
      const key: Key = [userId, recordId]
      const stored = await store.get(key)
      const line = update(stored ? fromStoredLine(stored) : null)
      await (line ? store.put(toStoredLine(line)) : store.delete(key))
      return [recordId, line]
    }
    const changes = Promise.all([...updates].map(([recordId, update]) => updateOne(recordId, update)))
    const ended = Promise.all(edits.map((edit) => writeEdit(transaction.objectStore('drafts'), edit)))
    try {
      const [lines] = await Promise.all([changes, ended, transaction.done])
      return new Map(lines)
    } catch (error) {
      abortQuietly(transaction)
      throw error
    }
  },
  drafts: (userId, datasetId) => db.getAllFromIndex('drafts', 'by_dataset', [userId, datasetId]),
  updateDraft: async (edit) => {
    const transaction = db.transaction(['drafts'], 'readwrite')
    try {
      await Promise.all([writeEdit(transaction.objectStore('drafts'), edit), transaction.done])
    } catch (error) {
      abortQuietly(transaction)
      throw error
    }
  },
})

const rejectStorage = (): Promise<never> => Promise.reject(new Error('no storage'))
const unavailableDisk: Disk = {
  lines: rejectStorage,
  updateLines: rejectStorage,
  drafts: rejectStorage,
  updateDraft: rejectStorage,
}

/** Creates in-memory storage, for browsers that don't allow persistent storage. */
export const createInMemoryDevice = (): Device => withMemoryFallback(unavailableDisk)

const open = async (name: string): Promise<Disk> =>
  persistentDisk(
    await openDB<Schema>(name, schemaVersion, {
      upgrade: (db) => createStores(unwrap(db)),
      // A newer release in another tab must not wait for this tab forever.
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    }),
  )

/**
 * Opens the browser's storage. If that fails or takes too long, data stays in memory, and `memoryOnly` lists it. If the storage
 * opens later, the tab's data is written to it.
 */
export const openDevice = async (name = databaseName): Promise<Device> => {
  let disk = unavailableDisk
  const opening = open(name).then((opened) => {
    disk = opened
  })
  await withTimeout(opening, storageTimeout).catch(() => undefined)
  return withMemoryFallback({
    lines: (...args) => disk.lines(...args),
    updateLines: (...args) => disk.updateLines(...args),
    drafts: (...args) => disk.drafts(...args),
    updateDraft: (...args) => disk.updateDraft(...args),
  })
}
