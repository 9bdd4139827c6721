import type { AnswerValue, AnswerValues } from '@postil/contract/answer-value.ts'
import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { QuestionOf, ValueOf } from '#question-types/define.ts'
import { questionSlice } from '#question-types/registry.ts'
import styles from './AnswerList.module.css'

type Props = {
  readonly questions: readonly Question[]
  readonly record: Pick<AnnotationRecord, 'fields'>
  readonly values: AnswerValues
  /** Answers to compare with. Questions with different values are marked, and so are the parts that differ. */
  readonly others?: AnswerValues
}

const isReadable = (question: Question, value: AnswerValue, { fields }: Props['record']): boolean =>
  questionSlice(question.settings).rules.check(value, { settings: question.settings, submitted: false, fields }) === null

const valueIn = (values: AnswerValues, { name }: Question): AnswerValue | undefined =>
  Object.hasOwn(values, name) ? values[name]?.value : undefined

const isSameValue = (question: Question, a: AnswerValue | undefined, b: AnswerValue | undefined): boolean => {
  const { normalize } = questionSlice(question.settings)
  const print = (value: AnswerValue | undefined) =>
    JSON.stringify(value === undefined ? null : (normalize?.(value as ValueOf[QuestionKind]) ?? value))
  return print(a) === print(b)
}

/** Answers, read-only, each below its question. Values that the question's settings no longer contain are left out. */
export const AnswerList = ({ questions, record, values, others }: Props) => {
  const { t } = useTranslation('features/annotate')
  return (
    <dl className={styles['values']}>
      {questions.flatMap((question) => {
        const value = valueIn(values, question)
        const other = others && valueIn(others, question)
        const isDifferent = others !== undefined && !isSameValue(question, value, other)
        const isShown = value !== undefined && isReadable(question, value, record)
        if (!isShown && !isDifferent) return []
        const { Value } = questionSlice(question.settings)
        return (
          <div key={question.id} data-differs={isDifferent || undefined}>
            <dt className={styles['question']}>
              <bdi>{question.title}</bdi>
              {isDifferent && <span className={styles['differs']}>{t('conflict.differs')}</span>}
            </dt>
            <dd>
              {isShown ? (
                <Value
                  question={question as QuestionOf<QuestionKind>}
                  value={value as ValueOf[QuestionKind]}
                  fields={record.fields}
                  {...(other !== undefined && isReadable(question, other, record) && { other: other as ValueOf[QuestionKind] })}
                />
              ) : (
                <span className={styles['none']}>{t('conflict.noAnswer')}</span>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
