import type { ReasonPart } from '@postil/contract/wire/reason-part.ts'
import type { ReactNode } from 'react'
import { Suspense } from 'react'
import { hasText } from '#i18n/texts.ts'
import { useTranslation } from '#i18n/use-translation.ts'

/** What the server says of a failure: a sentence, and the codes that it is made of. */
export type Said = { readonly reason?: string | null; readonly reason_parts?: readonly ReasonPart[] }
type Props = { readonly of: Said; readonly children: (reason: string) => ReactNode }

const Translated = ({ of: { reason, reason_parts: parts = [] }, children }: Props) => {
  const { t, language } = useTranslation('features/jobs')
  const isKnown = parts.length > 0 && parts.every(({ code }) => hasText(`features/jobs:reason.${code}`))
  // The server's own sentence is English, and says most.
  if (!isKnown || language === 'en') return children(reason ?? '')
  const text = parts.reduceRight((inner, { code, params }) => t(`reason.${code}`, { ...params, reason: inner }), '')
  return children(text.charAt(0).toLocaleUpperCase(language) + text.slice(1))
}

/** Gives a reason in the language of the page: the server's sentence where it has no code, or until the texts are there. */
export const WithReason = (props: Props) => (
  <Suspense fallback={props.children(props.of.reason ?? '')}>
    <Translated {...props} />
  </Suspense>
)
