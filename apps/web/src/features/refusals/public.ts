import type { CodedMessage } from '@postil/client/coded-message.ts'
import { preloadMessages } from '#i18n/setup.ts'
import { hasText, translate } from '#i18n/texts.ts'

/** Parameters whose values are server terms, not names that users chose. */
const translatedParams = new Set(['part', 'parts', 'action'])

/** Takes a name that the server prints as JSON and puts it in the UI language's quotation marks. */
const quotedParam = (value: string): string => {
  if (!/^".*"$/s.test(value)) return value
  try {
    return translate('features/refusals:quoted', { name: JSON.parse(value) })
  } catch {
    return value
  }
}

/** Fills in the message for a code. Null if the web app doesn't know the code, because the server is newer. */
const translateCode = (code: string, values: { readonly [name: string]: string }): string | null => {
  if (hasText(`features/refusals:refusal.${code}`)) return translate(`features/refusals:refusal.${code}`, values)
  return hasText(`features/jobs:reason.${code}`) ? translate(`features/jobs:reason.${code}`, values) : null
}

/** Translates a server message. Null if part of it has no translation here, or if the server sent only its code. */
const translateMessage = ({ code, params, reason }: CodedMessage): string | null => {
  if (params === undefined) return null
  const inner = typeof reason === 'object' ? translateMessage(reason) : (reason ?? '')
  if (inner === null) return null
  const values = Object.entries(params).map(([name, value]) => {
    const isWord = translatedParams.has(name) && hasText(`features/refusals:word.${value}`)
    return [name, isWord ? translate(`features/refusals:word.${value}`) : quotedParam(value)]
  })
  return translateCode(code, { ...Object.fromEntries(values), reason: inner })
}

/**
 * Loads the error messages in the UI language, including the reasons that can follow them. @returns the function that translates
 * a message
 */
export const loadRefusals = async (): Promise<typeof translateMessage> => {
  await preloadMessages('features/refusals', 'features/jobs')
  return translateMessage
}
