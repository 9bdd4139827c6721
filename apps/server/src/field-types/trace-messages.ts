import type { ToolCall, TraceMessage } from '@postil/contract/trace.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '@postil/contract/wire/json.ts'
import { parsedJson } from './parsed-json.ts'

const textIn = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
const objectIn = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {})
const isObjects = (value: unknown): value is readonly JsonObject[] => Array.isArray(value) && value.every(isJsonObject)

/** The role for each message type in LangChain. */
const ROLES: { readonly [type: string]: string } = {
  human: 'user',
  HumanMessage: 'user',
  HumanMessageChunk: 'user',
  ai: 'assistant',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  system: 'system',
  SystemMessage: 'system',
  tool: 'tool',
  ToolMessage: 'tool',
  function: 'tool',
  FunctionMessage: 'tool',
}

/** Reads a tool call in the format of OpenAI, Anthropic, LangChain, OpenInference, OpenTelemetry or the Vercel AI SDK. */
const callOf = (sent: JsonObject): ToolCall | null => {
  const call = isJsonObject(sent['tool_call']) ? sent['tool_call'] : sent
  const target = objectIn(call['function'])
  const name = textIn(target['name']) ?? textIn(call['name']) ?? textIn(call['toolName'])
  if (name === undefined) return null
  const given = [target['arguments'], call['arguments'], call['args'], call['input'], call['parameters']]
  const values = given.find((value) => value !== undefined && value !== null)
  const id = textIn(call['id']) ?? textIn(call['toolCallId'])
  return { ...(id !== undefined && { id }), name, ...(values !== undefined && { arguments: parsedJson(values) }) }
}

const callsIn = (value: JsonValue | undefined): readonly ToolCall[] =>
  isObjects(value) ? value.flatMap((call) => callOf(call) ?? []) : []

const CALLS = ['tool_call', 'tool_use', 'tool-call', 'function_call']
const RESULTS = ['tool_call_response', 'tool_result', 'tool-result', 'function_call_output']

/** The text of a part of a message. Undefined for images and other parts. */
const textOfPart = (part: JsonValue): string | undefined => {
  if (typeof part === 'string') return part
  if (!isJsonObject(part)) return undefined
  const inner = objectIn(part['message_content'])
  const type = textIn(part['type']) ?? textIn(inner['type']) ?? 'text'
  if (!['text', 'input_text', 'output_text'].includes(type)) return undefined
  const text = part['text'] ?? part['content'] ?? inner['text']
  return typeof text === 'string' ? text : undefined
}

/** The content of a message: one string if all parts are text, otherwise the list of parts. */
const contentOf = (parts: readonly JsonValue[]): JsonValue => {
  const texts = parts.map(textOfPart)
  return texts.every((text) => text !== undefined) ? texts.join('\n\n') : parts
}

const typeOf = (part: JsonValue): string => (isJsonObject(part) ? (textIn(part['type']) ?? '') : '')

/** The result of a call, as a message. */
const resultOf = (part: JsonValue): TraceMessage => {
  const given = objectIn(part)
  const id = [given['tool_use_id'], given['toolCallId'], given['call_id'], given['id']]
    .map(textIn)
    .find((one) => one !== undefined)
  const name = textIn(given['toolName']) ?? textIn(given['name'])
  const content = [given['response'], given['result'], given['content'], given['output']].find((value) => value !== undefined)
  return {
    role: 'tool',
    content: Array.isArray(content) ? contentOf(content) : parsedJson(content ?? null),
    ...(id !== undefined && { tool_call_id: id }),
    ...(name !== undefined && { name }),
  }
}

/** Returns a message without the object that LangChain, OpenInference or OpenAI (in its list of choices) wraps around it. */
const unframed = (sent: JsonObject): JsonObject => {
  const { message, kwargs, data, lc } = sent
  if (isJsonObject(message) && (textIn(message['role']) !== undefined || 'content' in message)) return message
  const path = sent['id']
  if (lc !== undefined && isJsonObject(kwargs) && Array.isArray(path)) return { ...kwargs, type: path.at(-1) ?? null }
  if (isJsonObject(data) && 'content' in data && textIn(sent['type']) !== undefined)
    return { ...data, type: sent['type'] ?? null }
  return sent
}

