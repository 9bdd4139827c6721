import type { Message } from './message.ts'

/** The response header that has the message of an error as percent-encoded JSON, next to the sentence in the body. */
export const messageHeader = 'postil-error'

const maxHeaderLength = 2048

/** The value of the header. A message that would be too long is sent as its code only. */
export const printMessageHeader = (message: Message): string => {
  const value = encodeURIComponent(JSON.stringify(message))
  return value.length <= maxHeaderLength ? value : encodeURIComponent(JSON.stringify({ code: message.code }))
}
