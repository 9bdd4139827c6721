import type { CodedMessage } from '@postil/client/coded-message.ts'
import type { ReasonPart } from '@postil/contract/wire/reason-part.ts'
import { formatAgo } from '#i18n/format.ts'
import { hasText, translate } from '#i18n/texts.ts'
import type { Rejection } from '#lib/outbox/types.ts'
import { ApiError } from './api-error.ts'
import { faultText, fieldFaults } from './field-faults.ts'

type TranslateMessage = (message: CodedMessage) => string | null
let translateMessage: TranslateMessage = () => null

/** Sets the function that translates the server's messages. The function returns null for unknown messages. */
export const setMessageTranslator = (next: TranslateMessage): void => {
  translateMessage = next
}

/** Returns a message's translation, or the server's English sentence if there is none. */
const messageOr = (coded: CodedMessage | null | undefined, detail: string): string => (coded && translateMessage(coded)) ?? detail

/** Returns the translation of a sentence that a response contains as codes, or the English sentence if there is none. */
export const codedText = (parts: readonly ReasonPart[], detail: string): string => {
  const coded = parts.reduceRight<CodedMessage | null>(
    (reason, { code, params }) => ({ code, params, ...(reason && { reason }) }),
    null,
  )
  return messageOr(coded, detail)
}

const notFound = 404

/** Returns why an answer was rejected, in the UI language if possible, or null if the server gave no reason. */
export const reasonMessage = ({ status, reason, coded }: Omit<Rejection, 'kind'>): string | null => {
  // The only thing that a request with an answer looks up is the record, so 404 means that the record is gone.
  if (status === notFound) return translate('unsent.recordGone')
  return reason === null ? null : messageOr(coded, reason)
}

const minute = 60

/**
 * Formats the wait before the next attempt in whole minutes. Rounds up, because an attempt that is made too early would be
 * rejected again.
 */
const retryTime = (seconds: number): string => {
  const now = Date.now()
  return formatAgo(new Date(now + Math.ceil(seconds / minute) * minute * 1000).toISOString(), now)
}

/**
 * Returns the message to show for an error. Uses the first of these messages that exists:
 * - If the server can't be reached and the error has no business code, the message for an unreachable server.
 * - If the server requires the client to wait for more than a minute, the time at which the user can try again.
 * - The translation for the error's status.
 * - The translation for the error's business code.
 * - The server's detail.
 * - A message about the first rejected field.
 * - The message for status 500.
 */
export const problemMessage = (error: unknown): string => {
  const { status, code, detail, coded, retryAfter } =
    error instanceof ApiError ? error : { status: 500, code: null, detail: null, coded: null, retryAfter: null }
  if (status === 0 && code === null) return translate('validations.http.unreachable.message')
  if (status === 429 && retryAfter !== null && retryAfter > minute)
    return translate('validations.http.429.wait', { when: retryTime(retryAfter) })
  if (hasText(`validations.http.${status}.message`)) return translate(`validations.http.${status}.message`)
  if (hasText(`validations.businessLogic.${code}.message`)) return translate(`validations.businessLogic.${code}.message`)
  if (detail !== null) return messageOr(coded, detail)
  const [fault] = fieldFaults(error)
  return fault ? translate('validations.field', { fault: faultText(fault) }) : translate('validations.http.500.message')
}
