import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { isMessages, type Message } from '#field-types/chat-messages.ts'
import type { FieldKind, ForeignReader, Item, Part, Suggested, Values } from './define.ts'
import { filledOf, isFilled, isObjects, isText, restOf, textIn } from './values.ts'

type Fault = { readonly fault: Reason }
/** Whether at least one value passes the test and no non-empty value fails it. Rows without a value are refused later. */
const mostly = (values: readonly unknown[], test: (value: unknown) => boolean): boolean =>
  values.some(test) && values.every((value) => !isFilled(value) || test(value))

/**
 * Returns the keys that occur in the messages but aren't shown. A chat shows only roles, content, and calls of tools and
 * functions.
 */
const otherKeys = (messages: readonly JsonObject[]): readonly string[] => [
  ...new Set(
    messages.flatMap((one) =>
      Object.keys(one).filter((key) => !['role', 'content', 'tool_calls', 'function_call'].includes(key) && isFilled(one[key])),
    ),
  ),
]

export const idIn = (row: Values, names: readonly string[] = ['id']): Pick<Item, 'id'> => {
  const id = names.map((name) => row.get(name)).find((one) => typeof one === 'string' || typeof one === 'number')
  return id === undefined ? {} : { id: id as string | number }
}

/** The reply in a result of the batch API. */
const replyIn = (row: Values): { readonly messages: readonly JsonObject[]; readonly rest: JsonObject } | null => {
  const response = row.get('response')
  const body = isJsonObject(response) ? response['body'] : undefined
  if (!isJsonObject(response) || !isJsonObject(body) || !isObjects(body['choices'])) return null
  const messages = body['choices'].slice(0, 1).flatMap(({ message: reply }) => (isJsonObject(reply) ? [reply] : []))
  const { choices: _, ...rest } = body
  return isMessages(messages) ? { messages, rest } : null
}

/** Reads a result of the batch API. Such a result repeats the ID of its request, but nothing else from the request. */
const readReply = (row: Values, { messages, rest }: NonNullable<ReturnType<typeof replyIn>>): Item => ({
  ...idIn(row, ['custom_id', 'id']),
  fields: [['messages', messages, 'chat']],
  metadata: isText(rest['model']) ? [['model', rest['model']]] : [],
  leftOut: [
    ...filledOf(new Map(Object.entries(rest)), Object.keys(rest)).filter((key) => key !== 'model'),
    ...filledOf(row, ['error']),
  ].map((part) => ({ part, reason: 'technical' as const })),
})

const readOpenai = (row: Values): Item | Fault => {
  const reply = replyIn(row)
  if (reply !== null) return readReply(row, reply)
  // Files for the batch API wrap the messages in a request
  const body = row.get('body')
  const inner: Values = isJsonObject(body) ? new Map(Object.entries(body)) : row
  const messages = inner.get('messages')
  if (!isMessages(messages)) return { fault: message('partMissing', { part: 'messages' }) }
  const tools = filledOf(inner, ['tools', 'functions'])
  return {
    ...idIn(row, ['id', 'custom_id']),
    fields: [['messages', messages, 'chat']],
    other: [
      ...restOf(inner, ['id', 'messages', 'tools', 'functions']),
      ...(inner === row ? [] : restOf(row, ['body', 'custom_id', 'id'])),
    ],
    leftOut: [
      ...tools.map((part) => ({ part, reason: 'technical' as const })),
      ...otherKeys(messages).map((key) => ({ part: `messages.${key}`, reason: 'technical' as const })),
    ],
  }
}

const messagesIn = (row: Values): unknown => {
  const body = row.get('body')
  return isJsonObject(body) ? body['messages'] : row.get('messages')
}

/** Conversations as lists of messages, as in files for fine-tuning and for the batch API. */
export const openai: ForeignReader = {
  format: 'openai',
  recognizes: (rows) => mostly(rows.map(messagesIn), isMessages) || mostly(rows.map(replyIn), (reply) => reply !== null),
  read: readOpenai,
}

const SHAREGPT_ROLES: { readonly [from: string]: string } = {
  human: 'user',
  gpt: 'assistant',
  bing: 'assistant',
  bard: 'assistant',
  chatgpt: 'assistant',
  function_call: 'assistant',
  observation: 'tool',
  function_response: 'tool',
}

