import { useEffect } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { OutboxLine } from '#lib/outbox/types.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import type { AnswerIssuesRequest } from '../answer-issues-state.ts'
import styles from './AnswerIssues.module.css'
import { IssuesOfDataset } from './IssuesOfDataset.tsx'

type Props = {
  readonly request: AnswerIssuesRequest
  /**
   * The dataset on the screen. The list of issues of all datasets leaves out this dataset's issues, because the screen itself
   * shows them.
   */
  readonly shownDatasetId: string | null
  readonly onClose: () => void
}

const byDataset = (lines: readonly OutboxLine[]): readonly (readonly [string, readonly OutboxLine[]])[] => {
  const found = new Map<string, OutboxLine[]>()
  for (const line of lines) found.set(line.dataset_id, [...(found.get(line.dataset_id) ?? []), line])
  return [...found]
}

/**
 * Lists rejected and conflicting answers and lets the user decide about them, even if their dataset can no longer be opened.
 */
export const AnswerIssuesDialog = ({ request: { recordId }, shownDatasetId, onClose }: Props) => {
  const { t } = useTranslation('features/answer-issues')
  const lines = [...useOutbox().lines.values()].filter(
    ({ issue, dataset_id, record_id }) =>
      issue !== null && (recordId === null ? dataset_id !== shownDatasetId : record_id === recordId),
  )
  const isOver = lines.length === 0
  useEffect(() => {
    if (!isOver) return
    onClose()
    // Moves the focus, because the button that opened the dialog may disappear when no answers are left.
    document.getElementById('main')?.focus()
  }, [isOver, onClose])
  return (
    <Dialog open={!isOver} onOpenChange={(open) => !open && onClose()} title={t('title')} wide>
      <p>{t('explain')}</p>
      <ul className={styles['datasets']}>
        {byDataset(lines).map(([datasetId, own]) => (
          <li key={datasetId}>
            <IssuesOfDataset datasetId={datasetId} lines={own} onLeave={onClose} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
