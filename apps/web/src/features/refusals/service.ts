import { readRefusal } from '@postil/contract/wire/refusals.ts'
import { preloadMessages } from '#i18n/setup.ts'
import { hasText, translate } from '#i18n/texts.ts'

/** Parameters whose values are words of the server, not names that users chose. */
const translateReason = new Set(['part', 'parts', 'action'])

/** Puts a name that the server prints as JSON into the quotation marks of the page's language. */
const quotedParam = (value: string): string => {
  if (!/^".*"$/s.test(value)) return value
  try {
    return translate('features/refusals:quoted', { name: JSON.parse(value) })
  } catch {
    return value
  }
}

/** Translates a sentence of the server. Null if it has no code or no message here. */
const translateRefusal = (sentence: string): string | null => {
  const found = readRefusal(sentence)
  if (found === null || !hasText(`features/refusals:refusal.${found.code}`)) return null
  const params = Object.entries(found.params).map(([name, value]) => {
    const isWord = translateReason.has(name) && hasText(`features/refusals:word.${value}`)
    return [name, isWord ? translate(`features/refusals:word.${value}`) : quotedParam(value)]
  })
  const isKnown = found.reason.length > 0 && found.reason.every(({ code }) => hasText(`features/jobs:reason.${code}`))
  const reason = isKnown
    ? found.reason.reduceRight(
        (inner, part) => translate(`features/jobs:reason.${part.code}`, { ...part.params, reason: inner }),
        '',
      )
    : found.params.reason
  const values: { [name: string]: string } = { ...Object.fromEntries(params), ...(reason !== undefined && { reason }) }
  return translate(`features/refusals:refusal.${found.code}`, values)
}

/**
 * Loads the messages for errors and for the reasons that they may end with, in the language of the page. @returns the function
 * that translates a sentence
 */
export const loadRefusals = async (): Promise<typeof translateRefusal> => {
  await preloadMessages('features/refusals', 'features/jobs')
  return translateRefusal
}
