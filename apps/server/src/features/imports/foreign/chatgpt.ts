import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { type Message, messageOf } from '#field-types/chat-messages.ts'
import type { ForeignReader, Values } from './define.ts'
import { isFilled, isText, textIn, unfolded } from './values.ts'

const isNode = (value: unknown): value is JsonObject => isJsonObject(value) && 'message' in value && 'parent' in value

const nodesIn = (row: Values): ReadonlyMap<string, JsonObject> | null => {
  const mapping = row.get('mapping')
  if (!isJsonObject(mapping)) return null
  const nodes = Object.entries(mapping)
  return nodes.length > 0 && nodes.every(([, node]) => isNode(node)) ? (new Map(nodes) as ReadonlyMap<string, JsonObject>) : null
}

const childrenOf = (node: JsonObject | undefined): readonly string[] => {
  const children = node?.['children']
  return Array.isArray(children) ? children.filter(isText) : []
}

/**
 * The last node of the conversation: the current node. If the file doesn't name a current node, the end of the path from the root
 * through the newest answers.
 */
const lastOf = (row: Values, nodes: ReadonlyMap<string, JsonObject>): string | undefined => {
  const current = textIn(row.get('current_node'))
  if (current !== undefined && nodes.has(current)) return current
  const seen = new Set<string>()
  let at = [...nodes].find(([, { parent }]) => !isText(parent) || !nodes.has(parent))?.[0]
  while (at !== undefined && !seen.has(at)) {
    seen.add(at)
    const next = childrenOf(nodes.get(at)).findLast((id) => nodes.has(id))
    if (next === undefined) return at
    at = next
  }
  return at
}

/** The nodes from the root to the last one. */
const pathOf = (row: Values, nodes: ReadonlyMap<string, JsonObject>): readonly JsonObject[] => {
  const path = new Map<string, JsonObject>()
  for (let at = lastOf(row, nodes); at !== undefined && !path.has(at); ) {
    const node = nodes.get(at)
    if (node === undefined) break
    path.set(at, node)
    at = textIn(node['parent'])
  }
  return [...path.values()].reverse()
}

/** A message. Null if the message has no text or if ChatGPT hides it. */
const messageIn = ({ message: sent }: JsonObject): Message | null => {
  if (!isJsonObject(sent)) return null
  const { author, content, metadata } = sent
  if (isJsonObject(metadata) && metadata['is_visually_hidden_from_conversation'] === true) return null
  const role = isJsonObject(author) ? textIn(author['role']) : undefined
  if (role === undefined || !isJsonObject(content)) return null
  const { parts, text, result } = content
  const shown = messageOf({ role, content: Array.isArray(parts) ? parts : (text ?? result ?? '') })
  return shown.content.trim() === '' ? null : shown
}

const USED = ['mapping', 'current_node', 'id', 'conversation_id', 'title', 'create_time', 'update_time', 'default_model_slug']

/** Conversations exported from ChatGPT. Each conversation is a tree. Only its current branch is read. */
export const chatgpt: ForeignReader = {
  format: 'chatgpt',
  recognizes: (rows) => rows.every((row) => nodesIn(row) !== null),
  read: (row) => {
    const nodes = nodesIn(row)
    const path = nodes === null ? [] : pathOf(row, nodes)
    const chat = path.flatMap((node) => messageIn(node) ?? [])
    if (nodes === null || chat.length === 0) return { fault: message('partMissing', { part: 'mapping' }) }
    const created = row.get('create_time')
    const others = [...row].flatMap(([name, value]) => (!USED.includes(name) && isFilled(value) ? [name] : []))
    const model = textIn(row.get('default_model_slug'))
    return {
      id: textIn(row.get('conversation_id')) ?? textIn(row.get('id')),
      fields: [['conversation', chat, 'chat']],
      metadata: unfolded({
        title: textIn(row.get('title')) ?? null,
        ...(typeof created === 'number' && { created_at: new Date(created * 1000).toISOString() }),
        ...(model !== undefined && { model }),
      }),
      leftOut: [
        ...(path.length < nodes.size ? [{ part: 'mapping: other branches', reason: 'further' as const }] : []),
        ...others.map((part) => ({ part, reason: 'technical' as const })),
      ],
    }
  },
}
