import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { ReactNode, Ref } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import type { ChangeOptions, Shared } from '#question-types/define.ts'
import { answerOf, suggestionFor } from '../../form/answers.ts'
import type { FormKeys } from '../../keys/form-keys.ts'
import { QuestionBlock } from './QuestionBlock.tsx'
import styles from './QuestionForm.module.css'

type Props = {
  readonly ref: Ref<HTMLFormElement>
  /** What scrolls. */
  readonly scrollRef?: Ref<HTMLDivElement>
  readonly questions: readonly Question[]
  /** Nothing can be answered now: its questions are no headings, and none that keys and focus go to. */
  readonly isResting?: boolean
  /** The record that is answered; null where the answers are for many. */
  readonly record: AnnotationRecord | null
  readonly answers: Answers
  readonly keys: FormKeys
  readonly active: string | null
  /** Questions that a submit was tried without. */
  readonly missing: ReadonlySet<string>
  readonly sharedOf: (question: Question) => Shared
  readonly onAnswer: (question: Question, answer: Answers[string], options?: ChangeOptions) => void
  readonly onFocusQuestion: (question: Question) => void
  /** What is to be known before the questions: edits, conflicts. */
  readonly notice: ReactNode
  /** What comes after the last question. */
  readonly after: ReactNode
  readonly footer: ReactNode
}

/** The margin: every question of the dataset, and what can be done with the answers. */
export const QuestionForm = ({ ref, scrollRef, isResting = false, questions, record, notice, after, footer, ...rest }: Props) => {
  const { t } = useTranslation('features/annotate')
  return (
    <form
      ref={ref}
      className={styles['form']}
      aria-label={t('form.name')}
      noValidate
      onSubmit={(event) => event.preventDefault()}
    >
      <div ref={scrollRef} className={styles['scroll']}>
        {notice}
        <div className={styles['questions']}>
          {questions.map((question) => (
            <QuestionBlock
              key={`${record?.id ?? ''} ${question.id}`}
              question={question}
              isResting={isResting}
              answer={answerOf(rest.answers, question)}
              suggestion={record && suggestionFor(record, question)}
              fields={record?.fields ?? null}
              shared={rest.sharedOf(question)}
              keys={rest.keys.registryOf(question.name)}
              isActive={rest.active === question.name}
              isMissing={rest.missing.has(question.name)}
              onAnswer={rest.onAnswer}
              onFocus={rest.onFocusQuestion}
            />
          ))}
        </div>
        {after && <div className={styles['after']}>{after}</div>}
      </div>
      {footer}
    </form>
  )
}
