import type { ReactNode } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { type Sheet, toCsv } from './csv.ts'
import styles from './parts.module.css'

type Props = {
  readonly title: string
  readonly hint?: ReactNode
  /** What is copied as CSV; null if there is nothing to copy. */
  readonly sheet: Sheet | null
  readonly level?: 2 | 3
  readonly tools?: ReactNode
  readonly children: ReactNode
}

/** A chart or table with its title. */
export const Panel = ({ title, hint, sheet, level = 2, tools, children }: Props) => {
  const { t } = useTranslation('features/overview')
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className={styles['panel']} data-level={level}>
      <div className={styles['head']}>
        <div className={styles['titles']}>
          <Heading className={styles['title']}>
            <bdi>{title}</bdi>
          </Heading>
          {hint && <p className={styles['hint']}>{hint}</p>}
        </div>
        <div className={styles['tools']}>
          {tools}
          {sheet && <CopyButton label={t('copyCsv', { title })} text={toCsv(sheet)} />}
        </div>
      </div>
      {children}
    </div>
  )
}

/** A table that scrolls sideways in a narrow window. */
export const TableScroller = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
  <section className={styles['scroller']} aria-label={label} tabIndex={0}>
    {children}
  </section>
)

/** The class of the tables in panels. */
export const tableClass = styles['table']

/** A bar behind or next to a number. Hidden from screen readers, because the number gives the same information. */
export const ShareBar = ({ share }: { readonly share: number }) => (
  <span className={styles['track']} aria-hidden="true">
    <span style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} />
  </span>
)
