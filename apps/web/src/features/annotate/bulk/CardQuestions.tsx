import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useId } from 'react'
import type { Answer, Answers } from '#lib/drafts/draft.ts'
import type { AnswerOf, QuestionOf, Shared, SuggestionOf } from '#question-types/define.ts'
import { questionSlice } from '#question-types/registry.ts'
import { answerOf, suggestionFor } from '../answering/answers.ts'
import styles from './CardQuestions.module.css'

type Props = {
  readonly record: AnnotationRecord
  readonly questions: readonly Question[]
  readonly answers: Answers
  readonly sharedOf: (question: Question) => Shared
  readonly onAnswer: (question: Question, answer: Answer) => void
}

/** The questions whose options come from the record. They are answered on each card. */
export const CardQuestions = ({ questions, ...props }: Props) =>
  questions
    .filter(({ settings }) => questionSlice(settings).isOfRecord === true)
    .map((question) => <CardQuestion key={question.id} question={question} {...props} />)

const CardQuestion = ({
  record,
  question,
  answers,
  sharedOf,
  onAnswer,
}: Omit<Props, 'questions'> & { readonly question: Question }) => {
  const id = useId()
  const { Editor } = questionSlice(question.settings)
  return (
    // Editors look for the question that contains them.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't have the focus, which the editors give to the question
    <div role="group" tabIndex={-1} data-question={question.name} aria-labelledby={id} className={styles['question']}>
      <h3 id={id} className={styles['title']}>
        <bdi>{question.title}</bdi>
        {question.required && <span className={styles['star']}> *</span>}
      </h3>
      <Editor
        question={question as QuestionOf<QuestionKind>}
        answer={answerOf(answers, question) as AnswerOf<QuestionKind>}
        suggestion={suggestionFor(record, question) as SuggestionOf<QuestionKind> | null}
        fields={record.fields}
        labelledBy={id}
        describedBy={undefined}
        shared={sharedOf(question)}
        onChange={(answer) => onAnswer(question, answer as Answer)}
      />
    </div>
  )
}
