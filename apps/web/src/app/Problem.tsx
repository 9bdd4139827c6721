import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from '#ui/Button.tsx'
import { ErrorCode } from '#ui/ErrorCode.tsx'
import { Mark } from '#ui/Mark.tsx'
import { useDocumentTitle } from '#ui/use-document-title.ts'
import styles from './Problem.module.css'

type Props = {
  readonly status: number
  readonly message: string /** Whether loading again may help. */
  readonly canRetry?: boolean
  readonly error?: unknown
}

/** A page of its own: it must work also when the shell does not. */
export const Problem = ({ status, message, canRetry, error }: Props) => {
  const { t } = useTranslation()
  useDocumentTitle(`${status} ${message}`)
  return (
    <main id="main" tabIndex={-1} className={styles['page']}>
      <div className={styles['note']}>
        <Mark size={28} />
        <h1 className={styles['message']}>
          <span className={styles['status']}>{status}</span> {message}
        </h1>
        <p className={styles['hint']}>
          {t('error.somethingWrong')} {status === 404 && t('error.cantFind')}
        </p>
        {error !== undefined && <ErrorCode error={error} />}
        <div className={styles['actions']}>
          {canRetry && (
            <Button look="primary" size="main" onClick={() => location.reload()}>
              {t('error.tryAgain')}
            </Button>
          )}
          <Link to="/" className={styles['home']} data-look={canRetry ? 'plain' : 'primary'}>
            {t('error.backHome')}
          </Link>
        </div>
      </div>
    </main>
  )
}
