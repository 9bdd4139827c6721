import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { Suspense, use } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { signInToken } from '#lib/url/sign-in-link.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import type { Provider } from '../api.ts'
import { settingsQuery } from '../api.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { LinkSignIn } from './LinkSignIn.tsx'
import { PasswordForm } from './PasswordForm.tsx'

// Most servers have no identity providers, and every byte before the form counts.
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
