import type { Disk } from '#lib/outbox/disk.ts'
import type { Draft } from './draft.ts'

export type Drafts = ReturnType<typeof createDrafts>

/**
 * The unsaved edits of one user in one dataset. What is put is there for `get` at once and on the device as fast as it can
 * write: while one write of a record is under way, only the latest edit waits for the next.
 */
export const createDrafts = (device: Promise<Disk>, userId: string, datasetId: string) => {
  const kept = new Map<string, Draft>()
  const writing = new Set<string>()
  const dirty = new Set<string>()

  const write = async (recordId: string): Promise<void> => {
    if (writing.has(recordId)) {
      dirty.add(recordId)
      return
    }
    writing.add(recordId)
    try {
      const storage = await device
      const draft = kept.get(recordId)
      await (draft ? storage.putDraft(draft) : storage.dropDraft(userId, recordId))
    } finally {
      writing.delete(recordId)
    }
    if (dirty.delete(recordId)) await write(recordId)
  }

  return {
    /** Reads what the device has; edits made before that stay the newer ones. */
    load: async (): Promise<void> => {
      for (const draft of await (await device).drafts(userId, datasetId)) {
        if (!kept.has(draft.record_id)) kept.set(draft.record_id, draft)
      }
    },
    get: (recordId: string): Draft | null => kept.get(recordId) ?? null,
    /** Resolves when the edit is on the device. */
    put: (recordId: string, edit: Pick<Draft, 'answers' | 'base_version'>): Promise<void> => {
      kept.set(recordId, { user_id: userId, dataset_id: datasetId, record_id: recordId, edited_at: Date.now(), ...edit })
      return write(recordId)
    },
    /** Forgets edits that something else removes from the device: the outbox does, together with keeping their answer. */
    forget: (recordId: string): void => {
      kept.delete(recordId)
    },
    drop: (recordId: string): Promise<void> => {
      if (!kept.delete(recordId)) return Promise.resolve()
      return write(recordId)
    },
  }
}
