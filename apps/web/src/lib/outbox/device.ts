import type { DBSchema, IDBPDatabase } from 'idb'
import { openDB, unwrap } from 'idb'
import type { Draft } from '#lib/drafts/draft.ts'
import { createStores, databaseName, schemaVersion } from './stores.ts'
import type { Line } from './types.ts'

/** What becomes of a record's line. */
export type Step = (line: Line | null) => Line | null
/** By record id. */
export type Steps = ReadonlyMap<string, Step>
export type LinesByRecord = ReadonlyMap<string, Line | null>

/** What the browser keeps of a person's work: answers on their way, and edits. Keys start with the user, so that no one meets another's. */
export type Device = {
  /** False where the browser refuses storage: then everything is gone with the tab. */
  readonly isLasting: boolean
  readonly lines: (userId: string) => Promise<readonly Line[]>
  /**
   * Reads, changes and writes lines in one transaction, and gives each as it is then; `dropDrafts` removes the edits of their
   * records in the same one.
   */
  readonly changeLines: (userId: string, steps: Steps, options?: { readonly dropDrafts?: boolean }) => Promise<LinesByRecord>
  readonly drafts: (userId: string, datasetId: string) => Promise<readonly Draft[]>
  readonly putDraft: (draft: Draft) => Promise<void>
  readonly dropDraft: (userId: string, recordId: string) => Promise<void>
}

type Key = [userId: string, recordId: string]
interface Schema extends DBSchema {
  outbox: { key: Key; value: Line }
  drafts: { key: Key; value: Draft; indexes: { by_dataset: [userId: string, datasetId: string] } }
}

/** Everything of one user, whatever the record. */
const ofUser = (userId: string): IDBKeyRange => IDBKeyRange.bound([userId], [userId, []])

const lasting = (db: IDBPDatabase<Schema>): Device => ({
  isLasting: true,
  lines: (userId) => db.getAll('outbox', ofUser(userId)),
  changeLines: async (userId, steps, { dropDrafts = false } = {}) => {
    // An answer has to be on the disk before anyone is told that it is kept.
    const transaction = db.transaction(['outbox', 'drafts'], 'readwrite', { durability: 'strict' })
    const store = transaction.objectStore('outbox')
    const changeOne = async (recordId: string, step: Step): Promise<readonly [string, Line | null]> => {
      const key: Key = [userId, recordId]
      const line = step((await store.get(key)) ?? null)
      await (line ? store.put(line) : store.delete(key))
      if (dropDrafts) await transaction.objectStore('drafts').delete(key)
      return [recordId, line]
    }
    const [lines] = await Promise.all([
      Promise.all([...steps].map(([recordId, step]) => changeOne(recordId, step))),
      transaction.done,
    ])
    return new Map(lines)
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
    changeLines: async (userId, steps, { dropDrafts = false } = {}) => {
      const changed = new Map<string, Line | null>()
      for (const [recordId, step] of steps) {
        const key = keyText(userId, recordId)
        const line = step(lines.get(key) ?? null)
        if (line) lines.set(key, line)
        else lines.delete(key)
        if (dropDrafts) drafts.delete(key)
        changed.set(recordId, line)
      }
      return changed
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
  const remember = (userId: string, lines: LinesByRecord): LinesByRecord => {
    for (const [recordId, line] of lines) {
      if (line) known.set(keyText(userId, recordId), line)
      else known.delete(keyText(userId, recordId))
    }
    return lines
  }
  const attempt = async <T>(first: () => Promise<T>, instead: () => Promise<T>): Promise<T> => {
    if (failed) return instead()
    try {
      return await first()
    } catch {
      failed = true
      for (const line of known.values()) await memory.changeLines(line.user_id, new Map([[line.record_id, () => line]]))
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
          remember(userId, new Map(lines.map((line) => [line.record_id, line])))
          return lines
        },
        () => memory.lines(userId),
      ),
    changeLines: (userId, steps, options) =>
      attempt(
        async () => remember(userId, await storage.changeLines(userId, steps, options)),
        () => memory.changeLines(userId, steps, options),
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
      upgrade: (db) => createStores(unwrap(db)),
      // A newer page in another tab must not wait for this one for ever.
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    })
    return unfailing(lasting(db))
  } catch {
    return fleetingDevice()
  }
}
