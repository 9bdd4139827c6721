import type { Question } from '@postil/contract/questions.ts'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Answer } from '#lib/drafts/draft.ts'
import type { ChangeOptions, Shared } from '#question-types/define.ts'
import { createShared } from '#question-types/shared-state.ts'
import { announce } from '#ui/telling/announcer.ts'
import { missing } from './form/answers.ts'
import type { Form, FormSnapshot } from './form/form.ts'
import { createFormKeys } from './keys/form-keys.ts'

const noForm: FormSnapshot = { answers: {}, isEdited: false, canUndo: false, canRedo: false, depth: 0 }
const nothing = (): (() => void) => () => {}

type Options = {
  /** Names what is answered: another one begins with the first question. */
  readonly id: string | null
  readonly form: Form | null
  readonly questions: readonly Question[]
  readonly onQuick: () => void
}

/** What is answered on the screen, a record or many: its form, which question is in use, and what a submit still waits for. */
export const useRecordScreen = ({ id, form, questions, onQuick }: Options) => {
  const { t } = useTranslation('features/annotate')
  const snapshot = useSyncExternalStore(form?.subscribe ?? nothing, () => form?.snapshot() ?? noForm)
  const keys = useMemo(() => createFormKeys(questions), [questions])
  const formElement = useRef<HTMLFormElement>(null)
  const [active, setActive] = useState<string | null>(questions[0]?.name ?? null)
  const [tried, setTried] = useState<string | null>(null)
  const [visit, setVisit] = useState<{ readonly id: string | null; readonly wasEdited: boolean }>({ id: null, wasEdited: false })
  if (visit.id !== id) {
    setVisit({ id, wasEdited: snapshot.isEdited })
    setActive(questions[0]?.name ?? null)
  }

  const shared = useRef({ id, byQuestion: new Map<string, Shared>() })
  const sharedOf = useCallback(
    (question: Question): Shared => {
      if (shared.current.id !== id) shared.current = { id, byQuestion: new Map() }
      const known = shared.current.byQuestion.get(question.name) ?? createShared()
      shared.current.byQuestion.set(question.name, known)
      return known
    },
    [id],
  )

  const focusQuestion = useCallback((name: string | undefined): void => {
    const block =
      name === undefined ? null : formElement.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(name)}"]`)
    block?.focus({ preventScroll: true })
    block?.scrollIntoView({ block: 'nearest' })
  }, [])

  const open = missing(questions, snapshot.answers)

  const latest = useRef({ form, onQuick })
  useEffect(() => {
    latest.current = { form, onQuick }
  })
  const onAnswer = useCallback(
    (question: Question, answer: Answer, { done = false, quick = false, merge = false }: ChangeOptions = {}): void => {
      latest.current.form?.change(question.name, answer, merge)
      if (!done) return
      const next = questions[questions.indexOf(question) + 1]
      if (quick && questions.length === 1) latest.current.onQuick()
      else if (next) focusQuestion(next.name)
    },
    [questions, focusQuestion],
  )
  const onFocusQuestion = useCallback((question: Question): void => setActive(question.name), [])

  /** Questions to mark as missing, once a submit was tried without them. */
  const shownMissing = useMemo(() => new Set(tried === id ? open.map((question) => question.name) : []), [tried, id, open])

  return {
    form,
    ...snapshot,
    keys,
    formElement,
    active,
    sharedOf,
    focusQuestion,
    onAnswer,
    onFocusQuestion,
    missing: open,
    /** For the form that shows the questions. */
    formProps: {
      ref: formElement,
      answers: snapshot.answers,
      keys,
      active,
      missing: shownMissing,
      sharedOf,
      onAnswer,
      onFocusQuestion,
    },
    /** The form was edited when the record came on the screen. */
    isFromBefore: visit.wasEdited,
    /** Shows what a submit waits for. */
    showMissing: (): void => {
      setTried(id)
      const [first] = open
      focusQuestion(first?.name)
      // Said by itself: where the focus is there already, nothing of it is read.
      if (first) announce(`${first.title}: ${t('question.missing')}`, 'assertive')
    },
    moveFocus: (by: 1 | -1): void => {
      const at = questions.findIndex((question) => question.name === active)
      focusQuestion(questions[Math.min(questions.length - 1, Math.max(0, at + by))]?.name)
    },
  }
}
