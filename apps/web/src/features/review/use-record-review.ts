import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { Gold, GoldReason } from '@postil/contract/gold.ts'
import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createFormKeys, useShortcuts } from '#features/annotate/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Answer } from '#lib/drafts/draft.ts'
import type { ChangeOptions, Shared, ValueOf } from '#question-types/define.ts'
import type { KeyPress } from '#question-types/question-keys.ts'
import { questionSlice } from '#question-types/registry.ts'
import { useDigits } from '#question-types/shared/options/use-digits.ts'
import { createShared } from '#question-types/shared-state.ts'
import { valueText } from '#question-types/value-text.ts'
import { announce } from '#ui/feedback/announcer.ts'
import {
  type Candidate,
  candidatesOf,
  type Decision,
  type Decisions,
  decisionOn,
  firstQuestion,
  isOpen,
  isSettled,
  majorityOf,
  nextOpen,
  noDecision,
  type ReviewedQuestion,
} from './decisions.ts'
import { reasonOfKey } from './keys.ts'

type Options = {
  /** All questions, including hidden ones. */
  readonly all: readonly ReviewedQuestion[]
  /** The questions that aren't hidden for these decisions. */
  readonly shownFor: (decisions: Decisions) => readonly ReviewedQuestion[]
  readonly gold: Gold | null
  readonly decisions: Decisions
  readonly onDecide: (question: string, decision: Decision) => void
  readonly onFinish: () => void
  readonly onBack: () => void
  readonly onSkip: () => void
  readonly onReturn: () => void
}

type Value = ValueOf[QuestionKind]

