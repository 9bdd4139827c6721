import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { Suspense, use, useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { signInToken } from '#lib/url/sign-in-link.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import type { Provider } from '../api.ts'
import { byLink, settingsQuery } from '../api.ts'
import { AuthLayout } from './AuthLayout.tsx'
import styles from './LinkSignIn.module.css'
import { PasswordForm } from './PasswordForm.tsx'
import { useSignIn } from './use-sign-in.ts'

/** Signs in with a one-time link. A script uses the link, so a link preview doesn't use it up unless it runs scripts. */
const LinkSignIn = ({ token }: { readonly token: string }) => {
  const { t } = useTranslation('features/auth')
  const { enter, error } = useSignIn()
  const isLinkUsed = useRef(false)
  useEffect(() => {
    if (isLinkUsed.current) return
    isLinkUsed.current = true
    void enter(byLink(token))
  }, [token, enter])
  return (
    <div className={styles['state']}>
      <p role="status">{error ? '' : t('link.signingIn')}</p>
      {error && (
        <>
          <p role="alert">
            {error instanceof ApiError && error.status > 0 && error.status < 500 ? t('link.used') : problemMessage(error)}
          </p>
          <Link to="/sign-in" search={{ omitCTA: 'true' }} replace className="standing">
            {t('link.usePassword')}
          </Link>
        </>
      )}
    </div>
  )
}

// Loaded separately, because most servers have no identity providers and the form must load fast.
const ProviderButtons = lazyPart(() => import('./ProviderButtons.tsx').then((module) => ({ default: module.ProviderButtons })))

const DemoButton = lazyPart(() => import('./DemoButton.tsx').then((module) => ({ default: module.DemoButton })))

const route = getRouteApi('/sign-in')

export const SignInPage = () => {
  const { t } = useTranslation('features/auth')
  const { link } = route.useSearch()
  const { providers } = route.useLoaderData()
  const { demo } = useQueryClient().getQueryData(settingsQuery().queryKey) ?? {}
  const token = signInToken(useLocation({ select: ({ hash }) => hash }), link)
  useDocumentTitle(t('signIn'))
  return (
    <AuthLayout title={t('signIn')}>
      {token === null ? (
        <>
          <PasswordForm />
          <Suspense>
            {demo && <DemoButton username={demo.username} />}
            <Providers known={providers} />
          </Suspense>
        </>
      ) : (
        <LinkSignIn token={token} />
      )}
    </AuthLayout>
  )
}

/** The form does not wait for identity providers. */
const Providers = ({ known }: { readonly known: Promise<readonly Provider[]> }) => {
  const providers = use(known)
  return providers.length > 0 && <ProviderButtons providers={providers} />
}
