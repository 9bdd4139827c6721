import type { AnswerValue, AnswerValues } from './answer-value.ts'
import { type Message, message } from './wire/message.ts'

const encoder = new TextEncoder()
/** A UTF-16 unit needs at most three bytes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3

/** The size of values as JSON, in bytes. */
const bytesOf = (values: AnswerValues | AnswerValue, limit: number): number => {
  const text = JSON.stringify(values)
  return text.length * MAX_BYTES_PER_UNIT <= limit ? text.length : encoder.encode(text).length
}

/** Checks the size of an answer or of a suggested value. @param limit maximum number of bytes when serialized as JSON */
export const answerSizeFault = (values: AnswerValues | AnswerValue | null | undefined, limit: number): Message | null => {
  if (values === null || values === undefined) return null
  const size = bytesOf(values, limit)
  return size > limit ? message('answerTooLarge', { size, limit }) : null
}
