import { readRefusal } from '@postil/contract/wire/refusals.ts'
import { preloadMessages } from '#i18n/setup.ts'
import { hasText, translate } from '#i18n/texts.ts'

/** Parameters whose words are the server's own and not somebody's names. */
const spoken = new Set(['part', 'parts', 'action'])

/** A name that the server prints as JSON has the quotation marks of the language. */
const quoted = (value: string): string => {
  if (!/^".*"$/s.test(value)) return value
  try {
    return translate('features/refusals:quoted', { name: JSON.parse(value) })
  } catch {
    return value
  }
}

/** A sentence of the server's in the language of the page; null for one that has no code, or no text here. */
const say = (sentence: string): string | null => {
  const found = readRefusal(sentence)
  if (found === null || !hasText(`features/refusals:refusal.${found.code}`)) return null
  const params = Object.entries(found.params).map(([name, value]) => {
    const isWord = spoken.has(name) && hasText(`features/refusals:word.${value}`)
    return [name, isWord ? translate(`features/refusals:word.${value}`) : quoted(value)]
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

/** Loads what refusals and the reasons that they may end are said with in the language of the page. @returns how a sentence is said in it */
export const loadRefusals = async (): Promise<typeof say> => {
  await preloadMessages('features/refusals', 'features/jobs')
  return say
}
