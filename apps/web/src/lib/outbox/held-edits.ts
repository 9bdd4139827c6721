import type { Draft } from '#lib/drafts/draft.ts'
import type { Disk } from './disk.ts'
import { keyText } from './disk.ts'

/** Edits of one record that the disk did not take; null where it did not remove those that it has. */
type Held = { readonly userId: string; readonly recordId: string; readonly draft: Draft | null }

/** The edits that the disk has refused. `isAnswerOnlyHere` says whether it lacks the answer that was made of a record's edits. */
export const createHeldEdits = (disk: Disk, isAnswerOnlyHere: (key: string) => boolean) => {
  const held = new Map<string, Held>()
  const keyOf = ({ userId, recordId }: Held): string => keyText(userId, recordId)

  const write = async (edit: Held): Promise<void> => {
    const { userId, recordId, draft } = edit
    if (draft) await disk.putDraft(draft)
    // Edits on the disk are better than nothing, until it has the answer.
    else if (isAnswerOnlyHere(keyOf(edit))) throw new Error('their answer is not on the disk')
    else await disk.dropDraft(userId, recordId)
    held.delete(keyOf(edit))
  }

  return {
    keys: (): readonly string[] => [...held.keys()],
    recordsOnlyHere: (): readonly string[] => [...held.values()].flatMap(({ recordId, draft }) => (draft ? [recordId] : [])),
    /** Edits of a dataset: those of the disk, and newer ones. */
    over: (stored: readonly Draft[], userId: string, datasetId: string): readonly Draft[] => [
      ...stored.filter(({ user_id, record_id }) => !held.has(keyText(user_id, record_id))),
      ...[...held.values()].flatMap(({ draft }) => (draft?.user_id === userId && draft.dataset_id === datasetId ? [draft] : [])),
    ],
    write,
    hold: (edit: Held): void => void held.set(keyOf(edit), edit),
    /** They are gone from the disk. */
    release: (userId: string, recordId: string): void => void held.delete(keyText(userId, recordId)),
    /** Offers one of them to the disk once more. */
    offer: async (key: string): Promise<void> => {
      const edit = held.get(key)
      if (edit) await write(edit)
    },
  }
}
