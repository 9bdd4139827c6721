import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from '#i18n/use-translation.ts'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { ProviderButtons } from './ProviderButtons.tsx'
import styles from './ProviderCallbackPage.module.css'

const route = getRouteApi('/welcome-hf-sign-in')

/** On a hosted Space, the Space's own sign-in comes first. */
export const HostingSignInPage = () => {
  const { t } = useTranslation('features/auth')
  const { providers } = route.useLoaderData()
  useDocumentTitle(t('signIn'))
  return (
    <AuthLayout title={t('signIn')}>
      <div className={styles['state']}>
        <ProviderButtons providers={providers} />
        <Link to="/sign-in" search={{ omitCTA: 'true' }} className="standing">
          {t('link.usePassword')}
        </Link>
      </div>
    </AuthLayout>
  )
}
