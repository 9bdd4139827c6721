import type { ReportedFault } from '@postil/contract/files/imports.ts'
import { useId } from 'react'
import { FailureReason } from '#features/jobs/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Spinner } from '#ui/loading/Spinner.tsx'
import { WarningIcon } from '#ui/marks/first-icons.tsx'
import { CompletedIcon } from '#ui/marks/icons.tsx'
import type { Check } from '../../use-file-check.ts'
import styles from './CheckResult.module.css'

/** How many rows are listed individually. */
const maxShownRows = 8

type RowListProps = { readonly rows: readonly ReportedFault[]; readonly hasLines: boolean }

const RowList = ({ rows, hasLines }: RowListProps) => {
  const { t } = useTranslation('features/create')
  return (
    <ul className={styles['faults']}>
      {rows.map(({ row, line, column, ...said }) => (
        <li key={`${row} ${said.reason}`}>
          <span className={styles['place']}>
            {hasLines
              ? t('check.row', { row: formatCount(row), line: formatCount(line) })
              : t('check.rowOnly', { row: formatCount(row) })}
            {column !== null && (
              <>
                {' '}
                <code>{column}</code>
              </>
            )}
          </span>
          <span className={styles['reason']}>
            <FailureReason of={said}>{(reason) => reason}</FailureReason>
          </span>
        </li>
      ))}
    </ul>
  )
}

/**
 * Shows whether the file's rows can become records, and lists the rows that can't. Covers only the rows that have been checked
 * so far.
 */
export const CheckResult = ({
  check: { found, error, isStale },
  isRequested,
  hasLines = true,
  hasIds = false,
}: {
  readonly check: Check
  readonly isRequested: boolean
  /** False if rows are not lines of a text file. */
  readonly hasLines?: boolean
  /** Whether a column contains external IDs. Rows can leave it empty. */
  readonly hasIds?: boolean
}) => {
  const { t } = useTranslation('features/create')
  const id = useId()
  if (!isRequested) return <p className={styles['wait']}>{t('check.later')}</p>
  if (error && !isStale) return <ProblemNotice error={error} isAlert />
  const { rows = 0, whole = false, errors = [], warnings = [] } = found ?? {}
  const ofRows = { count: rows, formatted: formatCount(rows) }
  const ofErrors = { count: errors.length, formatted: formatCount(errors.length), rows: formatCount(rows) }
  const shownErrors = errors.slice(0, maxShownRows)
  return (
    <section
      aria-labelledby={id}
      aria-busy={isStale}
      className={styles['check']}
      data-faulty={errors.length > 0 ? '' : undefined}
    >
      <p id={id} role="status" className={styles['state']}>
        {found === null ? (
          <>
            <Spinner className={styles['spinner']} />
            {t('check.running')}
          </>
        ) : errors.length === 0 ? (
          <>
            <CompletedIcon />
            {whole ? t('check.all', ofRows) : t('check.good', ofRows)}
          </>
        ) : (
          <>
            <WarningIcon />
            {whole ? t('check.badOfAll', ofErrors) : t('check.bad', ofErrors)}
          </>
        )}
      </p>
      {shownErrors.length > 0 && <RowList rows={shownErrors} hasLines={hasLines} />}
      {errors.length > shownErrors.length && (
        <p className={styles['more']}>
          {t('check.more', {
            count: errors.length - shownErrors.length,
            formatted: formatCount(errors.length - shownErrors.length),
          })}
        </p>
      )}
      {errors.length > 0 && <p className={styles['more']}>{t('check.leftOut')}</p>}
      {warnings.length > 0 && (
        <>
          <p className={styles['warnings']}>
            <WarningIcon />
            {t('check.warnings', { count: warnings.length, formatted: formatCount(warnings.length) })}
          </p>
          <RowList rows={warnings.slice(0, maxShownRows)} hasLines={hasLines} />
        </>
      )}
      {found !== null && !whole && <p className={styles['more']}>{t('check.rest')}</p>}
      {hasIds && <p className={styles['more']}>{t('check.withoutId')}</p>}
    </section>
  )
}
