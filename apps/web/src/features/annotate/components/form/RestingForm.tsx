import type { Question } from '@postil/contract/questions.ts'
import { useMemo, useRef } from 'react'
import { createShared } from '#question-types/shared-state.ts'
import { createFormKeys } from '../../keys/form-keys.ts'
import { ActionBar } from './ActionBar.tsx'
import { QuestionForm } from './QuestionForm.tsx'
import styles from './RestingForm.module.css'

const nothing = (): void => undefined
const noAnswers = {}
const noneMissing: ReadonlySet<string> = new Set()

/** The questions while there is no record to answer: where they were, so that nothing jumps, and out of everybody's reach. */
export const RestingForm = ({ questions }: { readonly questions: readonly Question[] }) => {
  const keys = useMemo(() => createFormKeys(questions), [questions])
  const shared = useMemo(() => new Map(questions.map(({ name }) => [name, createShared()])), [questions])
  const form = useRef<HTMLFormElement>(null)
  return (
    <div className={styles['resting']} aria-hidden="true" inert>
      <QuestionForm
        ref={form}
        isResting
        questions={questions}
        record={null}
        answers={noAnswers}
        keys={keys}
        active={null}
        missing={noneMissing}
        sharedOf={({ name }) => shared.get(name) ?? createShared()}
        onAnswer={nothing}
        onFocusQuestion={nothing}
        notice={null}
        after={null}
        footer={
          <ActionBar
            status="pending"
            canSubmit={false}
            blocked=""
            onSubmit={nothing}
            onDiscard={nothing}
            onSaveDraft={nothing}
            onClear={nothing}
            onCleared={nothing}
          />
        }
      />
    </div>
  )
}
