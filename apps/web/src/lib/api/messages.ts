import { hasText, translate } from '#i18n/texts.ts'
import { ApiError } from './api-error.ts'

type Say = (detail: string) => string | null
let say: Say = () => null

/** From now on the server's own sentences, which are English, are said by `next`, where it knows them. */
export const saySentencesBy = (next: Say): void => {
  say = next
}

/**
 * The one sentence that a problem gets: the translation of its status, else of its business code, else the server's own
 * detail, else that of 500, which also stands for every error without a status.
 */
export const problemMessage = (error: unknown): string => {
  const { status, code, detail } = error instanceof ApiError ? error : { status: 500, code: null, detail: null }
  if (status === 0) return translate('validations.http.unreachable.message')
  if (hasText(`validations.http.${status}.message`)) return translate(`validations.http.${status}.message`)
  if (hasText(`validations.businessLogic.${code}.message`)) return translate(`validations.businessLogic.${code}.message`)
  return (detail === null ? null : (say(detail) ?? detail)) ?? translate('validations.http.500.message')
}
