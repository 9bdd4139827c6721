import type { Question } from '@postil/contract/questions.ts'
import { useMemo, useRef } from 'react'
import { createShared } from '#question-types/shared-state.ts'
import { createFormKeys } from '../keys/form-keys.ts'
import { ActionBar } from './ActionBar.tsx'
import styles from './InertForm.module.css'
import { QuestionForm } from './QuestionForm.tsx'

const noop = (): void => undefined
const noAnswers = {}
const noneMissing: ReadonlySet<string> = new Set()

/** Shows the questions while there is no record to answer, so that the layout doesn't jump. They can't be focused. */
export const InertForm = ({ questions }: { readonly questions: readonly Question[] }) => {
  const keys = useMemo(() => createFormKeys(questions), [questions])
  const shared = useMemo(() => new Map(questions.map(({ name }) => [name, createShared()])), [questions])
  const form = useRef<HTMLFormElement>(null)
  return (
    <div className={styles['resting']} aria-hidden="true" inert>
      <QuestionForm
        ref={form}
        isInert
        questions={questions}
        record={null}
        answers={noAnswers}
        keys={keys}
        active={null}
        missing={noneMissing}
        sharedOf={({ name }) => shared.get(name) ?? createShared()}
        onAnswer={noop}
        onFocusQuestion={noop}
        notice={null}
        after={null}
        footer={
          <ActionBar
            status="pending"
            missingId={null}
            blocked=""
            onSubmit={noop}
            onDiscard={noop}
            onSaveDraft={noop}
            onClear={noop}
            onCleared={noop}
          />
        }
      />
    </div>
  )
}
