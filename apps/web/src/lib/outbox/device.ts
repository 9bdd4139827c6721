import type { DBSchema, IDBPDatabase } from 'idb'
import { openDB } from 'idb'
import type { Draft } from '#lib/drafts/draft.ts'
import type { Line } from './types.ts'

/** What the browser keeps of a person's work: answers on their way, and edits. Keys start with the user, so that no one meets another's. */
export type Device = {
  /** False where the browser refuses storage: then everything is gone with the tab. */
  readonly isLasting: boolean
  readonly lines: (userId: string) => Promise<readonly Line[]>
  /** Reads, changes and writes one line in one transaction; `dropDraft` removes the record's edits in the same one. */
  readonly changeLine: (
    userId: string,
    recordId: string,
    change: (line: Line | null) => Line | null,
    options?: { readonly dropDraft?: boolean },
  ) => Promise<Line | null>
  readonly drafts: (userId: string, datasetId: string) => Promise<readonly Draft[]>
  readonly putDraft: (draft: Draft) => Promise<void>
  readonly dropDraft: (userId: string, recordId: string) => Promise<void>
}

type Key = [userId: string, recordId: string]
interface Schema extends DBSchema {
  outbox: { key: Key; value: Line }
  drafts: { key: Key; value: Draft; indexes: { by_dataset: [userId: string, datasetId: string] } }
}

const databaseName = 'postil'
const schemaVersion = 1

const createStores = (db: IDBPDatabase<Schema>): void => {
  db.createObjectStore('outbox', { keyPath: ['user_id', 'record_id'] })
  db.createObjectStore('drafts', { keyPath: ['user_id', 'record_id'] }).createIndex('by_dataset', ['user_id', 'dataset_id'])
}

/** Everything of one user, whatever the record. */
const ofUser = (userId: string): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []])

const lasting = (db: IDBPDatabase<Schema>): Device => ({
  isLasting: true,
  lines: (userId) => db.getAll('outbox', ofUser(userId)),
  changeLine: async (userId, recordId, change, { dropDraft = false } = {}) => {
    // An answer has to be on the disk before anyone is told that it is kept.
    const transaction = db.transaction(['outbox', 'drafts'], 'readwrite', { durability: 'strict' })
    const key: Key = [userId, recordId]
    const store = transaction.objectStore('outbox')
    const line = change((await store.get(key)) ?? null)
    await (line ? store.put(line) : store.delete(key))
    if (dropDraft) await transaction.objectStore('drafts').delete(key)
    await transaction.done
    return line
  },
  drafts: (userId, datasetId) => db.getAllFromIndex('drafts', 'by_dataset', [userId, datasetId]),
  putDraft: async (draft) => {
    await db.put('drafts', draft)
  },
  dropDraft: (userId, recordId) => db.delete('drafts', [userId, recordId]),
})

const keyText = (userId: string, recordId: string): string => `${userId} ${recordId}`

/** For a browser that refuses storage: the tab is all there is. */
export const fleetingDevice = (): Device => {
  const lines = new Map<string, Line>()
  const drafts = new Map<string, Draft>()
  return {
    isLasting: false,
    lines: async (userId) => [...lines.values()].filter((line) => line.user_id === userId),
    changeLine: async (userId, recordId, change, { dropDraft = false } = {}) => {
      const key = keyText(userId, recordId)
      const line = change(lines.get(key) ?? null)
      if (line) lines.set(key, line)
      else lines.delete(key)
      if (dropDraft) drafts.delete(key)
      return line
    },
    drafts: async (userId, datasetId) =>
      [...drafts.values()].filter((draft) => draft.user_id === userId && draft.dataset_id === datasetId),
    putDraft: async (draft) => {
      drafts.set(keyText(draft.user_id, draft.record_id), draft)
    },
    dropDraft: async (userId, recordId) => {
      drafts.delete(keyText(userId, recordId))
    },
  }
}

/** Goes on in memory when the storage fails later: a full disk must not stop anyone from answering. */
const unfailing = (storage: Device): Device => {
  const memory = fleetingDevice()
  const known = new Map<string, Line>()
  let failed = false
  const remember = (userId: string, recordId: string, line: Line | null): Line | null => {
    if (line) known.set(keyText(userId, recordId), line)
    else known.delete(keyText(userId, recordId))
    return line
  }
  const attempt = async <T>(first: () => Promise<T>, instead: () => Promise<T>): Promise<T> => {
    if (failed) return instead()
    try {
      return await first()
    } catch {
      failed = true
      for (const line of known.values()) await memory.changeLine(line.user_id, line.record_id, () => line)
      return instead()
    }
  }
  return {
    get isLasting() {
      return !failed
    },
    lines: (userId) =>
      attempt(
        async () => {
          const lines = await storage.lines(userId)
          for (const line of lines) remember(userId, line.record_id, line)
          return lines
        },
        () => memory.lines(userId),
      ),
    changeLine: (userId, recordId, change, options) =>
      attempt(
        async () => remember(userId, recordId, await storage.changeLine(userId, recordId, change, options)),
        () => memory.changeLine(userId, recordId, change, options),
      ),
    drafts: (userId, datasetId) =>
      attempt(
        () => storage.drafts(userId, datasetId),
        () => memory.drafts(userId, datasetId),
      ),
    putDraft: (draft) =>
      attempt(
        () => storage.putDraft(draft),
        () => memory.putDraft(draft),
      ),
    dropDraft: (userId, recordId) =>
      attempt(
        () => storage.dropDraft(userId, recordId),
        () => memory.dropDraft(userId, recordId),
      ),
  }
}

/** Opens the browser's storage, or says by `isLasting` that there is none. */
export const openDevice = async (name = databaseName): Promise<Device> => {
  try {
    const db = await openDB<Schema>(name, schemaVersion, {
      upgrade: createStores,
      // A newer page in another tab must not wait for this one for ever.
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    })
    return unfailing(lasting(db))
  } catch {
    return fleetingDevice()
  }
}
