import type { ReasonPart } from '@postil/contract/wire/reason-part.ts'
import type { ReactNode } from 'react'
import { Suspense } from 'react'
import { hasText } from '#i18n/texts.ts'
import { useTranslation } from '#i18n/use-translation.ts'

/** The reason for a failure as the server reports it: as an English sentence, and as the codes of the sentence's parts. */
type Said = { readonly reason?: string | null; readonly reason_parts?: readonly ReasonPart[] }
type Props = { readonly of: Said; readonly children: (reason: string) => ReactNode }

const Translated = ({ of: { reason, reason_parts: parts = [] }, children }: Props) => {
  const { t, language } = useTranslation('features/jobs')
  const isKnown = parts.length > 0 && parts.every(({ code }) => hasText(`features/jobs:reason.${code}`))
  if (!isKnown) return children(reason ?? '')
  const text = parts.reduceRight((inner, { code, params }) => t(`reason.${code}`, { ...params, reason: inner }), '')
  return children(text.charAt(0).toLocaleUpperCase(language) + text.slice(1))
}

/**
 * Renders a failure reason in the UI language. Uses the server's sentence if the reason has no code, and until the messages
 * have loaded.
 */
export const FailureReason = (props: Props) => (
  <Suspense fallback={props.children(props.of.reason ?? '')}>
    <Translated {...props} />
  </Suspense>
)
