import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { authenticationAddress, consumeLinking } from '#lib/providers.ts'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { ownOpener, sendToken } from '../handover.ts'
import { byProvider, handoverToken, isOutage, providerAnswerFrom, reasonOf, titleOf } from '../providers-api.ts'
import { AuthLayout } from './AuthLayout.tsx'
import buttons from './ProviderButtons.module.css'
import styles from './ProviderCallbackPage.module.css'
import { useSignIn } from './use-sign-in.ts'

const route = getRouteApi('/oauth/$provider/callback')

/** Completes the sign-in once: in this window, or in the frame that opened this window. */
const useProviderAnswer = (provider: string, query: { readonly [key: string]: unknown }) => {
  const { enter, error: refused } = useSignIn()
  const [isHandedOver, setHandedOver] = useState<'not' | 'done' | Error>('not')
  const [isLinking, setLinking] = useState(false)
  const sent = useRef(false)
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    const answer = providerAnswerFrom(query)
    const link = consumeLinking(provider)
    setLinking(link)
    const opener = ownOpener()
    if (isOutage(answer.error)) return
    if (opener === null) {
      void enter(byProvider(provider, answer, link))
      return
    }
    handoverToken(provider, answer).then(
      (token) => {
        sendToken(opener, token)
        setHandedOver('done')
        window.close()
      },
      (error: Error) => setHandedOver(error),
    )
  }, [provider, query, enter])
  return { error: isHandedOver instanceof Error ? isHandedOver : refused, isDone: isHandedOver === 'done', isLinking }
}

/** The page that an identity provider redirects back to. */
export const ProviderCallbackPage = () => {
  const { t } = useTranslation('features/auth')
  const { provider: name } = route.useParams()
  const query: { readonly [key: string]: unknown } = route.useSearch()
  const { providers } = route.useLoaderData()
  const { error, isDone, isLinking } = useProviderAnswer(name, query)
  const isProviderDown = isOutage(providerAnswerFrom(query).error)
  const provider = titleOf(name, providers)
  useDocumentTitle(t('signIn'))
  const reason = isProviderDown ? 'unreachable' : error && reasonOf(error)
  const problem = reason ? t(`problem.${reason}`, { provider }) : error && problemMessage(error)
  const state = isDone ? t('provider.done') : t('link.signingIn')
  return (
    <AuthLayout title={t('signIn')}>
      <div className={styles['state']}>
        <p role="status">{problem ? '' : state}</p>
        {problem && (
          <>
            <p>
              <ProblemText error={error} isAlert>
                {problem}
              </ProblemText>
            </p>
            {isLinking && (
              <Link to="/user-settings" className="standing">
                {t('provider.toSettings')}
              </Link>
            )}
            {!isLinking && reason !== 'unknown_provider' && (
              <a className={buttons['button']} href={authenticationAddress(name, '')}>
                {t('provider.again', { provider })}
              </a>
            )}
            {!isLinking && (
              <Link to="/sign-in" search={{ omitCTA: 'true' }} replace className="standing">
                {t('link.usePassword')}
              </Link>
            )}
          </>
        )}
      </div>
    </AuthLayout>
  )
}
