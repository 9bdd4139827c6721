import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'

const isText = (value: unknown): value is string => typeof value === 'string'
const isFilled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

export type Message = { readonly role: string; readonly content: string }

/** A value as a JSON code block, which the web app shows as code. */
const asJson = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

/** Converts a part of a message to text: strings stay unchanged, images become Markdown, and everything else becomes JSON. */
const partText = (part: unknown): string => {
  if (typeof part === 'string') return part
  if (!isJsonObject(part)) return asJson(part)
  if (isText(part['text'])) return part['text']
  const image = part['image_url']
  const url = isJsonObject(image) ? image['url'] : image
  return isText(url) && /^https?:/.test(url) ? `![](${url})` : asJson(part)
}

const contentText = (content: unknown): string => {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map(partText).join('\n\n') : partText(content)
}

/** Converts a message in the OpenAI format. Tool calls are appended to the text as JSON. */
export const messageOf = ({ role, content, tool_calls: calls, function_call: call }: JsonObject): Message => {
  const parts = [contentText(content), ...[calls, call].filter(isFilled).map(asJson)]
  return { role: String(role), content: parts.filter((part) => part !== '').join('\n\n') }
}

const isMessage = (value: JsonObject): boolean =>
  isText(value['role']) && ('content' in value || 'tool_calls' in value || 'function_call' in value)
export const isMessages = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every((one: unknown) => isJsonObject(one) && isMessage(one))
