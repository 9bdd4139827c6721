import { useId } from 'react'
import { WithReason } from '#features/jobs/service.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { WarningIcon } from '#ui/marks/first-icons.tsx'
import { CompletedIcon } from '#ui/marks/icons.tsx'
import { ProblemNotice } from '#ui/telling/ProblemNotice.tsx'
import { Spinner } from '#ui/waiting/Spinner.tsx'
import type { Check } from '../../use-check.ts'
import styles from './CheckResult.module.css'

/** Rows that are told one by one. */
const toldRows = 8

/** Whether the rows of a file can become records, as far as they are checked, and which can not. */
export const CheckResult = ({
  check: { found, error, isOld },
  isAsked,
  hasLines = true,
  hasIds = false,
}: {
  readonly check: Check
  readonly isAsked: boolean
  /** False where rows stand in no lines of a text. */
  readonly hasLines?: boolean
  /** A column names the records; rows may have nothing in it. */
  readonly hasIds?: boolean
}) => {
  const { t } = useTranslation('features/create')
  const id = useId()
  if (!isAsked) return <p className={styles['wait']}>{t('check.later')}</p>
  if (error && !isOld) return <ProblemNotice error={error} isAlert />
  const { rows = 0, whole = false, errors = [] } = found ?? {}
  const ofRows = { count: rows, formatted: formatCount(rows) }
  const ofErrors = { count: errors.length, formatted: formatCount(errors.length), rows: formatCount(rows) }
  const told = errors.slice(0, toldRows)
  return (
    <section aria-labelledby={id} aria-busy={isOld} className={styles['check']} data-faulty={errors.length > 0 ? '' : undefined}>
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
      {told.length > 0 && (
        <ul className={styles['faults']}>
          {told.map(({ row, line, column, ...said }) => (
            <li key={row}>
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
                <WithReason of={said}>{(reason) => reason}</WithReason>
              </span>
            </li>
          ))}
        </ul>
      )}
      {errors.length > told.length && (
        <p className={styles['more']}>
          {t('check.more', { count: errors.length - told.length, formatted: formatCount(errors.length - told.length) })}
        </p>
      )}
      {errors.length > 0 && <p className={styles['more']}>{t('check.leftOut')}</p>}
      {found !== null && !whole && <p className={styles['more']}>{t('check.rest')}</p>}
      {hasIds && <p className={styles['more']}>{t('check.withoutId')}</p>}
    </section>
  )
}
