import type { ChatMessage } from '@postil/contract/field-types/chat.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'

const isMessage = (item: JsonValue): item is JsonValue & ChatMessage =>
  typeof item === 'object' && item !== null && 'role' in item && 'content' in item

/** Returns a conversation's messages. A value that isn't a list becomes one message from the user. */
export const messagesOf = (value: JsonValue): readonly ChatMessage[] =>
  Array.isArray(value)
    ? value.filter(isMessage)
    : [{ role: 'user', content: typeof value === 'string' ? value : JSON.stringify(value) }]

export type Bubble<M> = M & {
  /** Whether the role is shown. It is shown only if it differs from the role of the previous message. */
  readonly showsRole: boolean
  readonly side: 'start' | 'end'
  /**
   * The number of the role's color, from 0 to 4. Roles get their numbers in order of appearance. The sixth role gets 0 again.
   * Null if there are at most two roles.
   */
  readonly colour: number | null
}

const colours = 5

/**
 * If a conversation has two roles, their messages are drawn on opposite sides. If it has more, all messages are drawn on one
 * side, and color and name distinguish the roles.
 */
export const bubblesOf = <M extends Pick<ChatMessage, 'role'>>(messages: readonly M[]): readonly Bubble<M>[] => {
  const roles = [...new Set(messages.map((message) => message.role))]
  return messages.map((message, index) => {
    const speaker = roles.indexOf(message.role)
    return {
      ...message,
      showsRole: messages[index - 1]?.role !== message.role,
      side: roles.length <= 2 && speaker === 0 ? 'end' : 'start',
      colour: roles.length > 2 ? speaker % colours : null,
    }
  })
}

/** Limits for the part of a thread that is drawn immediately: number of messages and total characters. */
const charactersDrawnAtOnce = { messages: 20, characters: 20_000 }

/** Returns the number of messages to draw immediately, at least one. The rest are drawn when the user scrolls near them. */
export const initialMessageCount = (messages: readonly Pick<ChatMessage, 'content'>[]): number => {
  let characters = 0
  const next = messages.slice(0, charactersDrawnAtOnce.messages).findIndex(({ content }, index) => {
    characters += content.length
    return index > 0 && characters > charactersDrawnAtOnce.characters
  })
  return next < 0 ? charactersDrawnAtOnce.messages : next
}
