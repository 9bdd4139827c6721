import type { Question } from '@postil/contract/questions.ts'
import { useRef } from 'react'
import { printLines } from '#features/answer-issues/public.ts'
import { useDeletedBy } from '#features/deleted-dataset/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { OutboxLine } from '#lib/outbox/types.ts'
import { Button } from '#ui/controls/Button.tsx'
import { useCopyText } from '#ui/feedback/use-copy-text.ts'
import { issueKey, useMarkIssueVisible } from '../announcements/visible-issues.ts'
import type { ListItem } from '../queue/list-item.ts'
import { AnswerList } from './AnswerList.tsx'
import styles from './DeletedRecord.module.css'

type Props = {
  readonly item: ListItem
  /** The answer that was rejected because the record was deleted. */
  readonly line: OutboxLine
  readonly questions: readonly Question[]
  readonly onDrop: () => void
}

/**
 * Replaces the questions of a record that was deleted while it was open. The user can copy the answer, which exists only on this
 * device.
 */
export const DeletedRecord = ({ item: { record }, line, questions, onDrop }: Props) => {
  const { t } = useTranslation('features/annotate')
  const copyText = useCopyText()
  const deletedBy = useDeletedBy(record.id, 'records.delete')
  const element = useRef<HTMLElement>(null)
  useMarkIssueVisible(element, issueKey(line))
  const change = line.entries.at(-1)?.change
  return (
    <section ref={element} className={styles['deleted']} aria-label={t('deleted.title')}>
      <h2 className={styles['title']}>{t('deleted.title')}</h2>
      <p className={styles['hint']}>
        {deletedBy === null ? t('deleted.explain') : t('deleted.by', { username: deletedBy })}
        {change?.kind === 'save' && ` ${t('deleted.kept')}`}
      </p>
      {change?.kind === 'save' && <AnswerList questions={questions} record={record} values={change.values} />}
      <div className={styles['actions']}>
        {change?.kind === 'save' && (
          <Button look="primary" onClick={() => void copyText(printLines([line]), t('deleted.copied'))}>
            {t('deleted.copy')}
          </Button>
        )}
        <Button onClick={onDrop}>{t('rejected.drop')}</Button>
      </div>
    </section>
  )
}
