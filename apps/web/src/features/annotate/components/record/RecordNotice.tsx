import type { Question } from '@postil/contract/questions.ts'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { reasonMessage } from '#lib/api/messages.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EditIcon } from '#ui/marks/icons.tsx'
import { Notice } from '#ui/telling/Notice.tsx'
import type { Annotator } from '../../annotator.ts'
import type { QueueItem } from '../../queue/item.ts'
import { nameOfTrouble, useToldHere } from '../../telling/told-troubles.ts'
import { Conflict } from './Conflict.tsx'
import styles from './RecordNotice.module.css'

type Props = {
  readonly item: QueueItem
  readonly annotator: Annotator
  readonly questions: readonly Question[]
  readonly isEdited: boolean
  /** The edits are from an earlier visit of the record. */
  readonly isFromBefore: boolean
  readonly onDiscardEdits: () => void
  /** There is trouble to be read. */
  readonly onTrouble?: () => void
  /** It was decided: the button that has the focus is about to go. */
  readonly onDecided?: () => void
}

/** What has to be known about this record's answer before going on: a refusal, a conflict, edits from before. */
export const RecordNotice = ({ item, annotator, questions, isEdited, isFromBefore, ...on }: Props) => {
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
    if (troubled !== null) latest.current.onTrouble?.()
  }, [troubled])
  const element = useRef<HTMLDivElement>(null)
  useToldHere(element, line && trouble ? nameOfTrouble(line) : null)
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
        <Notice
          kind="danger"
          action={<Button onClick={() => decide(() => annotator.giveUp(item))}>{t('refused.giveUp')}</Button>}
        >
          <p>{t('refused.title')}</p>
          <p className={styles['reason']}>{reasonMessage(trouble) ?? t('refused.noReason', { status: trouble.status })}</p>
        </Notice>
      </div>
    )
  }
  if (!isEdited || !isFromBefore) return null
  return (
    <div className={styles['notice']}>
      <Notice icon={EditIcon} action={<Button onClick={() => decide(on.onDiscardEdits)}>{t('edits.discard')}</Button>}>
        {t('edits.unsaved')}
      </Notice>
    </div>
  )
}
