import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { problemMessage } from '#lib/api/messages.ts'
import { useDocumentTitle } from '#ui/use-document-title.ts'
import { AuthLayout } from './AuthLayout.tsx'
import styles from './LinkSignIn.module.css'
import { useSignIn } from './use-sign-in.ts'

const route = getRouteApi('/oauth/$provider/callback')

/** Where an identity provider sends its visitor back to. */
export const ProviderCallbackPage = () => {
  const { t } = useTranslation('features/auth')
  const { provider } = route.useParams()
  const query: { readonly [key: string]: unknown } = route.useSearch()
  const { enter, error } = useSignIn()
  const sent = useRef(false)
  useDocumentTitle(t('signIn'))
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    void enter({ kind: 'provider', provider, query })
  }, [provider, query, enter])
  return (
    <AuthLayout title={t('signIn')}>
      <div className={styles['state']}>
        <p role="status">{error ? '' : t('link.signingIn')}</p>
        {error && (
          <>
            <p role="alert">{problemMessage(error)}</p>
            <Link to="/sign-in" search={{ omitCTA: 'true' }} replace>
              {t('link.usePassword')}
            </Link>
          </>
        )}
      </div>
    </AuthLayout>
  )
}
