import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useHasHeader } from '#lib/shell/header-slots.tsx'
import { Button } from '#ui/controls/Button.tsx'
import { ErrorCode } from '#ui/feedback/ErrorCode.tsx'
import { Mark } from '#ui/marks/Mark.tsx'
import page from '#ui/page/NotePage.module.css'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import styles from './Problem.module.css'

type Props = {
  /** Null for an error without a response. */
  readonly status: number | null
  readonly message: string
  /** What to do about the problem, shown after "Something went wrong." */
  readonly hint?: string
  /** Whether the message alone is enough, because nothing has failed. If so, "Something went wrong." isn't shown. */
  readonly hasExplanation?: boolean
  /** Retries. Set only if a retry can help. */
  readonly onRetry?: () => void
  readonly isRetrying?: boolean
  readonly error?: unknown
  /** Further details, shown below the rest. */
  readonly children?: ReactNode
}

/** A standalone page: it must work even if the shell does not. */
export const Problem = ({
  status,
  message,
  hint,
  hasExplanation = false,
  onRetry,
  isRetrying = false,
  error,
  children,
}: Props) => {
  const { t } = useTranslation()
  const hasHeader = useHasHeader()
  useDocumentTitle(status === null ? message : `${status} ${message}`)
  return (
    <main id="main" tabIndex={-1} className={page['page']}>
      <div className={page['note']}>
        {!hasHeader && <Mark size={28} />}
        <h1 className={page['title']}>
          {status !== null && <span className={styles['status']}>{status} </span>}
          {message}
        </h1>
        <p className={page['hint']}>
          {status !== null && !hasExplanation && t('error.somethingWrong')} {hint}
        </p>
        {error !== undefined && <ErrorCode error={error} />}
        <div className={page['actions']}>
          {onRetry && (
            <Button look="primary" size="main" busy={isRetrying} onClick={onRetry}>
              {t('error.tryAgain')}
            </Button>
          )}
          <Link to="/" className={page['home']} data-look={onRetry ? 'plain' : 'primary'}>
            {t('error.backHome')}
          </Link>
        </div>
        {children}
      </div>
    </main>
  )
}
