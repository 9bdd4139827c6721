import type { ChatMessage } from '#field-types/chat.ts'

/** A message of a conversation in the text that its spans lie in, in UTF-16 units; the end is exclusive. */
export type Turn = { readonly role: string; readonly start: number; readonly end: number }

export type SpanText = {
  /** What offsets of spans count in. */
  readonly text: string
  /** The messages of a conversation, one after the other; null for what is one text. */
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
 * The text of a field that spans can be marked in: a text itself, and of a conversation what is said, each message on a line of its own. Null
 * for what has no text.
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
