import { useQuery } from '@tanstack/react-query'
import { useMatch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { askAboutStuckAnswers, closeStuckAnswers, StuckAnswersDialog, useAskedAbout } from '#features/stuck-answers/service.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { datasetQuery } from '#lib/api/dataset-queries.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { DangerIcon } from '#ui/marks/first-icons.tsx'
import { OfflineIcon } from '#ui/marks/icons.tsx'
import styles from './UnsentNotice.module.css'

/** Where there is no room for words, the number stands for them. */
const Words = ({ count, children }: { readonly count: number; readonly children: string }) => (
  <>
    <span className={styles['count']} aria-hidden="true">
      {formatCount(count)}
    </span>
    <span className={styles['text']}>{children}</span>
  </>
)

/** Counts the answers that wait on this device, for as long as they can not be sent. */
const Waiting = () => {
  const { t } = useTranslation()
  const { lines, sender, unwritten } = useOutbox()
  const stuck = sender === 'waiting' || sender === 'signed_out'
  const waiting = [...lines.keys()].filter((id) => !unwritten.has(id)).length
  return (
    <p role="status" className={styles['notice']}>
      {stuck && waiting > 0 && (
        <>
          <OfflineIcon />
          <Words count={waiting}>{t('unsent.state', { count: waiting })}</Words>
        </>
      )}
    </p>
  )
}

/** The dataset whose annotation screen is there, and tells of its own answers itself; null while it cannot be opened. */
const useDatasetHere = (): string | null => {
  const match = useMatch({ from: '/inside/dataset/$datasetId/annotation-mode', shouldThrow: false })
  const id = match?.params.datasetId
  // Not whether it is an error now: while it is asked for again it is none.
  const { data, errorUpdateCount } = useQuery({ ...datasetQuery(id ?? ''), enabled: false })
  const isClosed = data === undefined && errorUpdateCount > 0
  return id === undefined || isClosed ? null : id
}

/** Leads to answers that were refused or changed elsewhere, from wherever one is but their own dataset. */
const Troubled = () => {
  const { t } = useTranslation()
  const { lines } = useOutbox()
  const here = useDatasetHere()
  const asked = useAskedAbout()
  const { length: count } = [...lines.values()].filter(({ trouble, dataset_id }) => trouble !== null && dataset_id !== here)
  return (
    <>
      <p role="status" className={styles['notice']} data-kind="trouble">
        {count > 0 && (
          <button type="button" className={styles['link']} onClick={() => askAboutStuckAnswers()}>
            <DangerIcon />
            <Words count={count}>{t('unsent.troubled', { count })}</Words>
          </button>
        )}
      </p>
      {asked && (
        <Suspense>
          <StuckAnswersDialog asked={asked} here={here} onClose={closeStuckAnswers} />
        </Suspense>
      )}
    </>
  )
}

export const UnsentNotice = () => (
  <div className={styles['notices']}>
    <Troubled />
    <Waiting />
  </div>
)
