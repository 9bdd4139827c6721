import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { ReactNode, Ref } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import type { ChangeOptions, Shared } from '#question-types/define.ts'
import { answerOf, suggestionFor } from '../answers.ts'
import type { FormKeys } from '../keys/form-keys.ts'
import { QuestionBlock } from './QuestionBlock.tsx'
import styles from './QuestionForm.module.css'

type Props = {
  readonly ref: Ref<HTMLFormElement>
  /** The scroll container. */
  readonly scrollRef?: Ref<HTMLDivElement>
  readonly questions: readonly Question[]
  /**
   * True if the questions can't be answered. Their titles then aren't headings, and neither shortcuts nor the focus can reach the
   * questions.
   */
  readonly isInert?: boolean
  /** The record that is answered. Null if several records are answered. */
  readonly record: AnnotationRecord | null
  readonly answers: Answers
  readonly keys: FormKeys
  readonly active: string | null
  /** The questions that were unanswered when the user tried to submit. */
  readonly missing: ReadonlySet<string>
  readonly sharedOf: (question: Question) => Shared
  readonly onAnswer: (question: Question, answer: Answers[string], options?: ChangeOptions) => void
  readonly onFocusQuestion: (question: Question) => void
  /** Notices about edits or conflicts, shown before the questions. */
  readonly notice: ReactNode
  /** A setting for how the questions are answered, shown below them. */
  readonly setting?: ReactNode
  /** Content after the last question. */
  readonly after: ReactNode
  readonly footer: ReactNode
}

export const QuestionForm = ({
  ref,
  scrollRef,
  isInert = false,
  questions,
  record,
  notice,
  setting,
  after,
  footer,
  ...rest
}: Props) => {
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
              isInert={isInert}
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
        {setting && <div className={styles['setting']}>{setting}</div>}
        {after && <div className={styles['after']}>{after}</div>}
      </div>
      {footer}
    </form>
  )
}
