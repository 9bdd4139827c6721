import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { isSameValue, valueText } from '#question-types/value-text.ts'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { givenAnswers } from '../given-answers.ts'
import type { People } from '../people.ts'
import styles from './RecordsTable.module.css'

type Props = { readonly question: Question; readonly record: AnnotationRecord; readonly people: People }

/** Everyone's answers to one question. Answers that differ from each other are outlined. */
export const AnswerChips = ({ question, record, people }: Props) => {
  const answers = givenAnswers(record).flatMap(({ id, user_id, status, values }) => {
    const value = values && Object.hasOwn(values, question.name) ? values[question.name]?.value : undefined
    return value === undefined ? [] : [{ id, user_id, status, value }]
  })
  const submitted = answers.filter(({ status }) => status === 'submitted')
  const isSplit = submitted.some(({ value }) => !isSameValue(value, submitted[0]?.value))
  return (
    <span className={styles['chips']}>
      {answers.map(({ id, user_id, status, value }) => {
        const name = people.nameOf(user_id)
        const text = valueText(question, value)
        return (
          <span
            key={id}
            className={styles['chip']}
            data-status={status}
            data-differs={isSplit && status === 'submitted' ? '' : undefined}
            title={`${name}: ${text}`}
          >
            <span className={styles['initials']} data-initials={name.slice(0, 2)} aria-hidden="true" />
            <VisuallyHidden>{name}: </VisuallyHidden>
            <bdi>{text}</bdi>
          </span>
        )
      })}
    </span>
  )
}
