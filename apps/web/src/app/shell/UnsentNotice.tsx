import { useQuery } from '@tanstack/react-query'
import { useMatch } from '@tanstack/react-router'
import { Suspense } from 'react'
import {
  AnswerIssuesDialog,
  closeAnswerIssues,
  openAnswerIssues,
  useAnswerIssuesRequest,
} from '#features/answer-issues/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { datasetQuery } from '#lib/api/dataset-queries.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { DangerIcon } from '#ui/marks/first-icons.tsx'
import { OfflineIcon } from '#ui/marks/icons.tsx'
import styles from './UnsentNotice.module.css'

/** On narrow screens only the number is shown. */
const ResponsiveCount = ({ count, children }: { readonly count: number; readonly children: string }) => (
  <>
    <span className={styles['count']} aria-hidden="true">
      {formatCount(count)}
    </span>
    <span className={styles['text']}>{children}</span>
  </>
)

/** Shows the number of unsent answers on this device while they can't be sent. */
const WaitingAnswers = () => {
  const { t } = useTranslation()
  const { lines, sender, unwritten } = useOutbox()
  const isSendingPaused = sender === 'waiting' || sender === 'signed_out'
  const waiting = [...lines.keys()].filter((id) => !unwritten.has(id)).length
  return (
    <p role="status" className={styles['notice']}>
      {isSendingPaused && waiting > 0 && (
        <>
          <OfflineIcon />
          <ResponsiveCount count={waiting}>{t('unsent.state', { count: waiting })}</ResponsiveCount>
        </>
      )}
    </p>
  )
}

/**
 * The dataset whose annotation screen is open. Null if no annotation screen is open or the dataset can't be opened. An open
 * annotation screen reports its dataset's unsent answers itself.
 */
const useShownDatasetId = (): string | null => {
  const match = useMatch({ from: '/inside/dataset/$datasetId/annotation-mode', shouldThrow: false })
  const id = match?.params.datasetId
  // Uses the error count instead of the current error, which is cleared during a retry.
  const { data, errorUpdateCount } = useQuery({ ...datasetQuery(id ?? ''), enabled: false })
  const isUnavailable = data === undefined && errorUpdateCount > 0
  return id === undefined || isUnavailable ? null : id
}

/**
 * A button that opens the answers that were rejected or have a conflict. It shows their number. If a dataset's annotation screen
 * is open, the answers in this dataset aren't counted, because that screen reports them.
 */
const AnswerIssues = () => {
  const { t } = useTranslation()
  const { lines } = useOutbox()
  const shownDatasetId = useShownDatasetId()
  const decision = useAnswerIssuesRequest()
  const { length: count } = [...lines.values()].filter(({ issue, dataset_id }) => issue !== null && dataset_id !== shownDatasetId)
  return (
    <>
      <p role="status" className={styles['notice']} data-kind="issue">
        {count > 0 && (
          <button type="button" className={styles['link']} onClick={() => openAnswerIssues()}>
            <DangerIcon />
            <ResponsiveCount count={count}>{t('unsent.withIssue', { count })}</ResponsiveCount>
          </button>
        )}
      </p>
      {decision && (
        <Suspense>
          <AnswerIssuesDialog request={decision} shownDatasetId={shownDatasetId} onClose={closeAnswerIssues} />
        </Suspense>
      )}
    </>
  )
}

export const UnsentNotice = () => (
  <div className={styles['notices']}>
    <AnswerIssues />
    <WaitingAnswers />
  </div>
)
