import type { AnswerValue, AnswerValues } from '@postil/contract/answer-value.ts'
import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { QuestionOf, ValueOf } from '#question-types/define.ts'
import { questionSlice } from '#question-types/registry.ts'
import styles from './AnswerList.module.css'

type Props = {
  readonly questions: readonly Question[]
  readonly record: Pick<AnnotationRecord, 'fields'>
  readonly values: AnswerValues
}

const isReadable = (question: Question, value: AnswerValue, { fields }: Props['record']): boolean =>
  questionSlice(question.settings).rules.check(value, { settings: question.settings, submitted: false, fields }) === null

/** Answers, read-only, each below its question. Values that the question's settings no longer contain are left out. */
export const AnswerList = ({ questions, record, values }: Props) => (
  <dl className={styles['values']}>
    {questions.flatMap((question) => {
      const value = Object.hasOwn(values, question.name) ? values[question.name]?.value : undefined
      if (value === undefined || !isReadable(question, value, record)) return []
      const { Value } = questionSlice(question.settings)
      return (
        <div key={question.id}>
          <dt className={styles['question']}>
            <bdi>{question.title}</bdi>
          </dt>
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
