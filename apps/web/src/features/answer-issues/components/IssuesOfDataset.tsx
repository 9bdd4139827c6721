import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { datasetQuery, isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { createDrafts } from '#lib/drafts/drafts.ts'
import { device, outbox } from '#lib/outbox/browser-outbox.ts'
import type { OutboxLine } from '#lib/outbox/types.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { printLines } from '../print-answers.ts'
import styles from './AnswerIssues.module.css'
import { IssueLine } from './IssueLine.tsx'

/**
 * The maximum number of answers shown at once. The buttons that copy or discard all answers also apply to those that aren't
 * shown.
 */
const maxShown = 50

const drop = async (lines: readonly OutboxLine[]): Promise<void> => {
  for (const { user_id, dataset_id, record_id } of lines) {
    await outbox.drop(record_id)
    // Edits of a rejected answer can't be continued, so they are dropped too.
    const drafts = createDrafts(device(), user_id, dataset_id)
    await drafts.load()
    await drafts.drop(record_id)
  }
}

type Props = { readonly datasetId: string; readonly lines: readonly OutboxLine[]; readonly onLeave: () => void }

const Name = ({ datasetId, onLeave }: Omit<Props, 'lines'>) => {
  const { t } = useTranslation('features/answer-issues')
  const { data, error, isPending } = useQuery({ ...datasetQuery(datasetId), staleTime: 0, retry: false })
  if (isPending) return <Skeleton width="12em" />
  if (isUnknownDataset(error)) return t('dataset.gone')
  if (error instanceof ApiError && error.status === 403) return t('dataset.closed')
  if (error || !data) return t('dataset.unknown')
  return (
    <Link to="/dataset/$datasetId/annotation-mode" params={{ datasetId }} onClick={onLeave}>
      <bdi>{data.name}</bdi>
    </Link>
  )
}

/** The answers to one dataset's records that the user has to decide about. */
export const IssuesOfDataset = ({ datasetId, lines, onLeave }: Props) => {
  const { t } = useTranslation('features/answer-issues')
  const [isConfirming, setConfirming] = useState(false)
  const count = { count: lines.length, formatted: formatCount(lines.length) }
  const shown = lines.slice(0, maxShown)
  return (
    <section>
      <div className={styles['head']}>
        <h3 className={styles['name']}>
          <Name datasetId={datasetId} onLeave={onLeave} />
        </h3>
        {lines.length > 1 && <CopyButton label={t('copyAll', count)} text={printLines(lines)} />}
      </div>
      <ul className={styles['lines']}>
        {shown.map((line) => (
          <IssueLine key={line.record_id} line={line} onDrop={() => void drop([line])} />
        ))}
      </ul>
      {lines.length > shown.length && (
        <p className={styles['quiet']}>
          {t('more', { count: lines.length - shown.length, formatted: formatCount(lines.length - shown.length) })}
        </p>
      )}
      {lines.length > 1 && (
        <div className={styles['all']}>
          {isConfirming ? (
            <>
              <span role="status">{t('dropAllSure', count)}</span>
              <Button look="danger" onClick={() => void drop(lines)}>
                {t('dropAll', count)}
              </Button>
              <Button onClick={() => setConfirming(false)}>{t('keepAll')}</Button>
            </>
          ) : (
            <Button onClick={() => setConfirming(true)}>{t('dropAll', count)}</Button>
          )}
        </div>
      )}
    </section>
  )
}
