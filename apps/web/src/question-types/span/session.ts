import type { Span } from '@postil/contract/answer-value.ts'
import { useSyncExternalStore } from 'react'
import type { Shared } from '../define.ts'

/** What the labels in the form and the text in the record know of each other. Offsets are UTF-16 units. */
export type SpanSession = {
  /** The label that a selection gets. */
  readonly label: string | null
  /** The span that keys act on. */
  readonly current: Span | null
  /** A label that was picked in the form, for the text to use on what is selected in it. */
  readonly wish: string | null
  /** A span that was picked in the list, for the text to show. */
  readonly reveal: Span | null
  /** The focus is wanted in the text. */
  readonly enter: boolean
}

const empty: SpanSession = { label: null, current: null, wish: null, reveal: null, enter: false }

export const readSession = (shared: Shared): SpanSession => (shared.get() as SpanSession | undefined) ?? empty

export const changeSession = (shared: Shared, change: Partial<SpanSession>): void =>
  shared.set({ ...readSession(shared), ...change })

export const useSpanSession = (shared: Shared): SpanSession => {
  const read = () => readSession(shared)
  return useSyncExternalStore(shared.subscribe, read, read)
}
