import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useHasHeader } from '#lib/shell/header-slots.tsx'
import { Button } from '#ui/controls/Button.tsx'
import { Mark } from '#ui/marks/Mark.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { ErrorCode } from '#ui/telling/ErrorCode.tsx'
import styles from './Problem.module.css'

type Props = {
  /** Null where nobody has answered with one. */
  readonly status: number | null
  readonly message: string
  /** What to do about it, in place of "Something went wrong." alone. */
  readonly hint?: string
  /** Whether the message says it all: nothing has gone wrong. */
  readonly isExplained?: boolean
  /** Where doing it again may help. */
  readonly onRetry?: () => void
  readonly isRetrying?: boolean
  readonly error?: unknown
  /** What else is to be known, below the rest. */
  readonly children?: ReactNode
}

/** A page of its own: it must work also when the shell does not. */
export const Problem = ({ status, message, hint, isExplained = false, onRetry, isRetrying = false, error, children }: Props) => {
  const { t } = useTranslation()
  const hasHeader = useHasHeader()
  useDocumentTitle(status === null ? message : `${status} ${message}`)
  return (
    <main id="main" tabIndex={-1} className={styles['page']}>
      <div className={styles['note']}>
        {!hasHeader && <Mark size={28} />}
        <h1 className={styles['message']}>
          {status !== null && <span className={styles['status']}>{status} </span>}
          {message}
        </h1>
        <p className={styles['hint']}>
          {status !== null && !isExplained && t('error.somethingWrong')} {hint}
        </p>
        {error !== undefined && <ErrorCode error={error} />}
        <div className={styles['actions']}>
          {onRetry && (
            <Button look="primary" size="main" busy={isRetrying} onClick={onRetry}>
              {t('error.tryAgain')}
            </Button>
          )}
          <Link to="/" className={styles['home']} data-look={onRetry ? 'plain' : 'primary'}>
            {t('error.backHome')}
          </Link>
        </div>
        {children}
      </div>
    </main>
  )
}
