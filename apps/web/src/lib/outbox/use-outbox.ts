import { useSyncExternalStore } from 'react'
import { outbox } from './browser-outbox.ts'
import type { OutboxSnapshot, UnsentCounts } from './outbox.ts'
import { countUnsent, saveStateOf } from './outbox.ts'
import type { SaveState } from './types.ts'

export const useOutbox = (): OutboxSnapshot => useSyncExternalStore(outbox.subscribe, outbox.snapshot)

/** Returns the current number of unsent answers, or null while nobody is signed in. */
export const useUnsentCounts = (): UnsentCounts | null => {
  const { userId, lines } = useOutbox()
  return userId === null ? null : countUnsent([...lines.values()])
}

/** Returns the save state of a record's answer. */
export const useSaveState = (recordId: string): SaveState =>
  useSyncExternalStore(outbox.subscribe, () => saveStateOf(outbox.snapshot(), recordId))
