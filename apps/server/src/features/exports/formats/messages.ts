import type { AnswerValue, RankingItem, Span } from '@postil/contract/answer-value.ts'
import type { AnswerForm } from '@postil/contract/question-types/answer-form.ts'
import { isJsonObject, type JsonValue } from '@postil/contract/wire/json.ts'
import type { FieldRow } from '#features/schema/public.ts'
import { serverFieldType } from '#field-types/registry.ts'

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
export type Message = { readonly role: string; readonly content: string | readonly Part[] }
type Fields = { readonly [name: string]: unknown }

/** The roles that fine-tuning programs know. Messages with other roles become user messages. */
const ROLES: { readonly [role: string]: string } = {
  system: 'system',
  developer: 'system',
  assistant: 'assistant',
  gpt: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  ai: 'assistant',
}

/** The messages of a conversation, or null for any other value. */
export const messagesIn = (value: unknown): readonly Message[] | null => {
  if (!Array.isArray(value) || value.length === 0) return null
  const found = (value as readonly unknown[]).flatMap((one) => {
    if (!isJsonObject(one) || typeof one['role'] !== 'string' || typeof one['content'] !== 'string') return []
    return [{ role: ROLES[one['role'].toLowerCase()] ?? 'user', content: one['content'] }]
  })
  return found.length === value.length ? found : null
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value as JsonValue))

/** Fields that are not conversations, as one message. If several fields contain text, each text follows its field's title. */
const messageOf = (fields: readonly FieldRow[], values: Fields): readonly Message[] => {
  if (fields.length === 0) return []
  const texts = fields.filter(({ settings }) => !serverFieldType(settings).holdsImages)
  const images = fields.filter(({ settings }) => serverFieldType(settings).holdsImages)
  const text = texts
    .map(({ name, title }) => (texts.length === 1 ? textOf(values[name]) : `${title}:\n${textOf(values[name])}`))
    .join('\n\n')
  if (images.length === 0) return [{ role: 'user', content: text }]
  const parts: Part[] = images.map(({ name }) => ({ type: 'image_url', image_url: { url: textOf(values[name]) } }))
  return [{ role: 'user', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...parts] }]
}

/**
 * The fields of a record as a conversation. The first message contains the fields that aren't conversations. The messages of the
 * other fields follow.
 */
export const conversationOf = (fields: readonly FieldRow[], values: Fields): readonly Message[] => {
  const filled = fields.filter(({ name }) => values[name] !== undefined && values[name] !== null && values[name] !== '')
  const chats = filled.flatMap(({ name }) => messagesIn(values[name]) ?? [])
  return [
    ...messageOf(
      filled.filter(({ name }) => messagesIn(values[name]) === null),
      values,
    ),
    ...chats,
  ]
}

/** Options from most to least preferred, in groups of equally preferred options. */
export const preferredGroups = (form: AnswerForm, value: AnswerValue): readonly (readonly string[])[] => {
  if (form !== 'order') return [[String(value)]]
  const places = value as readonly RankingItem[]
  const groups = Map.groupBy(places, ({ rank }) => rank ?? Number.POSITIVE_INFINITY)
  return [...groups].toSorted(([a], [b]) => a - b).map(([, equal]) => equal.map((place) => place.value))
}

/** An answer as the text that a model should write. @param text for spans: the text that contains them */
export const answerText = (form: AnswerForm, value: AnswerValue, text: string): string => {
  if (form === 'labels') return (value as readonly string[]).join(', ')
  if (form === 'order')
    return preferredGroups(form, value)
      .map((equal) => equal.join(' = '))
      .join(' > ')
  if (form !== 'spans') return String(value)
  const characters = Array.from(text)
  const marked = (value as readonly Span[]).map(({ start, end, label }) => ({
    text: characters.slice(start, end).join(''),
    label,
  }))
  return JSON.stringify(marked)
}
