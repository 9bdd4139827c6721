import type { Question } from '@postil/contract/questions.ts'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { reasonMessage } from '#lib/api/messages.ts'
import { answerErrorCode } from '#lib/outbox/answer-error-code.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ErrorCodeText } from '#ui/feedback/ErrorCode.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { EditIcon } from '#ui/marks/icons.tsx'
import { issueKey, useMarkIssueVisible } from '../announcements/visible-issues.ts'
import type { Annotator } from '../answering/annotator.ts'
import type { ListItem } from '../queue/list-item.ts'
import { Conflict } from './Conflict.tsx'
import styles from './RecordNotice.module.css'

export type AnswerNoticeProps = {
  readonly item: ListItem
  readonly annotator: Annotator
  readonly questions: readonly Question[]
  readonly isEdited: boolean
  /** Whether the edits are from an earlier visit to the record. */
  readonly isRestored: boolean
  readonly onDiscardEdits: () => void
  /** Called when a rejection or conflict is shown. */
  readonly onProblem?: () => void
  /** Called after a decision, when the focused button is about to disappear. */
  readonly onDecided?: () => void
}

/** Says that the answer was rejected, that it conflicts with another one, or that edits were restored. */
export const AnswerNotice = ({ item, annotator, questions, isEdited, isRestored, ...on }: AnswerNoticeProps) => {
  const { t } = useTranslation('features/annotate')
  const line = useOutbox().lines.get(item.record.id)
  const issue = line?.issue
  const last = line?.entries.at(-1)
  const latest = useRef(on)
  useEffect(() => {
    latest.current = on
  })
  const issueOfRecord = issue ? `${item.record.id} ${issue.kind}` : null
  useEffect(() => {
    if (issueOfRecord !== null) latest.current.onProblem?.()
  }, [issueOfRecord])
  const element = useRef<HTMLDivElement>(null)
  useMarkIssueVisible(element, line && issue ? issueKey(line) : null)
  const decide = (work: () => unknown): void => {
    work()
    on.onDecided?.()
  }
  if (issue?.kind === 'conflict' && last) {
    return (
      <div ref={element}>
        <Conflict
          questions={questions}
          record={item.record}
          mine={last.change}
          theirs={issue.standing}
          onKeepMine={() => decide(() => outbox.keepMine(item.record.id))}
          onTakeTheirs={() => decide(() => annotator.takeTheirs(item, issue.standing))}
        />
      </div>
    )
  }
  if (issue?.kind === 'rejected') {
    return (
      <div ref={element} className={styles['notice']}>
        <Notice kind="danger" action={<Button onClick={() => decide(() => annotator.drop(item))}>{t('rejected.drop')}</Button>}>
          <p>{t('rejected.title')}</p>
          <p className={styles['reason']}>{reasonMessage(issue) ?? t('rejected.noReason', { status: issue.status })}</p>
          {line && <ErrorCodeText code={answerErrorCode(line)} />}
        </Notice>
      </div>
    )
  }
  if (!isEdited || !isRestored) return null
  return (
    <div className={styles['notice']}>
      <Notice icon={EditIcon} action={<Button onClick={() => decide(on.onDiscardEdits)}>{t('edits.discard')}</Button>}>
        {t('edits.unsaved')}
      </Notice>
    </div>
  )
}
