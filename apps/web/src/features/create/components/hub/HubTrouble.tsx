import { HubStart, HubTokenForm } from '#features/hub/service.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/telling/ProblemNotice.tsx'
import type { HubSourceState, Trouble } from '../../use-hub-source.ts'
import styles from '../NewDatasetPage.module.css'

type Props = {
  readonly name: string
  readonly source: HubSourceState
  readonly trouble: Trouble
  /** What is being made is made of this dataset and no other. */
  readonly isFixed: boolean
}

/** Why a dataset of the hub is not to be seen, and what can be done about it: another id, a token, another try. */
export const HubTrouble = ({ name, source, trouble, isFixed }: Props) => {
  const { t } = useTranslation('features/hub')
  const { isAsking, token, setToken, again } = source
  const error = trouble === 'nothing' ? null : trouble
  const status = error instanceof ApiError ? error.status : null
  const isMissing = status === 404
  const words = error === null ? t('source.none') : problemMessage(error)
  // Our own server is well: it says so of the hub, and what it says names the cause.
  const reason = status === 503 && error instanceof ApiError ? error.detail : null
  const retry = (
    <Button busy={isAsking} onClick={again}>
      {t('source.retry')}
    </Button>
  )
  return (
    <div className={styles['trouble']}>
      <ProblemNotice error={error} isAlert action={error && (isFixed || !isMissing) ? retry : null}>
        {isMissing ? t('source.missing', { name }) : status === 503 ? t('source.silent') : words}
        {reason && <span className={styles['reason']}>{reason}</span>}
      </ProblemNotice>
      {!isFixed && <HubStart last={{ id: name, onAgain: again }} />}
      {isMissing && <HubTokenForm isRefused={token !== null && !isAsking} onToken={setToken} />}
    </div>
  )
}
