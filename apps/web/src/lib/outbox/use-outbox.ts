import { useSyncExternalStore } from 'react'
import { outbox } from './browser-outbox.ts'
import type { OutboxSnapshot, UnsentCounts } from './outbox.ts'
import { saveStateOf, unsentIn } from './outbox.ts'
import type { SaveState } from './types.ts'

export const useOutbox = (): OutboxSnapshot => useSyncExternalStore(outbox.subscribe, outbox.snapshot)

/** How many answers are unsent, as it changes; null while nobody is signed in. */
export const useUnsentCounts = (): UnsentCounts | null => {
  const { userId, lines } = useOutbox()
  return userId === null ? null : unsentIn([...lines.values()])
}

/** Where the answer to one record is. */
export const useSaveState = (recordId: string): SaveState =>
  useSyncExternalStore(outbox.subscribe, () => saveStateOf(outbox.snapshot(), recordId))
