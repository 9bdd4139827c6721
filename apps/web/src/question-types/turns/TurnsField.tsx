import type { Span } from '@postil/contract/answer-value.ts'
import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import { askedTurns, type CountedTurn, countedTurns } from '@postil/contract/question-types/turns.rules.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { use, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Message } from '#field-types/chat/Message.tsx'
import { bubblesOf, initialMessageCount, messagesOf } from '#field-types/chat/messages.ts'
import chat from '#field-types/chat/View.module.css'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import type { FieldEditorProps, SharedFieldEditorProps } from '../define.ts'
import { LabelHuesContext } from '../shared/labels/label-hues.ts'
import '../shared/labels/label-colours.css'
import { numbered } from '../shared/options/option-list.ts'
import { useDigits } from '../shared/options/use-digits.ts'
import { itemScore } from '../shared/suggestions/scores.ts'
import { type Cell, clearTurn, pickLabel, type Step, stepFrom } from './model.ts'
import { onRequest, type TurnsRequest } from './session.ts'
import { type Chip, type TurnHandlers, TurnLabels } from './TurnLabels.tsx'
import styles from './TurnsField.module.css'

type Editor = SharedFieldEditorProps<'turns'>['editors'][number]
const steps: ReadonlyMap<string, Step> = new Map([
  ['j', 'nextTurn'],
  ['ArrowDown', 'nextTurn'],
  ['k', 'previousTurn'],
  ['ArrowUp', 'previousTurn'],
  ['ArrowRight', 'nextQuestion'],
  ['ArrowLeft', 'previousQuestion'],
])
const stepOf = (key: string): Step | undefined => steps.get(key) ?? steps.get(key.toLowerCase())

/** The cells of all questions, ordered by turn, then by question. */
const cellsOf = (editors: readonly Editor[], turns: readonly CountedTurn[]): readonly Cell[] => {
  const asked = editors.map(({ question }) => new Set(askedTurns(turns, question.settings.unit)))
  return turns.flatMap((turn) => asked.flatMap((of, question) => (of.has(turn) ? [{ turn: turn.index, question }] : [])))
}

const idOf = (id: string, { turn, question }: Cell): string => `${id}-${turn}-${question}`
const noCells: readonly Cell[] = []
const noHues: ReadonlyMap<string, number> = new Map()

/** How many characters of a message are shown if the conversation itself is shown elsewhere. */
const excerptLength = 120

const excerptOf = (text: string): string => {
  const characters = Array.from(text)
  return characters.length <= excerptLength ? text : `${characters.slice(0, excerptLength).join('')}…`
}

/** The labels of each turn of a list of spans, by the start of the turn. */
const labelsByStart = (spans: readonly Span[] | null): ReadonlyMap<number, readonly string[]> => {
  const found = new Map<number, string[]>()
  for (const { start, label } of spans ?? []) found.set(start, [...(found.get(start) ?? []), label])
  return found
}
const noLabels: readonly string[] = []

/** The labels to choose from for a turn, with their state. */
const chipsOf = ({ question, suggestion }: Editor, hues: ReadonlyMap<string, number>, labels: TurnState): readonly Chip[] => {
  const { on, suggested, start } = labels
  const scores = new Map(
    (suggestion?.value ?? []).flatMap((span, index): [string, number | null][] =>
      suggestion && span.start === start ? [[span.label, itemScore(suggestion, index)]] : [],
    ),
  )
  return numbered(offeredOptions(question.settings, (value) => on.includes(value))).map(
    ({ value, text, number, description }): Chip => ({
      value,
      text: text || value,
      number,
      description,
      state: suggested.includes(value) ? 'suggested' : on.includes(value) ? 'on' : 'off',
      score: scores.get(value),
      hue: hues.get(value),
    }),
  )
}
type TurnState = { readonly start: number; readonly on: readonly string[]; readonly suggested: readonly string[] }

const isSameCell = (a: Cell, b: Cell | null): boolean => a.turn === b?.turn && a.question === b.question

