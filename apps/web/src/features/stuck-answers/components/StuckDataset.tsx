import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { datasetQuery, isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { createDrafts } from '#lib/drafts/drafts.ts'
import { device, outbox } from '#lib/outbox/browser-outbox.ts'
import type { Line } from '#lib/outbox/types.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import { printedLines } from '../printed.ts'
import styles from './StuckAnswers.module.css'
import { StuckLine } from './StuckLine.tsx'

/** No more are shown at once; all of them can be copied and dropped. */
const most = 50

const drop = async (lines: readonly Line[]): Promise<void> => {
  for (const { user_id, dataset_id, record_id } of lines) {
    await outbox.giveUp(record_id)
    // Edits of an answer that nobody takes are nothing to go on with.
    const drafts = createDrafts(device(), user_id, dataset_id)
    await drafts.load()
    await drafts.drop(record_id)
  }
}

type Props = { readonly datasetId: string; readonly lines: readonly Line[]; readonly onLeave: () => void }

const Name = ({ datasetId, onLeave }: Omit<Props, 'lines'>) => {
  const { t } = useTranslation('features/stuck-answers')
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

/** The stuck answers of one dataset. */
export const StuckDataset = ({ datasetId, lines, onLeave }: Props) => {
  const { t } = useTranslation('features/stuck-answers')
  const [isAsking, setAsking] = useState(false)
  const count = { count: lines.length, formatted: formatCount(lines.length) }
  const shown = lines.slice(0, most)
  return (
    <section>
      <div className={styles['head']}>
        <h3 className={styles['name']}>
          <Name datasetId={datasetId} onLeave={onLeave} />
        </h3>
        {lines.length > 1 && <CopyButton label={t('copyAll', count)} text={printedLines(lines)} />}
      </div>
      <ul className={styles['lines']}>
        {shown.map((line) => (
          <StuckLine key={line.record_id} line={line} onDrop={() => void drop([line])} />
        ))}
      </ul>
      {lines.length > shown.length && (
        <p className={styles['quiet']}>
          {t('more', { count: lines.length - shown.length, formatted: formatCount(lines.length - shown.length) })}
        </p>
      )}
      {lines.length > 1 && (
        <div className={styles['all']}>
          {isAsking ? (
            <>
              <span role="status">{t('dropAllSure', count)}</span>
              <Button look="danger" onClick={() => void drop(lines)}>
                {t('dropAll', count)}
              </Button>
              <Button onClick={() => setAsking(false)}>{t('keepAll')}</Button>
            </>
          ) : (
            <Button onClick={() => setAsking(true)}>{t('dropAll', count)}</Button>
          )}
        </div>
      )}
    </section>
  )
}
