import type { AnswerValue, AnswerValues } from '@postil/contract/answer-value.ts'
import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import { checkAnswerValue } from '@postil/contract/question-types/rules.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#i18n/format.ts'
import type { Change, StandingAnswer } from '#lib/outbox/types.ts'
import type { QuestionOf, ValueOf } from '#question-types/define.ts'
import { questionSlice } from '#question-types/registry.ts'
import { Button } from '#ui/Button.tsx'
import { StatusBadge } from '#ui/StatusBadge.tsx'
import styles from './Conflict.module.css'

type Props = {
  readonly questions: readonly Question[]
  readonly record: AnnotationRecord
  readonly mine: Change
  /** null when the answer was removed elsewhere. */
  readonly theirs: StandingAnswer | null
  readonly onKeepMine: () => void
  readonly onTakeTheirs: () => void
}

type ColumnProps = Pick<Props, 'questions' | 'record'> & { readonly values: AnswerValues }

const isReadable = (question: Question, value: AnswerValue, record: AnnotationRecord): boolean =>
  checkAnswerValue(value, { settings: question.settings, submitted: false, fields: record.fields }) === null

const Values = ({ questions, record, values }: ColumnProps) => (
  <dl className={styles['values']}>
    {questions.flatMap((question) => {
      const value = Object.hasOwn(values, question.name) ? values[question.name]?.value : undefined
      if (value === undefined || !isReadable(question, value, record)) return []
      const { Value } = questionSlice(question.settings.type)
      return (
        <div key={question.id}>
          <dt className={styles['question']}>{question.title}</dt>
          <dd>
            <Value
              question={question as QuestionOf<QuestionKind>}
              value={value as ValueOf[QuestionKind]}
              fields={record.fields}
            />
          </dd>
        </div>
      )
    })}
  </dl>
)

/** Two answers to one record: both are shown, and the annotator picks. */
export const Conflict = ({ questions, record, mine, theirs, onKeepMine, onTakeTheirs }: Props) => {
  const { t } = useTranslation('features/annotate')
  const id = useId()
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
          {mine.kind === 'save' && <Values questions={questions} record={record} values={mine.values} />}
          <Button onClick={onKeepMine}>{t('conflict.keepMine')}</Button>
        </div>
        <div className={styles['column']}>
          <h3 className={styles['side']}>
            {t('conflict.theirs')} {theirs && <span className={styles['time']}>{formatDateTime(theirs.updated_at)}</span>}
          </h3>
          <StatusBadge status={theirs?.status ?? 'pending'} />
          {theirs && <Values questions={questions} record={record} values={theirs.values} />}
          <Button onClick={onTakeTheirs}>{t('conflict.takeTheirs')}</Button>
        </div>
      </div>
    </section>
  )
}
