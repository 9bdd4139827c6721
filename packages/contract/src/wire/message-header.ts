import type { Message } from './message.ts'

/** The response header that contains the error's message as percent-encoded JSON, in addition to the sentence in the body. */
export const messageHeader = 'postil-error'

const maxHeaderLength = 2048

/** The value of the header. A message that would be too long is sent as its code only. */
export const printMessageHeader = (message: Message): string => {
  const value = encodeURIComponent(JSON.stringify(message))
  return value.length <= maxHeaderLength ? value : encodeURIComponent(JSON.stringify({ code: message.code }))
}
