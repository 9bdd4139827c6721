import { formatAgo } from '#i18n/format.ts'
import { hasText, translate } from '#i18n/texts.ts'
import { ApiError } from './api-error.ts'
import { fieldFaults, sayFault } from './field-faults.ts'

type Say = (detail: string) => string | null
let say: Say = () => null

/** From now on the server's own sentences, which are English, are said by `next`, where it knows them. */
export const saySentencesBy = (next: Say): void => {
  say = next
}

const notFound = 404

/** Why an answer was refused, in the language of the page where that is known. null when the server gave no reason. */
export const reasonMessage = ({ status, reason }: { readonly status: number; readonly reason: string | null }): string | null => {
  // An answer names nothing but its record.
  if (status === notFound) return translate('unsent.recordGone')
  return reason === null ? null : (say(reason) ?? reason)
}

const minute = 60

/** When it is worth another try, in whole minutes, none too few: whoever tries sooner is refused again. */
const whenAgain = (seconds: number): string => {
  const now = Date.now()
  return formatAgo(new Date(now + Math.ceil(seconds / minute) * minute * 1000).toISOString(), now)
}

/**
 * The one sentence that a problem gets: the translation of its status, else of its business code, else the server's own detail, else the
 * first field that is wrong, where the form has no place of its own for it, else that of 500, which also stands for every error without a
 * status. Of a server out of reach the code says more, where there is one.
 */
export const problemMessage = (error: unknown): string => {
  const { status, code, detail, retryAfter } =
    error instanceof ApiError ? error : { status: 500, code: null, detail: null, retryAfter: null }
  if (status === 0 && code === null) return translate('validations.http.unreachable.message')
  if (status === 429 && retryAfter !== null && retryAfter > minute)
    return translate('validations.http.429.wait', { when: whenAgain(retryAfter) })
  if (hasText(`validations.http.${status}.message`)) return translate(`validations.http.${status}.message`)
  if (hasText(`validations.businessLogic.${code}.message`)) return translate(`validations.businessLogic.${code}.message`)
  if (detail !== null) return say(detail) ?? detail
  const [fault] = fieldFaults(error)
  return fault ? translate('validations.field', { fault: sayFault(fault) }) : translate('validations.http.500.message')
}
