import { HubStart, HubTokenForm } from '#features/hub/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import type { HubSourceProblem, HubSourceState } from '../../use-hub-source.ts'
import styles from '../NewDatasetPage.module.css'

type Props = {
  readonly name: string
  readonly source: HubSourceState
  readonly problem: HubSourceProblem
  /** Whether the draft can't be switched to another Hub dataset. */
  readonly isFixed: boolean
}

/** Explains why a Hub dataset can't be shown, and offers solutions: another ID, a token, a retry. */
export const HubProblem = ({ name, source, problem, isFixed }: Props) => {
  const { t } = useTranslation('features/hub')
  const { isAsking, token, setToken, retry } = source
  const error = problem === 'nothing' ? null : problem
  const status = error instanceof ApiError ? error.status : null
  const isMissing = status === 404
  const words = error === null ? t('source.none') : problemMessage(error)
  // This server responds with 503 if its request to the Hub failed. The message in the response names the cause.
  const reason = status === 503 && error instanceof ApiError ? error.detail : null
  const retryButton = (
    <Button busy={isAsking} onClick={retry}>
      {t('source.retry')}
    </Button>
  )
  return (
    <div className={styles['trouble']}>
      <ProblemNotice error={error} isAlert action={error && (isFixed || !isMissing) ? retryButton : null}>
        {isMissing ? t('source.missing', { name }) : status === 503 ? t('source.silent') : words}
        {reason && <span className={styles['reason']}>{reason}</span>}
      </ProblemNotice>
      {!isFixed && <HubStart last={{ id: name, onRetry: retry }} />}
      {isMissing && <HubTokenForm isRefused={token !== null && !isAsking} onToken={setToken} />}
    </div>
  )
}
