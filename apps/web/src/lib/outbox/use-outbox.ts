import { useSyncExternalStore } from 'react'
import { outbox } from './browser-outbox.ts'
import type { OutboxSnapshot } from './outbox.ts'
import { saveStateOf, sentShare, worstSaveState } from './outbox.ts'
import type { SaveState } from './types.ts'

export const useOutbox = (): OutboxSnapshot => useSyncExternalStore(outbox.subscribe, outbox.snapshot)

/** Where the answer to one record is. */
export const useSaveState = (recordId: string): SaveState =>
  useSyncExternalStore(outbox.subscribe, () => saveStateOf(outbox.snapshot(), recordId))

/** Where the answers to several records are: the state that most needs to be known. */
export const useSaveStateOfAll = (recordIds: readonly string[]): SaveState =>
  useSyncExternalStore(outbox.subscribe, () => worstSaveState(outbox.snapshot(), recordIds))

/** How many of the answers to several records have arrived, 0 to 1. */
export const useSentShare = (recordIds: readonly string[]): number =>
  useSyncExternalStore(outbox.subscribe, () => sentShare(outbox.snapshot(), recordIds))
