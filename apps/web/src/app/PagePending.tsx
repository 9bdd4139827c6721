import { useTranslation } from '#i18n/use-translation.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { Spinner } from '#ui/loading/Spinner.tsx'
import styles from './PagePending.module.css'

/**
 * The placeholder for a page whose code or data is loading. It shows the outline of a title with content below. It isn't the main
 * landmark. Otherwise, it would get the focus instead of the loaded page.
 */
export const PagePending = () => (
  <div aria-busy="true" className={styles['page']}>
    <Skeleton width="16rem" height="2rem" />
    <Skeleton height="8rem" />
    <Skeleton height="8rem" />
  </div>
)

export const AnnotationPending = () => (
  <div aria-busy="true" className={styles['annotation']}>
    <Skeleton height="12rem" />
    <Skeleton height="12rem" />
  </div>
)

/** Shown until the session is known. Until then, no part of the page can show a placeholder. */
export const SessionPending = () => {
  const { t } = useTranslation()
  return (
    <main id="main" tabIndex={-1} className={styles['session']}>
      <Spinner />
      <h1 className={styles['waiting']}>{t('connection.waiting')}</h1>
    </main>
  )
}
