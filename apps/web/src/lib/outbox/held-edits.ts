import type { Draft } from '#lib/drafts/draft.ts'
import type { Edit } from '#lib/drafts/edit.ts'
import { applyEdit, mergeEdits, pickPart } from '#lib/drafts/edit.ts'
import type { Disk } from './disk.ts'
import { keyText } from './disk.ts'

const keyOf = ({ user_id, record_id }: Pick<Draft, 'user_id' | 'record_id'>): string => keyText(user_id, record_id)

/**
 * Creates the collection of edits that couldn't be written to the disk.
 * @param isAnswerMemoryOnly whether the record of these edits has an answer that exists only in memory. The answer may have been
 * made from the edits
 */
export const createHeldEdits = (disk: Disk, isAnswerMemoryOnly: (key: string) => boolean) => {
  const held = new Map<string, Edit>()
  /** Combines an edit with the earlier edits of the same record that the disk refused. */
  const mergeWithHeld = (edit: Edit): Edit => mergeEdits(held.get(keyOf(edit)), edit)

  const store = async (edit: Edit): Promise<void> => {
    if (!isAnswerMemoryOnly(keyOf(edit))) {
      await disk.updateDraft(edit)
      held.delete(keyOf(edit))
      return
    }
    // If the tab is closed, the answer in memory is lost, and only the edits from which it was made remain on the disk. Edits
    // that would remove their values are therefore not written to the disk.
    const additions = pickPart(edit, 'additions')
    if (additions.answers.size === 0) throw new Error('the answer is not saved on this device')
    await disk.updateDraft(additions)
    held.set(keyOf(edit), pickPart(edit, 'removals'))
  }

  return {
    keys: (): readonly string[] => [...held.keys()],
    memoryOnlyRecords: (): readonly string[] =>
      [...held.values()].flatMap((edit) => (pickPart(edit, 'additions').answers.size > 0 ? [edit.record_id] : [])),
    /** Returns a dataset's edits: those on the disk, with the edits that couldn't be written to the disk applied on top. */
    applyTo: (stored: readonly Draft[], userId: string, datasetId: string): readonly Draft[] => {
      const drafts = new Map(stored.map((draft) => [keyOf(draft), draft]))
      const ofDataset = [...held].filter(([, edit]) => edit.user_id === userId && edit.dataset_id === datasetId)
      for (const [key, edit] of ofDataset) {
        const draft = applyEdit(drafts.get(key) ?? null, edit)
        if (draft) drafts.set(key, draft)
        else drafts.delete(key)
      }
      return [...drafts.values()]
    },
    mergeWithHeld,
    write: (edit: Edit): Promise<void> => store(mergeWithHeld(edit)),
    hold: (edit: Edit): void => void held.set(keyOf(edit), mergeWithHeld(edit)),
    /** Called when the disk has stored an edit together with the edits of the same record that it had refused before. */
    release: (edit: Edit): void => void held.delete(keyOf(edit)),
    /** Retries writing one of the refused edits to the disk. */
    retry: async (key: string): Promise<void> => {
      const edit = held.get(key)
      if (edit) await store(edit)
    },
  }
}
