import { answerFormOf } from '@postil/contract/question-types/answer-form.ts'
import { answersTo, questionOf } from '../annotations.ts'
import type { FormatWriter } from '../context.ts'
import { jsonLines } from './json-lines.ts'
import { answerText, conversationOf, type Message } from './messages.ts'
import { askedText } from './texts.ts'

/** Removes the model's messages from the end of a conversation. */
const withoutLastReply = (messages: readonly Message[]): readonly Message[] =>
  messages.slice(0, messages.findLastIndex(({ role }) => role !== 'assistant') + 1)

const contentText = ({ content }: Message): string => (typeof content === 'string' ? content : JSON.stringify(content))

/** Joins the messages of a conversation into one message, for answers about the whole conversation. */
const asTranscript = (messages: readonly Message[]): readonly Message[] => [
  { role: 'user', content: messages.map((one) => `${one.role}: ${contentText(one)}`).join('\n\n') },
]

/**
 * Writes one line for each annotation. A line contains a conversation: the record's fields, followed by the answer as the model's
 * reply. If the record's conversation already ends with a reply of the model, the result depends on the answer:
 * - A text answer replaces this reply.
 * - Any other answer is about the whole conversation, so the conversation is written as one message.
 */
export const openai: FormatWriter = (context, { question: wanted, shape }) => {
  const question = questionOf(context, wanted, 'openai')
  const form = answerFormOf(question.settings)
  const asked = (messages: readonly Message[]): readonly Message[] => {
    if (messages.at(-1)?.role !== 'assistant') return messages
    return form === 'text' ? withoutLastReply(messages) : asTranscript(messages)
  }
  return jsonLines((record) =>
    answersTo(question.name, record, context, shape).flatMap(({ value }) => {
      const messages = asked(conversationOf(context.fields, record.fields))
      if (messages.length === 0) return []
      const content = answerText(form, value, askedText(question, record, context))
      return [{ messages: [...messages, { role: 'assistant', content }] }]
    }),
  )
}
