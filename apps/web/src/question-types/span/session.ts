import type { Span } from '@postil/contract/answer-value.ts'
import { useSyncExternalStore } from 'react'
import type { Shared } from '../define.ts'

/** State that is shared by the labels in the form and the record's text. Offsets are UTF-16 units. */
export type SpanSession = {
  /** The label that a selection gets. */
  readonly label: string | null
  /** The current span, which keys act on. */
  readonly current: Span | null
  /** A label that was picked in the form. It is applied to the selection in the text. */
  readonly pickedLabel: string | null
  /** A span that was picked in the list. The text scrolls to it. */
  readonly spanToReveal: Span | null
  /** Whether the text should take the focus. */
  readonly focusText: boolean
}

const empty: SpanSession = { label: null, current: null, pickedLabel: null, spanToReveal: null, focusText: false }

export const readSession = (shared: Shared): SpanSession => (shared.get() as SpanSession | undefined) ?? empty

export const changeSession = (shared: Shared, change: Partial<SpanSession>): void =>
  shared.set({ ...readSession(shared), ...change })

export const useSpanSession = (shared: Shared): SpanSession => {
  const read = () => readSession(shared)
  return useSyncExternalStore(shared.subscribe, read, read)
}
