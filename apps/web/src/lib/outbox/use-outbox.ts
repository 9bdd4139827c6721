import { useSyncExternalStore } from 'react'
import { outbox } from './browser-outbox.ts'
import type { OutboxSnapshot } from './outbox.ts'
import { saveStateOf } from './outbox.ts'
import type { SaveState } from './types.ts'

export const useOutbox = (): OutboxSnapshot => useSyncExternalStore(outbox.subscribe, outbox.snapshot)

/** Where the answer to one record is. */
export const useSaveState = (recordId: string): SaveState =>
  useSyncExternalStore(outbox.subscribe, () => saveStateOf(outbox.snapshot(), recordId))
