import type { Span } from '@postil/contract/answer-value.ts'
import type { CountedTurn } from '@postil/contract/question-types/turns.rules.ts'
import type { AnswerOf } from '../define.ts'

type Answer = AnswerOf<'turns'>

const none: readonly Span[] = []

const isOf =
  ({ start }: CountedTurn) =>
  (span: Span): boolean =>
    span.start === start

/** The labels of a turn, in the order in which they were given. */
export const labelsOf = (spans: readonly Span[] | null, turn: CountedTurn): readonly string[] =>
  (spans ?? none).filter(isOf(turn)).map(({ label }) => label)

const orNull = (spans: readonly Span[]): readonly Span[] | null => (spans.length === 0 ? null : spans)

/** Removes all labels of a turn. */
export const clearTurn = ({ value, suggested }: Answer, turn: CountedTurn): Answer => {
  const isOther = (span: Span): boolean => !isOf(turn)(span)
  return { value: orNull((value ?? none).filter(isOther)), suggested: orNull((suggested ?? none).filter(isOther)) }
}

/** An answer after a label was picked. `isOn`: whether the turn now has the label. */
export type Picked = { readonly answer: Answer; readonly isOn: boolean }

/**
 * Picks a label for a turn. If the label was suggested, accepts it. If the turn already has the label, removes it. If a turn can
 * have only one label, the new label replaces the earlier one.
 */
export const pickLabel = (answer: Answer, turn: CountedTurn, label: string, isExclusive: boolean): Picked => {
  const [on, suggested] = [answer.value ?? none, answer.suggested ?? none]
  const isPicked = (span: Span): boolean => isOf(turn)(span) && span.label === label
  const remaining = orNull(suggested.filter((span) => !isPicked(span)))
  if (suggested.some(isPicked)) return { answer: { value: on, suggested: remaining }, isOn: true }
  if (on.some(isPicked)) {
    return { answer: { value: orNull(on.filter((span) => !isPicked(span))), suggested: remaining }, isOn: false }
  }
  const before = isExclusive ? clearTurn(answer, turn) : { value: on, suggested: remaining }
  const next = [...(before.value ?? none), { label, start: turn.start, end: turn.end }]
  return { answer: { value: next.toSorted((a, b) => a.start - b.start), suggested: before.suggested }, isOn: true }
}

/**
 * A turn and a question that asks about it. `turn` is a position in the conversation, `question` a position in the list of
 * questions.
 */
export type Cell = { readonly turn: number; readonly question: number }

export type Step = 'next' | 'nextTurn' | 'previousTurn' | 'nextQuestion' | 'previousQuestion'

/**
 * Returns the cell that is one step away from another cell. Null if there is none.
 * @param cells ordered by turn, then by question
 */
export const stepFrom = (cells: readonly Cell[], from: Cell, step: Step): Cell | null => {
  const at = cells.findIndex(({ turn, question }) => turn === from.turn && question === from.question)
  const [before, after] = [cells.slice(0, Math.max(0, at)).toReversed(), cells.slice(at + 1)]
  const found = {
    next: () => after[0],
    nextTurn: () => after.find(({ question }) => question === from.question),
    previousTurn: () => before.find(({ question }) => question === from.question),
    nextQuestion: () => (after[0]?.turn === from.turn ? after[0] : undefined),
    previousQuestion: () => (before[0]?.turn === from.turn ? before[0] : undefined),
  }
  return found[step]() ?? null
}
