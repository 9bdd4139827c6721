import type { Disk } from '#lib/outbox/disk.ts'
import type { Draft } from './draft.ts'
import type { Edit } from './edit.ts'
import { editBetween, followedBy } from './edit.ts'

export type Drafts = ReturnType<typeof createDrafts>

/**
 * The unsaved edits of one user in one dataset, as one tab knows them. What is put is there for `get` at once and on the device as fast
 * as it can write: while one write of a record is under way, what comes meanwhile waits for the next.
 */
export const createDrafts = (device: Promise<Disk>, userId: string, datasetId: string) => {
  const kept = new Map<string, Draft>()
  const pending = new Map<string, Edit>()
  const writing = new Map<string, Promise<void>>()

  const take = (recordId: string): Edit | undefined => {
    const edit = pending.get(recordId)
    pending.delete(recordId)
    return edit
  }

  const writeAll = async (recordId: string): Promise<void> => {
    try {
      const storage = await device
      for (let edit = take(recordId); edit; edit = take(recordId)) await storage.changeDraft(edit)
    } finally {
      writing.delete(recordId)
    }
  }
  const write = (recordId: string): Promise<void> => {
    const done = writing.get(recordId) ?? writeAll(recordId)
    writing.set(recordId, done)
    return done
  }

  /** Notes what this tab has of a record now, and what that makes to be written. */
  const turn = (recordId: string, after: Draft | null): void => {
    const edit = editBetween(kept.get(recordId) ?? null, after)
    if (after) kept.set(recordId, after)
    else kept.delete(recordId)
    if (edit) pending.set(recordId, followedBy(pending.get(recordId), edit))
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
      turn(recordId, { user_id: userId, dataset_id: datasetId, record_id: recordId, edited_at: Date.now(), ...edit })
      return write(recordId)
    },
    /** Forgets edits whose answer is given, and says what to remove from the device together with keeping it; null where nothing is. */
    end: (recordId: string): Edit | null => {
      turn(recordId, null)
      return take(recordId) ?? null
    },
    drop: (recordId: string): Promise<void> => {
      if (!kept.has(recordId)) return Promise.resolve()
      turn(recordId, null)
      return write(recordId)
    },
  }
}
