import type { Question } from '@postil/contract/questions.ts'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { reasonMessage } from '#lib/api/messages.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { EditIcon } from '#ui/marks/icons.tsx'
import { troubleKey, useMarkTroubleVisible } from '../announcements/visible-troubles.ts'
import type { Annotator } from '../answering/annotator.ts'
import type { ListItem } from '../queue/list-item.ts'
import { Conflict } from './Conflict.tsx'
import styles from './RecordNotice.module.css'

type Props = {
  readonly item: ListItem
  readonly annotator: Annotator
  readonly questions: readonly Question[]
  readonly isEdited: boolean
  /** Whether the edits are from an earlier visit to the record. */
  readonly isRestored: boolean
  readonly onDiscardEdits: () => void
  /** Called if there is a problem to read. */
  readonly onProblem?: () => void
  /** Called after a decision, when the focused button is about to disappear. */
  readonly onDecided?: () => void
}

/** Notices about this record's answer: a rejection, a conflict, restored edits. */
export const RecordNotice = ({ item, annotator, questions, isEdited, isRestored, ...on }: Props) => {
  const { t } = useTranslation('features/annotate')
  const line = useOutbox().lines.get(item.record.id)
  const trouble = line?.trouble
  const last = line?.entries.at(-1)
  const latest = useRef(on)
  useEffect(() => {
    latest.current = on
  })
  const troubled = trouble ? `${item.record.id} ${trouble.kind}` : null
  useEffect(() => {
    if (troubled !== null) latest.current.onProblem?.()
  }, [troubled])
  const element = useRef<HTMLDivElement>(null)
  useMarkTroubleVisible(element, line && trouble ? troubleKey(line) : null)
  const decide = (work: () => unknown): void => {
    work()
    on.onDecided?.()
  }
  if (trouble?.kind === 'conflict' && last) {
    return (
      <div ref={element}>
        <Conflict
          questions={questions}
          record={item.record}
          mine={last.change}
          theirs={trouble.standing}
          onKeepMine={() => decide(() => outbox.keepMine(item.record.id))}
          onTakeTheirs={() => decide(() => annotator.takeTheirs(item, trouble.standing))}
        />
      </div>
    )
  }
  if (trouble?.kind === 'refused') {
    return (
      <div ref={element} className={styles['notice']}>
        <Notice kind="danger" action={<Button onClick={() => decide(() => annotator.drop(item))}>{t('refused.giveUp')}</Button>}>
          <p>{t('refused.title')}</p>
          <p className={styles['reason']}>{reasonMessage(trouble) ?? t('refused.noReason', { status: trouble.status })}</p>
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
