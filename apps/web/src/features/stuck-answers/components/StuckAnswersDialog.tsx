import { useEffect } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Line } from '#lib/outbox/types.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import type { Asked } from '../asked.ts'
import styles from './StuckAnswers.module.css'
import { StuckDataset } from './StuckDataset.tsx'

type Props = {
  readonly asked: Asked
  /** The dataset on the screen, which tells of its own answers itself. */
  readonly here: string | null
  readonly onClose: () => void
}

const byDataset = (lines: readonly Line[]): readonly (readonly [string, readonly Line[]])[] => {
  const found = new Map<string, Line[]>()
  for (const line of lines) found.set(line.dataset_id, [...(found.get(line.dataset_id) ?? []), line])
  return [...found]
}

/** Answers that were refused or changed elsewhere, to be read and decided about also where their dataset cannot be opened any more. */
export const StuckAnswersDialog = ({ asked: { recordId }, here, onClose }: Props) => {
  const { t } = useTranslation('features/stuck-answers')
  const lines = [...useOutbox().lines.values()].filter(
    ({ trouble, dataset_id, record_id }) =>
      trouble !== null && (recordId === null ? dataset_id !== here : record_id === recordId),
  )
  const isOver = lines.length === 0
  useEffect(() => {
    if (!isOver) return
    onClose()
    // What has opened it may be gone with the last answer.
    document.getElementById('main')?.focus()
  }, [isOver, onClose])
  return (
    <Dialog open={!isOver} onOpenChange={(open) => !open && onClose()} title={t('title')} wide>
      <p>{t('explain')}</p>
      <ul className={styles['datasets']}>
        {byDataset(lines).map(([datasetId, own]) => (
          <li key={datasetId}>
            <StuckDataset datasetId={datasetId} lines={own} onLeave={onClose} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
