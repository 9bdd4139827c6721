import type { Span } from '@postil/contract/answer-value.ts'
import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import { askedTurns, type CountedTurn } from '@postil/contract/question-types/turns.rules.ts'
import { use, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import type { SharedFieldEditorProps } from '../define.ts'
import { LabelHuesContext } from '../shared/labels/label-hues.ts'
import { useDigits } from '../shared/options/use-digits.ts'
import { type Cell, clearTurn, pickLabel, type Step, stepFrom } from './model.ts'
import { onRequest, type TurnsRequest } from './session.ts'
import type { Chip, TurnHandlers } from './TurnLabels.tsx'
import { type AskedQuestion, chipsOf, type TurnState } from './TurnRow.tsx'

type Editor = SharedFieldEditorProps<'turns'>['editors'][number]

/** The cells of all questions, ordered by turn, then by question. */
const cellsOf = (questions: readonly Editor['question'][], turns: readonly CountedTurn[]): readonly Cell[] => {
  const asked = questions.map(({ settings }) => new Set(askedTurns(turns, settings.unit)))
  return turns.flatMap((turn) => asked.flatMap((of, question) => (of.has(turn) ? [{ turn: turn.index, question }] : [])))
}

const noHues: ReadonlyMap<string, number> = new Map()
const noLabels: readonly string[] = []

/** Groups the labels in a list of spans by turn. The keys are the positions at which the turns start. */
const labelsByStart = (spans: readonly Span[] | null): ReadonlyMap<number, readonly string[]> => {
  const found = new Map<number, string[]>()
  for (const { start, label } of spans ?? []) found.set(start, [...(found.get(start) ?? []), label])
  return found
}

/** Returns the list of an earlier render as long as the new list has the same items. */
const useSameList = <T>(list: readonly T[]): readonly T[] => {
  const [kept, setKept] = useState(list)
  const isSame = kept.length === list.length && list.every((item, i) => item === kept[i])
  if (!isSame) setKept(list)
  return isSame ? kept : list
}

const isSameCell = (a: Cell, b: Cell | null): boolean => a.turn === b?.turn && a.question === b.question

type Options = {
  readonly editors: readonly Editor[]
  /** The turns in the order in which they are shown. */
  readonly turns: readonly CountedTurn[]
  /** Returns the text that is announced when a label of a turn is set or removed. */
  readonly said: (turn: CountedTurn, label: string, isOn: boolean) => string
  /** The keys that move between cells. */
  readonly stepOf: (key: string) => Step | undefined
  /** Moves the focus to a cell. */
  readonly show: (cell: Cell) => void
}

/** How the turns of a field are labeled: the cells, their labels, and what keys do. */
export const useTurns = ({ editors, turns, said, stepOf, show }: Options) => {
  const { t } = useTranslation('question-types/turns')
  const hues = use(LabelHuesContext)
  const [current, setCurrent] = useState<Cell | null>(null)
  const target = useRef<Cell | null>(null)
  const turnAt = useMemo(() => new Map(turns.map((turn) => [turn.index, turn])), [turns])
  const questions = useSameList(editors.map(({ question }) => question))
  const suggestions = useSameList(editors.map(({ suggestion }) => suggestion))
  const asked = useMemo(
    () => questions.map((question, i): AskedQuestion => ({ question, suggestion: suggestions[i] ?? null })),
    [questions, suggestions],
  )
  const cells = useMemo(() => cellsOf(questions, turns), [questions, turns])
  const byTurn = useMemo(() => Map.groupBy(cells, ({ turn }) => turn), [cells])
  const given = editors.map(({ answer }) => ({ on: labelsByStart(answer.value), suggested: labelsByStart(answer.suggested) }))
  const isOpen = ({ turn, question }: Cell): boolean => !given[question]?.on.has(turnAt.get(turn)?.start ?? -1)

  const focusCell = (cell: Cell): void => {
    setCurrent(cell)
    show(cell)
  }

  const pick = (cell: Cell, label: string, byKey: boolean): void => {
    const [editor, turn] = [editors[cell.question], turnAt.get(cell.turn)]
    if (editor === undefined || turn === undefined) return
    const { unit, options } = editor.question.settings
    const { answer, isOn } = pickLabel(editor.answer, turn, label, unit.exclusive)
    const text = options.find((option) => option.value === label)?.text || label
    announce(said(turn, text, isOn))
    const moves = byKey && isOn && unit.exclusive
    const next = moves ? stepFrom(cells, cell, 'next') : null
    const isLast = moves && next === null && cells.every((one) => isSameCell(one, cell) || !isOpen(one))
    // After the last turn, the focus moves to the form's next question.
    editor.onChange(answer, isLast ? { done: true } : undefined)
    if (next) focusCell(next)
  }

  const digits = useDigits((number) => {
    const cell = target.current
    const editor = cell && editors[cell.question]
    const option = editor && offeredOptions(editor.question.settings)[number - 1]
    if (cell && option) pick(cell, option.value, true)
  })

  const press = (cell: Cell, key: string): boolean => {
    const [editor, turn] = [editors[cell.question], turnAt.get(cell.turn)]
    if (editor === undefined || turn === undefined) return false
    const numbers = offeredOptions(editor.question.settings).map((_, index) => index + 1)
    target.current = cell
    if (digits.press(key, numbers)) return true
    if (key === 'Delete' || key === 'Backspace') {
      editor.onChange(clearTurn(editor.answer, turn))
      announce(said(turn, t('noLabels'), true))
      return true
    }
    if (key === 'Escape') {
      document.querySelector<HTMLElement>('[data-question][data-active]')?.focus({ preventScroll: true })
      return true
    }
    const step = stepOf(key)
    const next = step && stepFrom(cells, cell, step)
    if (next) focusCell(next)
    return step !== undefined
  }

  const handle = (question: number, request: TurnsRequest): void => {
    const own = cells.filter((cell) => cell.question === question)
    const here = own.findIndex((cell) => isSameCell(cell, current))
    const open = own.find(isOpen) ?? own[0]
    if (request.kind === 'next') {
      const next = (here < 0 ? undefined : own.slice(here + 1).find(isOpen)) ?? open
      if (next) focusCell(next)
      return
    }
    const cell = own[here] ?? open
    if (cell === undefined) return
    focusCell(cell)
    // The first J or K only moves into the conversation.
    if (here >= 0 || /^\d$/.test(request.key)) press(cell, request.key)
  }

  const latest = useRef({ handle, pick, press, focusCell, editors, current })
  useEffect(() => {
    latest.current = { handle, pick, press, focusCell, editors, current }
  })
  const [on] = useState(
    (): TurnHandlers => ({
      focus: (cell) => {
        const { editors: all, current: before } = latest.current
        if (!isSameCell(cell, before)) setCurrent(cell)
        all[cell.question]?.onFocus?.()
      },
      pick: (cell, label) => {
        latest.current.pick(cell, label, false)
        latest.current.focusCell(cell)
      },
      key: (cell, key) => latest.current.press(cell, key),
    }),
  )
  const sharedStates = editors.map(({ shared }) => shared)
  useEffect(() => {
    const stops = sharedStates.map((shared, question) => onRequest(shared, (request) => latest.current.handle(question, request)))
    return () => {
      for (const stopListening of stops) stopListening()
    }
    // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new in each render, its items are not
  }, sharedStates)

  /** The labels of a cell. */
  const stateOf = ({ turn, question }: Cell): TurnState => {
    const start = turnAt.get(turn)?.start ?? -1
    const labels = given[question]
    return { on: labels?.on.get(start) ?? noLabels, suggested: labels?.suggested.get(start) ?? noLabels }
  }
  /** The labels to choose from in a cell. */
  const chipsIn = (cell: Cell): readonly Chip[] => {
    const [one, turn] = [asked[cell.question], turnAt.get(cell.turn)]
    return one === undefined || turn === undefined ? [] : chipsOf(one, hues.get(one.question.id) ?? noHues, turn, stateOf(cell))
  }
  /** The cell that Tab reaches. */
  const stop = cells.find((cell) => isSameCell(cell, current)) ?? cells[0]
  return { byTurn, asked, hues, stop, current, setCurrent, press, stateOf, chipsIn, on }
}
