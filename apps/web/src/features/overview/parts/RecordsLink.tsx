import { Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import { formatCount } from '#i18n/format.ts'
import type { RecordsSearch } from '#lib/url/records-search.ts'
import { useOverview } from '../context.ts'
import styles from './parts.module.css'

type Props = {
  readonly search: RecordsSearch
  readonly className?: string | undefined
  readonly children: ReactNode
  /** The link's accessible name, if its content isn't sufficient. */
  readonly label?: string
  readonly title?: string | undefined
  readonly tabIndex?: number
  readonly style?: CSSProperties
}

/** A link to the records that a number counts. */
export const RecordsLink = ({ search, className, label, children, ...rest }: Props) => {
  const { dataset } = useOverview()
  return (
    <Link
      to="/dataset/$datasetId/records"
      params={{ datasetId: dataset.id }}
      search={search}
      className={className ?? styles['number']}
      aria-label={label}
      {...rest}
    >
      {children}
    </Link>
  )
}

/** A number that links to the records that it counts. Zero has no link. */
export const Count = ({ value, search }: { readonly value: number; readonly search: RecordsSearch }) =>
  value === 0 ? (
    <span className={styles['zero']}>{formatCount(0)}</span>
  ) : (
    <RecordsLink search={search}>{formatCount(value)}</RecordsLink>
  )
