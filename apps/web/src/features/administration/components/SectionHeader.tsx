import type { ReactNode } from 'react'
import { formatCount } from '#i18n/format.ts'
import styles from './AdministrationPage.module.css'

type Props = {
  readonly title: string
  /** The number of items, once known. */
  readonly count?: number | undefined
  readonly children?: ReactNode
}

/** A section's heading, which also labels its list, and the section's actions. */
export const SectionHeader = ({ title, count, children }: Props) => (
  <div className={styles['head']}>
    <h2 id="section-title" className={styles['sectionTitle']}>
      {title} {count !== undefined && <span className={styles['count']}>{formatCount(count)}</span>}
    </h2>
    {children}
  </div>
)