const isTurn = (value: JsonObject): boolean => isText(value['from']) && isText(value['value'])
const isTurns = (value: unknown): value is readonly JsonObject[] => isObjects(value) && value.length > 0 && value.every(isTurn)
const turnOf = ({ from, value }: JsonObject): Message => ({
  role: SHAREGPT_ROLES[String(from)] ?? String(from),
  content: String(value),
})

/** Conversations whose turns have the keys `from` and `value`. */
export const sharegpt: ForeignReader = {
  format: 'sharegpt',
  recognizes: (rows) =>
    mostly(
      rows.map((row) => row.get('conversations')),
      isTurns,
    ),
  read: (row) => {
    const turns = row.get('conversations')
    if (!isTurns(turns)) return { fault: message('partMissing', { part: 'conversations' }) }
    const system = textIn(row.get('system'))
    const chat = [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...turns.map(turnOf)]
    return {
      ...idIn(row),
      fields: [['conversations', chat, 'chat']],
      other: restOf(row, ['id', 'conversations', 'system', 'tools']),
      leftOut: filledOf(row, ['tools']).map((part) => ({ part, reason: 'technical' })),
    }
  },
}

/** Instructions and their outputs, as text. */
export const alpaca: ForeignReader = {
  format: 'alpaca',
  recognizes: (rows) =>
    rows.every(
      (row) => isText(row.get('instruction')) && isText(row.get('output')) && (!row.has('input') || isText(row.get('input'))),
    ),
  read: (row) => {
    const names = ['system', 'instruction', 'input', 'output']
    if (textIn(row.get('instruction')) === undefined) return { fault: message('partMissing', { part: 'instruction' }) }
    return {
      ...idIn(row),
      fields: filledOf(row, names).map((name) => [name, row.get(name), 'text']),
      other: restOf(row, ['id', ...names]),
    }
  },
}

const TRANSCRIPT = /(?:^|\n\n)(Human|Assistant): ?/

/** The turns of a transcript such as `\n\nHuman: …\n\nAssistant: …`, or null. */
const transcriptOf = (text: string): readonly Message[] | null => {
  const parts = text.split(TRANSCRIPT)
  if (parts.length < 3 || (parts[0] ?? '').trim() !== '') return null
  const turns: Message[] = []
  for (let at = 1; at < parts.length; at += 2)
    turns.push({ role: parts[at] === 'Human' ? 'user' : 'assistant', content: (parts[at + 1] ?? '').trim() })
  return turns
}

/** The value and the kind of a field that holds plain text, messages or a transcript. */
export const fieldOf = (value: unknown): readonly [value: unknown, kind: FieldKind] | null => {
  if (isMessages(value)) return [value, 'chat']
  if (!isText(value) || value === '') return null
  const turns = transcriptOf(value)
  return turns === null ? [value, 'text'] : [turns, 'chat']
}

const ANSWERS = ['chosen', 'rejected']
const PREFERRED: Suggested = { kind: 'comparison', value: 'chosen', labels: ANSWERS }
const PROMPTS = ['system', 'prompt', 'question', 'instruction', 'input']

const readPair = (row: Values): Item | Fault => {
  const missing = ANSWERS.find((name) => fieldOf(row.get(name)) === null)
  if (missing !== undefined) return { fault: message('partMissing', { part: missing }) }
  const names = [...PROMPTS.filter((name) => fieldOf(row.get(name)) !== null), ...ANSWERS]
  const fields = names.flatMap((name) => {
    const field = fieldOf(row.get(name))
    return field === null ? [] : [[name, ...field] as const]
  })
  const rest: readonly Part[] = restOf(row, ['id', ...names])
  return { ...idIn(row), fields, questions: [['preferred', PREFERRED]], data: rest }
}

/** Pairs of a chosen and a rejected answer. */
export const preference: ForeignReader = {
  format: 'preference',
  recognizes: (rows) => rows.every((row) => ANSWERS.every((name) => fieldOf(row.get(name)) !== null)),
  read: readPair,
}
