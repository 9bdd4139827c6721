import type { AnswerValue, Span } from '#answer-value.ts'
import { stepsOf } from '#trace.ts'
import { codePointLength } from '#wire/code-points.ts'
import { message, type Reason } from '#wire/message.ts'
import type { QuestionRules } from './define.ts'
import { notAnOption, optionValues, type WithOptions } from './option-values.ts'
import { isSpans, spanShapeRules } from './span-shape.ts'
import { spanTextOf } from './span-text.ts'

/** The turns that a question asks about, and the rules for labeling them. In an answer, each span is one of these turns. */
export type TurnUnit = {
  readonly of: 'turn'
  /** The roles whose turns can have labels. Null for all. */
  readonly roles: readonly string[] | null
  /** Which of these turns need a label in a submitted answer: each one, at least one of them, or none. */
  readonly required: 'each' | 'any' | 'none'
  /** Whether a turn can have only one label. */
  readonly exclusive: boolean
}
type TurnsSettings = WithOptions & { readonly field: string; readonly allow_overlapping: boolean; readonly unit: TurnUnit }

/**
 * A message of a conversation, or a step of a trace. `start` and `end` are the offsets of its span; the end is exclusive. In a
 * conversation, offsets count code points. In a trace, they are the positions of steps.
 */
export type CountedTurn = {
  /** The position in the conversation, from 0. */
  readonly index: number
  /** The role of the message, or the kind of the step. */
  readonly role: string
  readonly start: number
  readonly end: number
  /** The name of a step. Missing for a message. */
  readonly name?: string
}

/**
 * The steps of a trace. The span of a step starts at the step's position and has the length 1. The position never changes, even
 * if text in the trace changes.
 */
const countedSteps = (value: unknown): readonly CountedTurn[] =>
  stepsOf(value).map(({ kind, name }, index) => ({ index, role: kind, start: index, end: index + 1, name }))

/** The messages of a chat field, or the steps of a trace field, in order. Empty if the value is neither. */
export const countedTurns = (value: unknown): readonly CountedTurn[] => {
  const found = spanTextOf(value)
  if (found === null || found.turns === null) return countedSteps(value)
  const { text, turns } = found
  let start = 0
  return turns.map((turn, index) => {
    const end = start + codePointLength(text.slice(turn.start, turn.end))
    const counted = { index, role: turn.role, start, end }
    // The line break between two messages belongs to neither.
    start = end + 1
    return counted
  })
}

/** The turns that a question asks about. */
export const askedTurns = (turns: readonly CountedTurn[], { roles }: TurnUnit): readonly CountedTurn[] =>
  roles === null ? turns : turns.filter(({ role }) => roles.includes(role))

/** Returns a turn for each distinct range of the spans. Each turn gets the first role that the question asks about. */
const turnsOfSpans = (spans: readonly Span[], { roles }: TurnUnit): readonly CountedTurn[] => {
  const byStart = new Map(spans.map(({ start, end }) => [start, end]))
  return [...byStart].map(([start, end], index) => ({ index, role: roles?.[0] ?? '', start, end }))
}

const turnsIn = (fields: { readonly [name: string]: unknown }, field: string): readonly CountedTurn[] =>
  Object.hasOwn(fields, field) ? countedTurns(fields[field]) : []

/**
 * The turns that still need a label before the answer can be submitted. Only turns that the question asks about are returned. If
 * each turn needs a label, returns the turns without a label. If only one turn needs a label, returns all turns until one of them
 * has a label.
 */
export const turnsToLabel = (
  value: readonly Span[] | null,
  { field, unit }: Pick<TurnsSettings, 'field' | 'unit'>,
  fields: { readonly [name: string]: unknown },
): readonly CountedTurn[] => {
  if (unit.required === 'none') return []
  const asked = askedTurns(turnsIn(fields, field), unit)
  const labeled = new Set(value?.map(({ start }) => start))
  const open = asked.filter(({ start }) => !labeled.has(start))
  return unit.required === 'each' || open.length === asked.length ? open : []
}

const print = ({ label, start, end }: Span) => `${JSON.stringify(label)} (${start}–${end})`

/** Returns why the spans of a value aren't valid labels of the turns, or null if they are valid. */
const labelsFault = (value: readonly Span[], settings: TurnsSettings, turns: readonly CountedTurn[]): Reason | null => {
  const { unit, options, field } = settings
  const byStart = new Map(turns.map((turn) => [turn.start, turn]))
  const given = new Map<number, string[]>()
  const known = optionValues(options)
  for (const span of value) {
    if (!known.has(span.label)) return notAnOption(span.label, options)
    const turn = byStart.get(span.start)
    if (turn === undefined || turn.end !== span.end) return message('turnNotWhole', { span: print(span), field })
    const number = turn.index + 1
    if (unit.roles !== null && !unit.roles.includes(turn.role))
      return message('turnRole', { turn: number, role: turn.role, roles: unit.roles.join(', ') })
    const labels = given.get(turn.index) ?? []
    if (labels.includes(span.label)) return message('turnTwice', { turn: number, label: JSON.stringify(span.label) })
    labels.push(span.label)
    given.set(turn.index, labels)
    if (unit.exclusive && labels.length > 1)
      return message('turnExclusive', { turn: number, labels: labels.map((label) => JSON.stringify(label)).join(', ') })
  }
  return null
}

/**
 * Each span is a whole message of the conversation. Offsets count code points, as for other spans. If the field contains text
 * instead of a conversation, the messages are unknown, and spans can be anywhere.
 */
export const turnsRules: QuestionRules<TurnsSettings> = {
  hasAgreement: true,
  check: (value: AnswerValue, { settings, submitted, fields }) => {
    if (!isSpans(value)) return message('wantsSpans')
    const { field, unit } = settings
    const isTextInstead = Object.hasOwn(fields, field) && typeof fields[field] === 'string'
    const turns = isTextInstead ? turnsOfSpans(value, unit) : turnsIn(fields, field)
    if (value.length > 0 && turns.length === 0) return message('turnNoText', { field })
    const fault = labelsFault(value, settings, turns)
    if (fault !== null || !submitted) return fault
    const [open] = turnsToLabel(value, settings, fields)
    if (open === undefined) return null
    return unit.required === 'each'
      ? message('turnUnlabeled', { turn: open.index + 1, role: open.role })
      : message('turnsUnlabeled', { field })
  },
  replaceLabels: spanShapeRules.replaceLabels,
}
