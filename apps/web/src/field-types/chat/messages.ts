import type { ChatMessage } from '@postil/contract/field-types/chat.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'

const isMessage = (item: JsonValue): item is JsonValue & ChatMessage =>
  typeof item === 'object' && item !== null && 'role' in item && 'content' in item

/** The messages of a conversation; a plain value is one message of the user's. */
export const messagesOf = (value: JsonValue): readonly ChatMessage[] =>
  Array.isArray(value)
    ? value.filter(isMessage)
    : [{ role: 'user', content: typeof value === 'string' ? value : JSON.stringify(value) }]

export type Bubble<M> = M & {
  /** The name is told when it changes. */
  readonly showsRole: boolean
  readonly side: 'start' | 'end'
  /** 0 to 4 by order of appearance, where there are more than two; else null. */
  readonly colour: number | null
}

const colours = 5

/** Up to two speak from two sides; more speak from one side, told apart by colour and name. */
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

/** What is drawn at once of a thread: so many messages, or fewer where they are long. */
const atOnce = { messages: 20, characters: 20_000 }

/** How many messages are drawn at once, at least one; those that follow when they are near. */
export const firstDrawn = (messages: readonly Pick<ChatMessage, 'content'>[]): number => {
  let characters = 0
  const next = messages.slice(0, atOnce.messages).findIndex(({ content }, index) => {
    characters += content.length
    return index > 0 && characters > atOnce.characters
  })
  return next < 0 ? atOnce.messages : next
}
