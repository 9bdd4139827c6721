import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import styles from './HomePage.module.css'

/** Warns that a hosted space without persistent storage loses its data when it restarts, and says what the reader can do. */
export const StorageNotice = ({ spaceId }: { readonly spaceId: string }) => {
  const { t } = useTranslation('features/home')
  const isAnnotator = useUser().role === 'annotator'
  return (
    <div className={styles['storage']}>
      <Notice kind="warning">
        {t('storage.lost')}{' '}
        {isAnnotator ? (
          t('storage.ask')
        ) : (
          <a href={`https://huggingface.co/spaces/${spaceId}/settings`} target="_blank" rel="noreferrer">
            {t('storage.enable')}
          </a>
        )}
      </Notice>
    </div>
  )
}
