import { Skeleton } from '#ui/Skeleton.tsx'
import styles from './PagePending.module.css'

/** Where a page will be whose code or data take their time: its title and what is below it. */
export const PagePending = () => (
  <main id="main" tabIndex={-1} aria-busy="true" className={styles['page']}>
    <Skeleton width="16rem" height="2rem" />
    <Skeleton height="8rem" />
    <Skeleton height="8rem" />
  </main>
)
