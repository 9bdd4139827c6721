import type { Draft } from '#lib/drafts/draft.ts'
import type { Edit } from '#lib/drafts/edit.ts'
import { edited, followedBy, partOf } from '#lib/drafts/edit.ts'
import type { Disk } from './disk.ts'
import { keyText } from './disk.ts'

const keyOf = ({ user_id, record_id }: Pick<Draft, 'user_id' | 'record_id'>): string => keyText(user_id, record_id)

/** The edits that the disk has refused. `isAnswerOnlyHere` says whether it lacks the answer that was made of a record's edits. */
export const createHeldEdits = (disk: Disk, isAnswerOnlyHere: (key: string) => boolean) => {
  const held = new Map<string, Edit>()
  /** An edit, with what was refused before it. */
  const withHeld = (edit: Edit): Edit => followedBy(held.get(keyOf(edit)), edit)

  const store = async (edit: Edit): Promise<void> => {
    if (!isAnswerOnlyHere(keyOf(edit))) {
      await disk.changeDraft(edit)
      held.delete(keyOf(edit))
      return
    }
    // Edits on the disk are better than nothing, until it has the answer.
    const additions = partOf(edit, 'additions')
    if (additions.answers.size === 0) throw new Error('their answer is not on the disk')
    await disk.changeDraft(additions)
    held.set(keyOf(edit), partOf(edit, 'removals'))
  }

  return {
    keys: (): readonly string[] => [...held.keys()],
    recordsOnlyHere: (): readonly string[] =>
      [...held.values()].flatMap((edit) => (partOf(edit, 'additions').answers.size > 0 ? [edit.record_id] : [])),
    /** Edits of a dataset: those of the disk, and newer ones. */
    over: (stored: readonly Draft[], userId: string, datasetId: string): readonly Draft[] => {
      const drafts = new Map(stored.map((draft) => [keyOf(draft), draft]))
      const ofDataset = [...held].filter(([, edit]) => edit.user_id === userId && edit.dataset_id === datasetId)
      for (const [key, edit] of ofDataset) {
        const draft = edited(drafts.get(key) ?? null, edit)
        if (draft) drafts.set(key, draft)
        else drafts.delete(key)
      }
      return [...drafts.values()]
    },
    withHeld,
    write: (edit: Edit): Promise<void> => store(withHeld(edit)),
    hold: (edit: Edit): void => void held.set(keyOf(edit), withHeld(edit)),
    /** The disk has it, and what was refused before it. */
    release: (edit: Edit): void => void held.delete(keyOf(edit)),
    /** Offers one of them to the disk once more. */
    offer: async (key: string): Promise<void> => {
      const edit = held.get(key)
      if (edit) await store(edit)
    },
  }
}
