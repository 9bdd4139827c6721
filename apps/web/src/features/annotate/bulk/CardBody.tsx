import type { TextSearch } from '@postil/contract/annotation-query/grammar.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { memo, useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import type { Answer } from '#lib/drafts/draft.ts'
import type { ChangeOptions, Shared } from '#question-types/define.ts'
import { createShared } from '#question-types/shared-state.ts'
import type { Form } from '../answering/form.ts'
import type { ListItem } from '../queue/list-item.ts'
import { RecordFields } from '../record/RecordFields.tsx'
import styles from './CardBody.module.css'
import { CardQuestions } from './CardQuestions.tsx'
import { CardSuggestions } from './CardSuggestions.tsx'
import { FoldedContent } from './FoldedContent.tsx'

type Props = {
  readonly record: ListItem['record']
  readonly form: Form
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  /** The questions of the form. */
  readonly common: readonly Question[]
  readonly search: TextSearch | null
  /** Whether long records are shown in full. The user can change this for each record. */
  readonly isExpanded: boolean
  readonly onInclude: (id: string) => void
}

const nothing = (): void => {}

/** The fields and suggestions of a record. Memoized, so that selecting a card doesn't render them again. */
export const CardBody = memo(({ record, form, fields, questions, common, search, isExpanded, onInclude }: Props) => {
  const { answers } = useSyncExternalStore(form.subscribe, form.snapshot)
  const [opened, setOpened] = useState<{ readonly isExpanded: boolean; readonly open: boolean } | null>(null)
  const isOpen = opened?.isExpanded === isExpanded ? opened.open : isExpanded

  const byQuestion = useMemo(() => new Map<string, Shared>(), [])
  const sharedOf = useCallback(
    (question: Question): Shared => {
      const shared = byQuestion.get(question.name) ?? createShared()
      byQuestion.set(question.name, shared)
      return shared
    },
    [byQuestion],
  )
  const onAnswer = useCallback(
    (question: Question, answer: Answer, { merge = false }: ChangeOptions = {}): void => {
      form.change(question.name, answer, merge)
      onInclude(record.id)
    },
    [form, onInclude, record.id],
  )

  return (
    <div className={styles['body']}>
      <FoldedContent isOpen={isOpen} onOpen={(open) => setOpened({ isExpanded, open })} recordId={record.id} search={search}>
        <RecordFields
          record={record}
          fields={fields}
          questions={questions}
          answers={answers}
          search={search}
          sharedOf={sharedOf}
          onAnswer={onAnswer}
          onFocusQuestion={nothing}
        />
      </FoldedContent>
      <CardQuestions record={record} questions={questions} answers={answers} sharedOf={sharedOf} onAnswer={onAnswer} />
      <CardSuggestions record={record} questions={common} />
    </div>
  )
})