const roleOf = (sent: JsonObject): string | undefined => textIn(sent['role']) ?? ROLES[textIn(sent['type']) ?? '']

const BODY = ['content', 'parts', 'contents', 'tool_calls', 'function_call', 'additional_kwargs']

/** Returns the tool calls in a message. A message stores them under dedicated keys or among the parts of its content. */
const callsOf = (sent: JsonObject, parts: readonly JsonValue[]): readonly ToolCall[] => {
  const { tool_calls: calls = objectIn(sent['additional_kwargs'])['tool_calls'], function_call: call } = sent
  return [
    ...callsIn(calls),
    ...(isJsonObject(call) ? callsIn([call]) : []),
    ...callsIn(parts.filter((part) => CALLS.includes(typeOf(part)))),
  ]
}

/**
 * Converts a tool call or result in the format of OpenAI's Responses API. In this format, calls and results aren't part of
 * messages, but separate items next to them. Null if the item is a message.
 */
const itemOf = (sent: JsonObject): readonly TraceMessage[] | null => {
  if (RESULTS.includes(typeOf(sent))) return [resultOf(sent)]
  if (!CALLS.includes(typeOf(sent))) return null
  const call = callOf({ ...sent, id: sent['call_id'] ?? sent['id'] ?? null })
  return call === null ? null : [{ role: 'assistant', tool_calls: [call] }]
}

/**
 * The content of a message without its tool calls and results: a string if all remaining parts are text, otherwise the list of
 * these parts.
 */
const spokenIn = (content: JsonValue, parts: readonly JsonValue[] | null): JsonValue => {
  if (parts === null) return content
  const plain = parts.filter((part) => !CALLS.includes(typeOf(part)) && !RESULTS.includes(typeOf(part)))
  return plain.length === 0 ? null : contentOf(plain)
}

const optional = <K extends string>(key: K, value: string | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [N in K]?: string }

/** A message, followed by a separate message for each tool result in it. Null if the value isn't a message. */
const messagesOf = (given: JsonObject): readonly TraceMessage[] | null => {
  const sent = unframed(given)
  const item = itemOf(sent)
  if (item !== null) return item
  const role = roleOf(sent)
  if (role === undefined || !BODY.some((key) => key in sent)) return null
  const content = sent['parts'] ?? sent['content'] ?? sent['contents'] ?? null
  const parts: readonly JsonValue[] | null = Array.isArray(content) ? content : null
  const calls = callsOf(sent, parts ?? [])
  const results = (parts ?? []).filter((part) => RESULTS.includes(typeOf(part))).map(resultOf)
  const spoken = spokenIn(content, parts)
  if ((spoken === null || spoken === '') && calls.length === 0 && results.length > 0) return results
  const message: TraceMessage = {
    role,
    // Results of tools are often JSON
    content: role === 'tool' ? parsedJson(spoken) : spoken,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...optional('tool_call_id', textIn(sent['tool_call_id']) ?? textIn(sent['toolCallId'])),
    ...optional('name', textIn(sent['name'])),
  }
  return [message, ...results]
}

const listOf = (value: JsonValue): readonly JsonObject[] | null => {
  if (isObjects(value)) return value
  if (!isJsonObject(value)) return null
  const { messages, choices } = value
  if (isObjects(messages) && Object.keys(value).length === 1) return messages
  if (isObjects(choices) && choices.every((choice) => isJsonObject(choice['message']))) return choices
  return roleOf(unframed(value)) === undefined ? null : [value]
}

/** The messages in a value, in any known format. Null if the value is neither a message nor a list of messages. */
export const messagesIn = (sent: JsonValue | undefined): readonly TraceMessage[] | null => {
  const list = sent === undefined ? null : listOf(parsedJson(sent))
  if (list === null || list.length === 0) return null
  const found = list.map(messagesOf)
  return found.every((one) => one !== null) ? found.flat() : null
}

/** The input or output of a step: messages if the value is in a known message format, otherwise the value itself. */
export const payload = (sent: JsonValue): JsonValue => {
  const value = parsedJson(sent)
  return messagesIn(value) ?? value
}
