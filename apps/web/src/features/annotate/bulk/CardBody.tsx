import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { memo, useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import type { Answer } from '#lib/drafts/draft.ts'
import type { TextSearch } from '#lib/url/grammar.ts'
import type { ChangeOptions, Shared } from '#question-types/define.ts'
import { createShared } from '#question-types/shared-state.ts'
import { RecordFields } from '../components/record/RecordFields.tsx'
import type { Form } from '../form/form.ts'
import type { QueueItem } from '../queue/item.ts'
import styles from './CardBody.module.css'
import { CardSuggestions } from './CardSuggestions.tsx'
import { Folded } from './Folded.tsx'

type Props = {
  readonly record: QueueItem['record']
  readonly form: Form
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  /** The questions that are asked in the form. */
  readonly common: readonly Question[]
  readonly search: TextSearch | null
  /** Whether a long record is shown in full unless it is folded by hand. */
  readonly isWhole: boolean
  readonly onInclude: (id: string) => void
}

const nothing = (): void => {}

/** What a record says and what is suggested for it. A card that is selected does not draw it anew. */
export const CardBody = memo(({ record, form, fields, questions, common, search, isWhole, onInclude }: Props) => {
  const { answers } = useSyncExternalStore(form.subscribe, form.snapshot)
  const [opened, setOpened] = useState<{ readonly isWhole: boolean; readonly open: boolean } | null>(null)
  const isOpen = opened?.isWhole === isWhole ? opened.open : isWhole

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
      <Folded isOpen={isOpen} onOpen={(open) => setOpened({ isWhole, open })} recordId={record.id} search={search}>
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
      </Folded>
      <CardSuggestions record={record} questions={common} />
    </div>
  )
})
