import type { ChatMessage } from './field-types/chat.ts'
import { isAtLeast, isAtMost } from './wire/code-points.ts'
import { isJsonObject, type JsonObject, type JsonValue, jsonFault, textFault } from './wire/json.ts'
import { type Limits, maxChatMessages } from './wire/limits.ts'
import { message, type Reason } from './wire/message.ts'
import { Fault, notDictionary, notString, scalar, valueError } from './wire/scalar.ts'

/** A record's values, keyed by field name. A list contains the messages of a conversation. */
export type FieldValues = JsonObject

const messageFault = (item: unknown, { roleLength, messageLength }: Limits): Reason | null => {
  if (!isJsonObject(item)) return message('notAMessage')
  const { role, content } = item
  if (typeof role !== 'string' || typeof content !== 'string') return message('mustHaveRole')
  if (!isAtLeast(role, roleLength.min) || !isAtMost(role, roleLength.max)) {
    return `must have a role of ${roleLength.min} to ${roleLength.max} characters`
  }
  if (!isAtLeast(content, messageLength.min) || !isAtMost(content, messageLength.max)) {
    return `must have a content of ${messageLength.min} to ${messageLength.max} characters`
  }
  return textFault(role) ?? textFault(content)
}

const toMessages = (list: readonly unknown[], limits: Limits): readonly ChatMessage[] | Fault => {
  if (list.length > maxChatMessages) return valueError(`a conversation has at most ${maxChatMessages} messages`)
  for (const [index, item] of list.entries()) {
    const fault = messageFault(item, limits)
    if (fault !== null) return valueError(message('messageFault', { message: index }, fault))
  }
  return (list as readonly ChatMessage[]).map(({ role, content }) => ({ role, content }))
}

const toFieldValue = (name: string, value: unknown, limits: Limits): JsonValue | Fault => {
  if (value === null) return null
  if (Array.isArray(value)) return toMessages(value, limits)
  if (typeof value !== 'string' && !isJsonObject(value)) return notString([name])
  const fault = jsonFault(value)
  return fault === null ? value : valueError(fault, [name])
}

/** Field values as a client sends them: strings, objects, lists of messages or null. Each field's type checks its own value. */
export const fieldValues = (limits: Limits) =>
  scalar<FieldValues>({ type: 'object' }, (value) => {
    if (!isJsonObject(value)) return notDictionary()
    const entries: [string, JsonValue][] = []
    for (const [name, sent] of Object.entries(value)) {
      const nameFault = textFault(name)
      if (nameFault !== null) return valueError(nameFault)
      const converted = toFieldValue(name, sent, limits)
      if (converted instanceof Fault) return converted
      entries.push([name, converted])
    }
    return Object.fromEntries(entries)
  })
