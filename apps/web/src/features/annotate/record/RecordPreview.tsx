import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useState } from 'react'
import type { Answers } from '#lib/drafts/draft.ts'
import { createShared } from '#question-types/shared-state.ts'
import { answerOf, suggestedAnswers, suggestionFor } from '../answering/answers.ts'
import { QuestionBlock } from '../answering/form/QuestionBlock.tsx'
import { RecordFields } from './RecordFields.tsx'
import styles from './RecordPreview.module.css'

type Props = {
  readonly record: AnnotationRecord
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
}

const noKeys = { register: () => () => {} }
const nothing = (): void => {}

/** Shows a record and its form as annotators see them. Answers are not stored. Each record needs its own React `key`. */
export const RecordPreview = ({ record, fields, questions }: Props) => {
  const [answers, setAnswers] = useState<Answers>(() => suggestedAnswers(questions, record))
  const [shared] = useState(() => new Map(questions.map(({ id }) => [id, createShared()])))
  const sharedOf = ({ id }: Question) => shared.get(id) ?? createShared()
  const onAnswer = ({ name }: Question, answer: Answers[string]) => setAnswers((before) => ({ ...before, [name]: answer }))
  return (
    <>
      <div className={styles['record']}>
        <RecordFields
          record={record}
          fields={fields}
          questions={questions}
          answers={answers}
          search={null}
          sharedOf={sharedOf}
          onAnswer={onAnswer}
          onFocusQuestion={nothing}
        />
      </div>
      <div className={styles['questions']}>
        {questions.map((question) => (
          <QuestionBlock
            key={question.id}
            question={question}
            answer={answerOf(answers, question)}
            suggestion={suggestionFor(record, question)}
            fields={record.fields}
            shared={sharedOf(question)}
            keys={noKeys}
            isActive={false}
            isMissing={false}
            onAnswer={onAnswer}
            onFocus={nothing}
          />
        ))}
      </div>
    </>
  )
}
