import { Link, useParams } from '@tanstack/react-router'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { DangerIcon } from '#ui/first-icons.tsx'
import { OfflineIcon } from '#ui/icons.tsx'
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

/** Leads to answers that were refused or changed elsewhere, from wherever one is but their own dataset, which tells of them itself. */
const Troubled = () => {
  const { t } = useTranslation()
  const { lines } = useOutbox()
  const { datasetId: here } = useParams({ strict: false })
  const troubled = [...lines.values()].filter(({ trouble, dataset_id }) => trouble !== null && dataset_id !== here)
  const [first] = troubled
  return (
    <p role="status" className={styles['notice']} data-kind="trouble">
      {first && (
        <Link to="/dataset/$datasetId/annotation-mode" params={{ datasetId: first.dataset_id }} className={styles['link']}>
          <DangerIcon />
          <Words count={troubled.length}>{t('unsent.troubled', { count: troubled.length })}</Words>
        </Link>
      )}
    </p>
  )
}

export const UnsentNotice = () => (
  <div className={styles['notices']}>
    <Troubled />
    <Waiting />
  </div>
)
