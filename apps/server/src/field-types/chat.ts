import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { roleToken } from '#platform/text/evaluate.ts'
import { tokenizeInto } from '#platform/text/tokens.ts'
import { isMessages, messageOf } from './chat-messages.ts'
import { defineServerFieldType } from './define.ts'

/**
 * Converts a plain value to one user message. Converts the parts and tool calls of messages to text. Text that looks like a list
 * of objects but can't be parsed is an error, not a message.
 */
const asMessages = (value: unknown): unknown => {
  if (value === '') return null
  if (isMessages(value)) return value.map((one) => (isMessage(one) && !hasCalls(one) ? one : messageOf(one)))
  const isPlain =
    typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && !/^\s*\[\s*\{/.test(value))
  return isPlain ? [{ role: 'user', content: String(value) }] : value
}

/** Whether a message has tool calls in keys that chat fields don't have. */
const hasCalls = (value: JsonObject): boolean => 'tool_calls' in value || 'function_call' in value

const isMessage = (value: unknown): boolean =>
  isJsonObject(value) && typeof value['role'] === 'string' && typeof value['content'] === 'string'

export const chatField = defineServerFieldType({
  kind: 'chat',
  column: 'json',
  imported: asMessages,
  recognizes: (value) => isMessages(value) || (Array.isArray(value) && value.every(isMessage)),
  searchable: true,
  hasRoles: true,
  appendTokens: (out, value) => {
    if (!Array.isArray(value)) return
    for (const message of value) {
      if (!isJsonObject(message)) continue
      const { role, content } = message
      if (typeof role === 'string') out.push(roleToken(role))
      if (typeof content === 'string') tokenizeInto(out, content)
    }
  },
  appendTexts: (out, value) => {
    if (!Array.isArray(value)) return
    for (const message of value) if (isJsonObject(message) && typeof message['content'] === 'string') out.push(message['content'])
  },
})
