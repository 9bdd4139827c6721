import type { ChatMessage } from '#field-types/chat.ts'

/** The position of a message in the text of its conversation, in UTF-16 code units. The end is exclusive. */
export type Turn = { readonly role: string; readonly start: number; readonly end: number }

export type SpanText = {
  /** The text that the offsets of spans refer to. */
  readonly text: string
  /** The messages of a conversation in order. Null for plain text. */
  readonly turns: readonly Turn[] | null
}

const isMessage = (item: unknown): item is ChatMessage =>
  typeof item === 'object' &&
  item !== null &&
  'content' in item &&
  typeof item.content === 'string' &&
  'role' in item &&
  typeof item.role === 'string'

/**
 * The text that the spans of a field refer to: the text itself, or the messages of a conversation joined by line breaks. Null if
 * the value has no text.
 */
export const spanTextOf = (value: unknown): SpanText | null => {
  if (typeof value === 'string') return { text: value, turns: null }
  if (!Array.isArray(value) || !value.every(isMessage)) return null
  let start = 0
  const turns = value.map(({ role, content }) => {
    const turn = { role, start, end: start + content.length }
    start = turn.end + 1
    return turn
  })
  return { text: value.map(({ content }) => content).join('\n'), turns }
}
