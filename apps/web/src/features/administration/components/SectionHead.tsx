import type { ReactNode } from 'react'
import { formatCount } from '#i18n/format.ts'
import styles from './AdministrationPage.module.css'

type Props = {
  readonly title: string
  /** How many there are, once that is known. */
  readonly count?: number | undefined
  readonly children?: ReactNode
}

/** The heading of a section, by which its list is named too, and what can be done there. */
export const SectionHead = ({ title, count, children }: Props) => (
  <div className={styles['head']}>
    <h2 id="section-title" className={styles['sectionTitle']}>
      {title} {count !== undefined && <span className={styles['count']}>{formatCount(count)}</span>}
    </h2>
    {children}
  </div>
)
