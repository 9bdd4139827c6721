import type { ConditionMetadata } from '@postil/contract/conditions.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Answer } from '#lib/drafts/draft.ts'
import type { ChangeOptions, Shared } from '#question-types/define.ts'
import { createShared } from '#question-types/shared-state.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { missing } from './answers.ts'
import type { Form, FormSnapshot } from './form.ts'
import { createFormKeys } from './keys/form-keys.ts'
import { announceShown, shownQuestions } from './shown-questions.ts'

const noForm: FormSnapshot = { answers: {}, isEdited: false, canUndo: false, canRedo: false, depth: 0 }
const unsubscribed = (): (() => void) => () => {}

type Options = {
  /** Identifies the record or records being answered. When the ID changes, answering starts at the first question. */
  readonly id: string | null
  readonly form: Form | null
  readonly questions: readonly Question[]
  /** The record's metadata. Undefined if several records are answered. */
  readonly metadata: ConditionMetadata | undefined
  /** The record's fields. Undefined if several records are answered. */
  readonly fields?: JsonObject | undefined
  readonly onQuickAnswer: () => void
}

/**
 * The state of answering one or more records: the form, the active question, and the questions that must be answered before
 * submitting.
 */
export const useRecordScreen = ({ id, form, questions: all, metadata, fields, onQuickAnswer }: Options) => {
  const { t } = useTranslation('features/annotate')
  const snapshot = useSyncExternalStore(form?.subscribe ?? unsubscribed, () => form?.snapshot() ?? noForm)
  const questions = shownQuestions(all, snapshot.answers, metadata)
  useEffect(() => announceShown(id, questions), [id, questions])
  const keys = useMemo(() => createFormKeys(questions), [questions])
  const formElement = useRef<HTMLFormElement>(null)
  const [active, setActive] = useState<string | null>(questions[0]?.name ?? null)
  const [triedRecord, setTriedRecord] = useState<string | null>(null)
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

  const open = missing(questions, snapshot.answers, fields)

  const latest = useRef({ form, onQuickAnswer, metadata })
  useEffect(() => {
    latest.current = { form, onQuickAnswer, metadata }
  })
  const onAnswer = useCallback(
    (question: Question, answer: Answer, { done = false, quick = false, merge = false }: ChangeOptions = {}): void => {
      latest.current.form?.change(question.name, answer, merge)
      if (!done) return
      const { form, metadata } = latest.current
      const shown = shownQuestions(all, form?.snapshot().answers ?? {}, metadata)
      const next = shown[shown.indexOf(question) + 1]
      if (quick && all.length === 1) latest.current.onQuickAnswer()
      // The answer may have made the question appear. React renders it before the next microtask.
      else if (next) queueMicrotask(() => focusQuestion(next.name))
    },
    [all, focusQuestion],
  )
  const onFocusQuestion = useCallback((question: Question): void => setActive(question.name), [])

  /** The questions to mark as missing after the user has tried to submit. */
  const shownMissing = useMemo(
    () => new Set(triedRecord === id ? open.map((question) => question.name) : []),
    [triedRecord, id, open],
  )

  return {
    form,
    ...snapshot,
    /** The questions that aren't hidden. */
    questions,
    keys,
    formElement,
    active,
    sharedOf,
    focusQuestion,
    onAnswer,
    onFocusQuestion,
    missing: open,
    /** Props of the form that shows the questions. */
    formProps: {
      ref: formElement,
      questions,
      answers: snapshot.answers,
      keys,
      active,
      missing: shownMissing,
      sharedOf,
      onAnswer,
      onFocusQuestion,
    },
    isRestored: visit.wasEdited,
    /** Marks the questions that must be answered before submitting. */
    showMissing: (): void => {
      setTriedRecord(id)
      const [first] = open
      focusQuestion(first?.name)
      // Announced explicitly, because a screen reader says nothing if the question already has focus.
      if (first) announce(`${first.title}: ${t('question.missing')}`, 'assertive')
    },
    moveFocus: (by: 1 | -1): void => {
      const at = questions.findIndex((question) => question.name === active)
      focusQuestion(questions[Math.min(questions.length - 1, Math.max(0, at + by))]?.name)
    },
  }
}
