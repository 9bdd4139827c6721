import { useTranslation } from '#i18n/use-translation.ts'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import { Spinner } from '#ui/waiting/Spinner.tsx'
import styles from './PagePending.module.css'

/** Where a page will be whose code or data take their time: its title and what is below it. No landmark: focus goes to the page itself. */
export const PagePending = () => (
  <div aria-busy="true" className={styles['page']}>
    <Skeleton width="16rem" height="2rem" />
    <Skeleton height="8rem" />
    <Skeleton height="8rem" />
  </div>
)

/** The same of the annotation screen: the record, and the questions beside it. */
export const AnnotationPending = () => (
  <div aria-busy="true" className={styles['annotation']}>
    <Skeleton height="12rem" />
    <Skeleton height="12rem" />
  </div>
)

/** Before it is known who is there: of the page itself nothing can be kept the place of. */
export const SessionPending = () => {
  const { t } = useTranslation()
  return (
    <main id="main" tabIndex={-1} className={styles['session']}>
      <Spinner />
      <h1 className={styles['waiting']}>{t('connection.waiting')}</h1>
    </main>
  )
}