/** The state of reviewing one record: the active question, open inputs, and the shortcuts. Each record needs its own state. */
export const useRecordReview = ({ all, shownFor, gold, decisions, onDecide, onFinish, onBack, onSkip, onReturn }: Options) => {
  const { t } = useTranslation('features/review')
  const reviewed = shownFor(decisions)
  const [active, setActive] = useState<string | null>(() => firstQuestion(reviewed, decisions, gold))
  const [editing, setEditing] = useState<string | null>(null)
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const [notes, setNotes] = useState<ReadonlySet<string>>(new Set())
  const [hasTried, setTried] = useState(false)
  const [hint, setHint] = useState<string | null>(null)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const record = useRef<HTMLDivElement>(null)
  const keys = useMemo(() => createFormKeys(all.map(({ question }) => question)), [all])
  const shared = useRef(new Map<string, Shared>())

  const blockOf = (name: string): HTMLElement | null =>
    form.current?.querySelector<HTMLElement>(`[data-reviewed="${CSS.escape(name)}"]`) ?? null
  const focusQuestion = (name: string | null): void => {
    if (name === null) return
    setActive(name)
    const block = blockOf(name)
    block?.focus({ preventScroll: true })
    block?.scrollIntoView({ block: 'nearest' })
  }
  const activeOne = reviewed.find(({ question }) => question.name === active) ?? null

  const change = (question: Question, next: Partial<Decision>): Decisions => {
    const decision = { ...(decisionOn(decisions, question) ?? noDecision), ...next }
    const changed = { ...decisions, [question.name]: decision }
    const added = shownFor(changed).filter((one) => !reviewed.includes(one))
    // If a question appears, it must be rendered synchronously, because the code after this may move the focus to it.
    if (added.length === 0) onDecide(question.name, decision)
    else flushSync(() => onDecide(question.name, decision))
    for (const { question: one } of added) announce(t('appeared', { title: one.title }))
    setHint(null)
    return changed
  }
  /** Moves on to the next open question after a decision. If there is none, the focus doesn't move. */
  const moveOn = (question: Question, next: Decisions): void => {
    setEditing(null)
    focusQuestion(nextOpen(shownFor(next), next, question.name)?.name ?? question.name)
  }
  const decide = (question: Question, value: AnswerValue | null, by: Decision['by']): void => {
    announce(value === null ? t('picked', { value: t('none') }) : t('picked', { value: valueText(question, value) }))
    moveOn(question, change(question, { value, by }))
  }

  const pick = (question: Question, candidate: Candidate): void => decide(question, candidate.value, 'choice')
  const pickNone = (question: Question): void => decide(question, null, 'choice')
  const majority = (question: Question): void => {
    const one = reviewed.find((each) => each.question.name === question.name)
    const top = one ? majorityOf(one.compared) : null
    if (top) decide(question, top.value, 'majority')
    else {
      setHint(t('tie'))
      announce(t('tie'), 'assertive')
    }
  }

  const unfold = (question: Question): void => {
    setUnfolded((before) => new Set([...before, question.name]))
    setActive(question.name)
  }
  const edit = (question: Question): void => {
    unfold(question)
    setEditing(question.name)
  }
  // This is a layout effect so that the focus moves before the next key press, which must already go to the input.
  useLayoutEffect(() => {
    if (editing === null) return
    const block = form.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(editing)}"]`)
    const field = block?.querySelector<HTMLElement>('textarea')
    ;(field ?? block)?.focus({ preventScroll: true })
    block?.scrollIntoView({ block: 'nearest' })
  }, [editing])

  /**
   * The answer that the open input shows. This is the reviewer's decision, if there is one. Otherwise, it is the most frequent
   * answer, or nothing if the question can be answered with a single key.
   */
  const editedAnswer = ({ question, compared }: ReviewedQuestion): Answer => {
    const slice = questionSlice(question.settings)
    const decision = decisionOn(decisions, question)
    const isUndecided = decision?.value === undefined
    const value = isUndecided && !slice.isQuick ? (compared.groups[0]?.value ?? null) : (decision?.value ?? null)
    const normalized = value === null ? null : (slice.normalize?.(value as Value) ?? value)
    return { value: normalized as AnswerValue | null, suggested: null }
  }
  const onAnswer = (question: Question, answer: Answer, { done = false }: ChangeOptions = {}): void => {
    const { toWire } = questionSlice(question.settings)
    const value = answer.value === null ? null : ((toWire?.(answer.value as Value) ?? answer.value) as AnswerValue)
    const next = change(question, { value, by: 'editor' })
    if (done) moveOn(question, next)
  }

  const setReason = (question: Question, reason: GoldReason): void => {
    const before = decisionOn(decisions, question)?.reason
    change(question, { reason: before === reason ? null : reason })
  }
  const openNote = (question: Question): void => {
    // Rendered synchronously, because the next key press must already go to the note.
    flushSync(() => setNotes((before) => new Set([...before, question.name])))
    blockOf(question.name)?.querySelector<HTMLElement>('textarea:not([data-question] *)')?.focus()
  }

  const finish = (): void => {
    const open = nextOpen(reviewed, decisions)
    if (open === null) onFinish()
    else {
      setTried(true)
      setEditing(null)
      focusQuestion(open.name)
      announce(`${open.title}: ${open.required ? t('missing') : t('missingOptional')}`, 'assertive')
    }
  }

  const move = (by: 1 | -1): void => {
    const at = reviewed.findIndex(({ question }) => question.name === active)
    focusQuestion(reviewed[Math.min(reviewed.length - 1, Math.max(0, at + by))]?.question.name ?? null)
  }

  const digits = useDigits((number) => {
    if (!activeOne) return
    const { question } = activeOne
    const candidate = candidatesOf(activeOne, decisions, gold)[number - 1]
    if (candidate) pick(question, candidate)
    else if (number === 0) pickNone(question)
  })
  const pressDigit = (digit: string, one: ReviewedQuestion): boolean => {
    const count = candidatesOf(one, decisions, gold).length
    const none = one.question.required ? [] : [0]
    return digits.press(digit, [...none, ...Array.from({ length: count }, (_, i) => i + 1)])
  }
  /** The actions of the letter keys, except the letters that choose a reason. */
  const letters: { readonly [key: string]: (question: Question) => void } = {
    m: majority,
    e: edit,
    n: (question) => {
      unfold(question)
      openNote(question)
    },
    r: onReturn,
    j: () => move(1),
    k: () => move(-1),
  }
  const actionOfLetter = (letter: string): ((question: Question) => void) | undefined => {
    const reason = reasonOfKey(letter)
    if (reason === null) return Object.hasOwn(letters, letter) ? letters[letter] : undefined
    return (question) => {
      unfold(question)
      setReason(question, reason)
    }
  }
  const dispatch = (press: KeyPress, isRepeated: boolean): boolean => {
    if (!activeOne) return false
    if (editing !== null) return keys.dispatch(press, editing)
    if (press.ctrl || press.alt) return false
    const key = press.shift ? press.key : (press.digit ?? press.key)
    // While a key is held, its repeated events must not decide the next question.
    if (/^\d$/.test(key)) return isRepeated || pressDigit(key, activeOne)
    digits.flush()
    const act = actionOfLetter(key.toLowerCase())
    if (act && (!isRepeated || /^[jk]$/i.test(key))) act(activeOne.question)
    return act !== undefined
  }
  useShortcuts({
    form,
    record,
    dispatch,
    onAction: (action) => {
      if (action === 'submit') finish()
      else if (action === 'discard' || action === 'previous') onBack()
      else if (action === 'next') onSkip()
      else if (action === 'nextQuestion') move(1)
      else if (action === 'previousQuestion') move(-1)
      else if (action === 'help') setHelpOpen(true)
      else if (action === 'toQuestion') {
        if (editing !== null) setEditing(null)
        focusQuestion(active)
      }
    },
  })

  // The first question gets the focus when the record appears.
  const start = useRef(() => focusQuestion(active))
  useEffect(() => {
    if (!document.activeElement?.closest('dialog, [popover]')) start.current()
  }, [])

  return {
    form,
    record,
    active,
    hint,
    isHelpOpen,
    setHelpOpen,
    finish,
    stateOf: (one: ReviewedQuestion) => {
      const { name } = one.question
      return {
        isActive: name === active,
        isFolded: isSettled(one, gold) && !unfolded.has(name),
        editing: name === editing ? editedAnswer(one) : null,
        isNoteOpen: notes.has(name) || (decisionOn(decisions, one.question)?.note ?? '') !== '',
        isMissing: hasTried && isOpen(one, decisions),
        keys: keys.registryOf(name),
      }
    },
    sharedOf: ({ name }: Question): Shared => {
      const known = shared.current.get(name) ?? createShared()
      shared.current.set(name, known)
      return known
    },
    editing: reviewed.find(({ question }) => question.name === editing) ?? null,
    editedAnswer,
    on: {
      focus: ({ name }: Question): void => setActive(name),
      unfold: (question: Question): void => {
        unfold(question)
        requestAnimationFrame(() => focusQuestion(question.name))
      },
      pick,
      pickNone,
      majority,
      edit,
      answer: onAnswer,
      reason: setReason,
      note: (question: Question, note: string): void => void change(question, { note }),
      openNote,
      leaveNote: ({ name }: Question): void => focusQuestion(name),
    },
  }
}
