import type { Disk } from '#lib/outbox/disk.ts'
import type { Draft } from './draft.ts'
import type { Edit } from './edit.ts'
import { diffDrafts, mergeEdits } from './edit.ts'

export type Drafts = ReturnType<typeof createDrafts>

/**
 * One user's unsaved edits in one dataset, as seen by one tab. A `put` is visible to `get` at once and is written to the device
 * as soon as possible. Changes made while a record is being written are combined into the next write.
 */
export const createDrafts = (device: Promise<Disk>, userId: string, datasetId: string) => {
  const drafts = new Map<string, Draft>()
  const pending = new Map<string, Edit>()
  const writing = new Map<string, Promise<void>>()

  const takePending = (recordId: string): Edit | undefined => {
    const edit = pending.get(recordId)
    pending.delete(recordId)
    return edit
  }

  const writeAll = async (recordId: string): Promise<void> => {
    try {
      const storage = await device
      for (let edit = takePending(recordId); edit; edit = takePending(recordId)) await storage.updateDraft(edit)
    } finally {
      writing.delete(recordId)
    }
  }
  const write = (recordId: string): Promise<void> => {
    const done = writing.get(recordId) ?? writeAll(recordId)
    writing.set(recordId, done)
    return done
  }

  /** Sets a record's edits in this tab. Adds the difference from the earlier edits to `pending`, to be written to the device. */
  const setDraft = (recordId: string, after: Draft | null): void => {
    const edit = diffDrafts(drafts.get(recordId) ?? null, after)
    if (after) drafts.set(recordId, after)
    else drafts.delete(recordId)
    if (edit) pending.set(recordId, mergeEdits(pending.get(recordId), edit))
  }

  return {
    /**
     * Reads the edits that are stored on the device. They don't replace edits made in this tab before this call, which are newer.
     */
    load: async (): Promise<void> => {
      for (const draft of await (await device).drafts(userId, datasetId)) {
        if (!drafts.has(draft.record_id)) drafts.set(draft.record_id, draft)
      }
    },
    get: (recordId: string): Draft | null => drafts.get(recordId) ?? null,
    /** Resolves when the edit is stored on the device. */
    put: (recordId: string, edit: Pick<Draft, 'answers' | 'base_version'>): Promise<void> => {
      setDraft(recordId, { user_id: userId, dataset_id: datasetId, record_id: recordId, edited_at: Date.now(), ...edit })
      return write(recordId)
    },
    /**
     * Drops the edits of a record that the user has just answered. Returns the edit that removes them from the device, or null if
     * there is nothing to remove. The transaction that stores the answer must apply this edit.
     */
    end: (recordId: string): Edit | null => {
      setDraft(recordId, null)
      return takePending(recordId) ?? null
    },
    drop: (recordId: string): Promise<void> => {
      if (!drafts.has(recordId)) return Promise.resolve()
      setDraft(recordId, null)
      return write(recordId)
    },
  }
}
