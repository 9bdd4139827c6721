import { comparedFields, judgedOptions } from '@postil/contract/files/training-files.ts'
import { type AnswerForm, answerFormOf } from '@postil/contract/question-types/answer-form.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { FieldRow, QuestionRow } from '#features/schema/public.ts'
import { type Answer, answersTo, questionOf } from '../annotations.ts'
import type { ExportContext, FormatWriter } from '../context.ts'
import { jsonLines } from './json-lines.ts'
import { conversationOf, type Message, messagesIn, preferredGroups } from './messages.ts'

/** A text, or a conversation. */
type Content = string | readonly Message[]

const contentOf = (value: unknown): Content | null => (typeof value === 'string' && value !== '' ? value : messagesIn(value))

const asReply = (content: Content): readonly Message[] =>
  typeof content === 'string' ? [{ role: 'assistant', content }] : content

/** The prompt that consists of these fields: a string if all values are text, otherwise messages. Null if there are no fields. */
const promptOf = (fields: readonly FieldRow[], record: RecordPayload): Content | null => {
  const messages = conversationOf(fields, record.fields)
  const [only, ...others] = messages
  if (only === undefined) return null
  const isText =
    others.length === 0 &&
    typeof only.content === 'string' &&
    fields.every(({ name }) => messagesIn(record.fields[name]) === null)
  return isText ? (only.content as string) : messages
}

/** Returns a row's prompt and replies. If any of them consists of messages, all of them are converted to messages. */
const inOneForm = <T extends { readonly [key: string]: Content }>(prompt: Content | null, replies: T): object => {
  const isConversation = [prompt, ...Object.values(replies)].some((one) => one !== null && typeof one !== 'string')
  const promptPart = typeof prompt === 'string' && isConversation ? [{ role: 'user', content: prompt }] : prompt
  return {
    ...(promptPart !== null && { prompt: promptPart }),
    ...(isConversation ? Object.fromEntries(Object.entries(replies).map(([key, one]) => [key, asReply(one)])) : replies),
  }
}

type Pair = { readonly prompt: Content | null; readonly chosen: Content; readonly rejected: Content }

/** The pairs of a preferred and a rejected field that an answer implies. A tie implies no pairs. */
const pairsOf = (
  { record, value }: Answer,
  { fields }: ExportContext,
  form: AnswerForm,
  compared: ReadonlyMap<string, string>,
): readonly Pair[] => {
  const names = [...new Set(compared.values())]
  const [best = [], ...lower] = preferredGroups(form, value)
    .map((options) => options.flatMap((option) => compared.get(option) ?? []))
    .filter((group) => group.length > 0)
  const worse = form === 'order' ? lower.flat() : names.filter((name) => best.length > 0 && !best.includes(name))
  const prompt = promptOf(
    fields.filter(({ name }) => !names.includes(name)),
    record,
  )
  return best.flatMap((one) =>
    worse.flatMap((other) => {
      const [chosen, rejected] = [contentOf(record.fields[one]), contentOf(record.fields[other])]
      return chosen === null || rejected === null ? [] : [{ prompt, chosen, rejected }]
    }),
  )
}

/**
 * The keys that a comparison question adds to a pair. `margin`: 2 if the field is much better, otherwise 1. `n`: the number of
 * submitted answers to the record's question. `agreement`: the fraction of these answers that prefer the same field.
 */
const weightOf = ({ record, value }: Answer, { name, settings }: QuestionRow): object => {
  if (!('compare' in settings)) return {}
  const { options, strong } = settings.compare
  const preferred = (answer: unknown) => (typeof answer === 'string' && Object.hasOwn(options, answer) ? options[answer] : null)
  const answers = (record.responses ?? []).flatMap(({ status, values }) =>
    status === 'submitted' && values && Object.hasOwn(values, name) ? [preferred(values[name]?.value)] : [],
  )
  const equal = answers.filter((field) => field === preferred(value)).length
  return {
    margin: typeof value === 'string' && strong.includes(value) ? 2 : 1,
    n: answers.length,
    agreement: answers.length === 0 ? null : equal / answers.length,
  }
}

/** One pair per line: `prompt`, `chosen` and `rejected`, as strings or messages. The question compares fields of the record. */
export const dpo: FormatWriter = (context, { question: wanted, shape }) => {
  const question = questionOf(context, wanted, 'dpo')
  const form = answerFormOf(question.settings)
  const compared = comparedFields(question, context.fields)
  return jsonLines((record) =>
    answersTo(question.name, record, context, shape)
      .flatMap((answer) => pairsOf(answer, context, form, compared).map((pair) => ({ pair, weight: weightOf(answer, question) })))
      .map(({ pair: { prompt, ...replies }, weight }) => ({ ...inOneForm(prompt, replies), ...weight })),
  )
}

const COMPLETIONS = /^(completion|response|answer|output|reply|generation)$/i

/**
 * The prompt and the completion of a record. The completion is the field whose name matches `COMPLETIONS`, or else the last
 * field. If that field is a conversation, only its last reply is the completion.
 */
const completionOf = (
  record: RecordPayload,
  { fields }: ExportContext,
): { prompt: Content | null; completion: Content } | null => {
  const filled = fields.filter(({ name }) => contentOf(record.fields[name]) !== null)
  const field = filled.find(({ name }) => COMPLETIONS.test(name)) ?? filled.at(-1)
  if (field === undefined) return null
  const content = contentOf(record.fields[field.name])
  const others = filled.filter((one) => one !== field)
  if (typeof content === 'string') return { prompt: promptOf(others, record), completion: content }
  const messages = content ?? []
  if (messages.at(-1)?.role !== 'assistant') return null
  return { prompt: [...conversationOf(others, record.fields), ...messages.slice(0, -1)], completion: messages.slice(-1) }
}

/**
 * One completion per line: `prompt`, `completion`, and `label`, which says whether the completion is good. The question judges
 * the record, or it compares fields. Preferred fields are good, and the others are bad.
 */
export const kto: FormatWriter = (context, { question: wanted, shape }) => {
  const question = questionOf(context, wanted, 'kto')
  const form = answerFormOf(question.settings)
  const compared = comparedFields(question, context.fields)
  const judged = judgedOptions(question)
  const rowsOf = (answer: Answer): readonly object[] => {
    if (compared.size > 0) {
      const pairs = pairsOf(answer, context, form, compared)
      const rows = pairs.flatMap(({ prompt, chosen, rejected }) => [
        { ...inOneForm(prompt, { completion: chosen }), label: true },
        { ...inOneForm(prompt, { completion: rejected }), label: false },
      ])
      return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]
    }
    const label = judged.get(String(answer.value))
    const found = label === undefined ? null : completionOf(answer.record, context)
    return found === null ? [] : [{ ...inOneForm(found.prompt, { completion: found.completion }), label }]
  }
  return jsonLines((record) => answersTo(question.name, record, context, shape).flatMap(rowsOf))
}
