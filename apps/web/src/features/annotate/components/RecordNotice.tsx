import type { Question } from '@postil/contract/questions.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { Button } from '#ui/Button.tsx'
import { EditIcon } from '#ui/icons.tsx'
import { Notice } from '#ui/Notice.tsx'
import type { Annotator } from '../annotator.ts'
import type { QueueItem } from '../queue/item.ts'
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
}

/** What has to be known about this record's answer before going on: a refusal, a conflict, edits from before. */
export const RecordNotice = ({ item, annotator, questions, isEdited, isFromBefore, onDiscardEdits }: Props) => {
  const { t } = useTranslation('features/annotate')
  const line = useOutbox().lines.get(item.record.id)
  const trouble = line?.trouble
  const last = line?.entries.at(-1)
  if (trouble?.kind === 'conflict' && last) {
    return (
      <Conflict
        questions={questions}
        record={item.record}
        mine={last.change}
        theirs={trouble.standing}
        onKeepMine={() => void outbox.keepMine(item.record.id)}
        onTakeTheirs={() => void annotator.takeTheirs(item, trouble.standing)}
      />
    )
  }
  if (trouble?.kind === 'refused') {
    return (
      <div className={styles['notice']}>
        <Notice kind="danger" action={<Button onClick={() => void annotator.giveUp(item)}>{t('refused.giveUp')}</Button>}>
          <p>{t('refused.title')}</p>
          <p className={styles['reason']}>{trouble.reason ?? t('refused.noReason', { status: trouble.status })}</p>
        </Notice>
      </div>
    )
  }
  if (!isEdited || !isFromBefore) return null
  return (
    <div className={styles['notice']}>
      <Notice icon={EditIcon} action={<Button onClick={onDiscardEdits}>{t('edits.discard')}</Button>}>
        {t('edits.unsaved')}
      </Notice>
    </div>
  )
}
