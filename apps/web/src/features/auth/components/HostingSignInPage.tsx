import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useDocumentTitle } from '#ui/use-document-title.ts'
import { AuthLayout } from './AuthLayout.tsx'
import styles from './LinkSignIn.module.css'
import { ProviderButtons } from './ProviderButtons.tsx'

const hosting = [{ name: 'huggingface' }]

/** Inside a hosted space its own way of signing in comes first. */
export const HostingSignInPage = () => {
  const { t } = useTranslation('features/auth')
  useDocumentTitle(t('signIn'))
  return (
    <AuthLayout title={t('signIn')}>
      <div className={styles['state']}>
        <ProviderButtons providers={hosting} />
        <Link to="/sign-in" search={{ omitCTA: 'true' }}>
          {t('link.usePassword')}
        </Link>
      </div>
    </AuthLayout>
  )
}
