import type { DBSchema, IDBPDatabase, IDBPObjectStore } from 'idb'
import { openDB, unwrap } from 'idb'
import { storagePatience } from '#lib/constants.ts'
import type { Draft } from '#lib/drafts/draft.ts'
import type { Edit } from '#lib/drafts/edit.ts'
import { edited } from '#lib/drafts/edit.ts'
import { inTime } from '#lib/in-time.ts'
import type { Disk, Step } from './disk.ts'
import { createStores, databaseName, schemaVersion } from './stores.ts'
import type { Line } from './types.ts'
import type { Device } from './unfailing.ts'
import { unfailing } from './unfailing.ts'

/** Keys start with the user, so that no one meets another's. */
type Key = [userId: string, recordId: string]
interface Schema extends DBSchema {
  outbox: { key: Key; value: Line }
  drafts: { key: Key; value: Draft; indexes: { by_dataset: [userId: string, datasetId: string] } }
}

/** Everything of one user, whatever the record. */
const ofUser = (userId: string): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []])

/** Undoes what was written of a transaction that does not come to its end, unless the browser has. */
const giveBack = (transaction: { readonly abort: () => void }): void => {
  try {
    transaction.abort()
  } catch {
    // It is over.
  }
}

const changeIn = async (
  drafts: IDBPObjectStore<Schema, ('outbox' | 'drafts')[], 'drafts', 'readwrite'>,
  edit: Edit,
): Promise<void> => {
  const key: Key = [edit.user_id, edit.record_id]
  const draft = edited((await drafts.get(key)) ?? null, edit)
  await (draft ? drafts.put(draft) : drafts.delete(key))
}

const lasting = (db: IDBPDatabase<Schema>): Disk => ({
  lines: (userId) => db.getAll('outbox', ofUser(userId)),
  changeLines: async (userId, steps, edits = []) => {
    // An answer has to be on the disk before anyone is told that it is kept.
    const transaction = db.transaction(['outbox', 'drafts'], 'readwrite', { durability: 'strict' })
    const store = transaction.objectStore('outbox')
    const changeOne = async (recordId: string, step: Step): Promise<readonly [string, Line | null]> => {
      const key: Key = [userId, recordId]
      const line = step((await store.get(key)) ?? null)
      await (line ? store.put(line) : store.delete(key))
      return [recordId, line]
    }
    const changes = Promise.all([...steps].map(([recordId, step]) => changeOne(recordId, step)))
    const ended = Promise.all(edits.map((edit) => changeIn(transaction.objectStore('drafts'), edit)))
    try {
      const [lines] = await Promise.all([changes, ended, transaction.done])
      return new Map(lines)
    } catch (error) {
      giveBack(transaction)
      throw error
    }
  },
  drafts: (userId, datasetId) => db.getAllFromIndex('drafts', 'by_dataset', [userId, datasetId]),
  changeDraft: async (edit) => {
    const transaction = db.transaction(['drafts'], 'readwrite')
    try {
      await Promise.all([changeIn(transaction.objectStore('drafts'), edit), transaction.done])
    } catch (error) {
      giveBack(transaction)
      throw error
    }
  },
})

const refuse = (): Promise<never> => Promise.reject(new Error('no storage'))
const refusing: Disk = { lines: refuse, changeLines: refuse, drafts: refuse, changeDraft: refuse }

/** For a browser that refuses storage: the tab is all there is. */
export const fleetingDevice = (): Device => unfailing(refusing)

const open = async (name: string): Promise<Disk> =>
  lasting(
    await openDB<Schema>(name, schemaVersion, {
      upgrade: (db) => createStores(unwrap(db)),
      // A newer page in another tab must not wait for this one for ever.
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    }),
  )

/**
 * Opens the browser's storage, or says by `onlyHere` that there is none. Where it takes too long that is said too, and what the tab has by then
 * is written once it is open.
 */
export const openDevice = async (name = databaseName): Promise<Device> => {
  let disk = refusing
  const opening = open(name).then((opened) => {
    disk = opened
  })
  await inTime(opening, storagePatience).catch(() => undefined)
  return unfailing({
    lines: (...asked) => disk.lines(...asked),
    changeLines: (...asked) => disk.changeLines(...asked),
    drafts: (...asked) => disk.drafts(...asked),
    changeDraft: (...asked) => disk.changeDraft(...asked),
  })
}
