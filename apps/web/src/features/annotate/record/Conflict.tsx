import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useId } from 'react'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Change, ServerAnswer } from '#lib/outbox/types.ts'
import { Button } from '#ui/controls/Button.tsx'
import { StatusBadge } from '#ui/marks/StatusBadge.tsx'
import { AnswerList } from './AnswerList.tsx'
import styles from './Conflict.module.css'

type Props = {
  readonly questions: readonly Question[]
  readonly record: AnnotationRecord
  readonly mine: Change
  /** Null if the answer was deleted elsewhere. */
  readonly theirs: ServerAnswer | null
  readonly onKeepMine: () => void
  readonly onTakeTheirs: () => void
}

export const Conflict = ({ questions, record, mine, theirs, onKeepMine, onTakeTheirs }: Props) => {
  const { t } = useTranslation('features/annotate')
  const id = useId()
  // If one version deletes the answer, there is nothing to compare.
  const isComparable = mine.kind === 'save' && theirs !== null
  return (
    <section className={styles['conflict']} aria-labelledby={id}>
      <h2 id={id} className={styles['title']}>
        {t('conflict.title')}
      </h2>
      <p className={styles['hint']}>{t('conflict.hint')}</p>
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <h3 className={styles['side']}>{t('conflict.mine')}</h3>
          <StatusBadge status={mine.kind === 'save' ? mine.status : 'pending'} />
          {mine.kind === 'save' && (
            <AnswerList
              questions={questions}
              record={record}
              values={mine.values}
              {...(isComparable && { others: theirs.values })}
            />
          )}
          <Button onClick={onKeepMine}>{t('conflict.keepMine')}</Button>
        </div>
        <div className={styles['column']}>
          <h3 className={styles['side']}>
            {t('conflict.theirs')} {theirs && <span className={styles['time']}>{formatDateTime(theirs.updated_at)}</span>}
          </h3>
          <StatusBadge status={theirs?.status ?? 'pending'} />
          {theirs && (
            <AnswerList
              questions={questions}
              record={record}
              values={theirs.values}
              {...(isComparable && { others: mine.values })}
            />
          )}
          <Button onClick={onTakeTheirs}>{t('conflict.takeTheirs')}</Button>
        </div>
      </div>
    </section>
  )
}