/** A conversation with labels below each message, for all questions about turns of the field. */
export const TurnsField = ({ editors, isBeside }: SharedFieldEditorProps<'turns'>) => {
  const { t } = useTranslation('question-types/turns')
  const first = editors[0]
  const value: JsonValue = first?.value ?? null
  const id = useId()
  const hues = use(LabelHuesContext)
  const [current, setCurrent] = useState<Cell | null>(null)
  const target = useRef<Cell | null>(null)
  const bubbles = useMemo(() => {
    const messages = messagesOf(value)
    return bubblesOf(isBeside ? messages.map((one) => ({ ...one, content: excerptOf(one.content) })) : messages)
  }, [value, isBeside])
  const initialCount = useMemo(() => initialMessageCount(bubbles), [bubbles])
  const turns = useMemo(() => countedTurns(value), [value])
  const cells = cellsOf(editors, turns)
  const byTurn = Map.groupBy(cells, ({ turn }) => turn)
  const given = editors.map(({ answer }) => ({ on: labelsByStart(answer.value), suggested: labelsByStart(answer.suggested) }))
  const isOpen = ({ turn, question }: Cell): boolean => !given[question]?.on.has(turns[turn]?.start ?? -1)
  /** The cell that Tab reaches. */
  const stop = cells.find((cell) => isSameCell(cell, current)) ?? cells[0]

  const focusCell = (cell: Cell): void => {
    setCurrent(cell)
    const element = document.getElementById(idOf(id, cell))
    element?.focus({ preventScroll: true })
    element?.closest('li')?.scrollIntoView({ block: 'nearest' })
  }

  const pick = (cell: Cell, label: string, byKey: boolean): void => {
    const [editor, turn] = [editors[cell.question], turns[cell.turn]]
    if (editor === undefined || turn === undefined) return
    const { unit, options } = editor.question.settings
    const { answer, isOn } = pickLabel(editor.answer, turn, label, unit.exclusive)
    const text = options.find((option) => option.value === label)?.text || label
    const said = { number: turn.index + 1, label: text }
    announce(isOn ? t('set', said) : t('removed', said))
    const moves = byKey && isOn && unit.exclusive
    const next = moves ? stepFrom(cells, cell, 'next') : null
    const isLast = moves && next === null && cells.every((one) => isSameCell(one, cell) || !isOpen(one))
    // The next question of the form takes the focus after the last turn.
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
    const [editor, turn] = [editors[cell.question], turns[cell.turn]]
    if (editor === undefined || turn === undefined) return false
    const numbers = offeredOptions(editor.question.settings).map((_, index) => index + 1)
    target.current = cell
    if (digits.press(key, numbers)) return true
    if (key === 'Delete' || key === 'Backspace') {
      editor.onChange(clearTurn(editor.answer, turn))
      announce(t('set', { number: turn.index + 1, label: t('noLabels') }))
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
    const here = own.find((cell) => isSameCell(cell, current))
    const open = own.find(isOpen) ?? own[0]
    if (request.kind === 'next') {
      const next = own.find((cell) => here !== undefined && cell.turn > here.turn && isOpen(cell)) ?? open
      if (next) focusCell(next)
      return
    }
    const cell = here ?? open
    if (cell === undefined) return
    focusCell(cell)
    // The first J or K only moves into the conversation.
    if (here !== undefined || stepOf(request.key) === undefined) press(cell, request.key)
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

  if (first === undefined) return null
  return (
    <ol className={`${chat['chat']} ${styles['field']}`} aria-label={isBeside ? first.label : undefined}>
      {bubbles.map((bubble, index) => {
        const turn = turns[index]
        const asked = byTurn.get(index) ?? noCells
        return (
          <Message
            // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a conversation have no ID and keep their order
            key={index}
            bubble={bubble}
            isMarkdown={first.isMarkdown === true && !isBeside}
            search={first.search}
            isFar={index >= initialCount}
          >
            {turn && asked.length > 0 && (
              <div className={styles['cells']}>
                {asked.map((cell) => {
                  const editor = editors[cell.question]!
                  const { id: questionId, title } = editor.question
                  const labels = given[cell.question]
                  return (
                    <TurnLabels
                      key={cell.question}
                      id={idOf(id, cell)}
                      cell={cell}
                      title={editors.length > 1 ? title : null}
                      name={t('cell', { number: index + 1, role: turn.role, question: title })}
                      chips={chipsOf(editor, hues.get(questionId) ?? noHues, {
                        start: turn.start,
                        on: labels?.on.get(turn.start) ?? noLabels,
                        suggested: labels?.suggested.get(turn.start) ?? noLabels,
                      })}
                      isStop={cell === stop}
                      on={on}
                    />
                  )
                })}
              </div>
            )}
          </Message>
        )
      })}
    </ol>
  )
}

/** A conversation with the labels of one question. */
export const OneTurnsField = (props: FieldEditorProps<'turns'>) => <TurnsField editors={[props]} isBeside={false} />
