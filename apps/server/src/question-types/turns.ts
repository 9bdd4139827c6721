import type { Span } from '@postil/contract/answer-value.ts'
import { askedTurns, type CountedTurn, countedTurns } from '@postil/contract/question-types/turns.rules.ts'
import { isOrdinal, type TurnsSettings } from '@postil/contract/question-types/turns.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { defineServerQuestionType } from './define.ts'
import { labelSchema } from './model-form.ts'
import { spanQuestion } from './span.ts'

/** The label of a turn, as models return it. Turn 1 is the first message of the conversation or the first step of the trace. */
type TurnLabel = { readonly turn: number; readonly label: string }

const isTurnLabel = (one: unknown): one is TurnLabel => {
  const { turn, label } = (typeof one === 'object' && one !== null ? one : {}) as { readonly [key: string]: unknown }
  return typeof turn === 'number' && typeof label === 'string'
}

const turnsOf = (settings: TurnsSettings, fields: { readonly [name: string]: unknown }): readonly CountedTurn[] =>
  Object.hasOwn(fields, settings.field) ? countedTurns(fields[settings.field]) : []

/** Labels of whole messages. The answers are filtered, sorted and counted like spans. */
export const turnsQuestion = defineServerQuestionType({
  ...spanQuestion,
  kind: 'turns',
  model: {
    schema: (settings) => ({
      type: 'array',
      items: {
        type: 'object',
        properties: { turn: { type: 'integer' }, label: labelSchema(settings) },
        required: ['turn', 'label'],
        additionalProperties: false,
      },
    }),
    instruction: (settings) => {
      const { field, unit } = settings as TurnsSettings
      const turns =
        unit.roles === null
          ? 'messages or steps'
          : `messages or steps with the roles or kinds ${unit.roles.map((role) => JSON.stringify(role)).join(', ')}`
      const amount = unit.exclusive ? 'Each of them has at most one label.' : 'Each of them can have several labels.'
      const required = {
        each: 'Label each of them.',
        any: 'Label at least one of them.',
        none: 'The list is empty if no label fits.',
      }
      return `Give a list of labels for ${turns} in ${JSON.stringify(field)}, each with the value of an option. \`turn\` is the number of the message or step in ${JSON.stringify(field)}, counting all of them from 1. ${amount} ${required[unit.required]}`
    },
    read: (answer, settings, fields) => {
      if (!Array.isArray(answer) || !answer.every(isTurnLabel)) return null
      const { unit } = settings as TurnsSettings
      const asked = new Map(askedTurns(turnsOf(settings as TurnsSettings, fields), unit).map((turn) => [turn.index + 1, turn]))
      const spans: Span[] = []
      const from: number[] = []
      let unmatched = 0
      for (const [i, { turn: number, label }] of answer.entries()) {
        const turn = asked.get(number)
        const given = spans.filter(({ start }) => start === turn?.start)
        if (given.some((span) => span.label === label)) continue
        if (turn === undefined || (unit.exclusive && given.length > 0)) {
          unmatched += 1
          continue
        }
        spans.push({ label, start: turn.start, end: turn.end })
        from.push(i)
      }
      return { value: spans, from, unmatched }
    },
    show: (value, settings, fields) => {
      const numbers = new Map(turnsOf(settings as TurnsSettings, fields).map(({ start, index }) => [start, index + 1]))
      return (value as readonly Span[]).flatMap(({ start, label }) => {
        const turn = numbers.get(start)
        return turn === undefined ? [] : [{ turn, label }]
      })
    },
  },
  itemized: (settings) => {
    const { unit } = settings as TurnsSettings
    if (isOrdinal(settings as TurnsSettings)) return 'scale'
    return unit.exclusive ? 'categories' : 'sets'
  },
  exportedKeys: { turn: 'integer', role: 'text' },
  exported: (settings, value, fields) => {
    const turns = new Map(turnsOf(settings as TurnsSettings, fields).map((turn) => [turn.start, turn]))
    return (value as readonly JsonValue[] as readonly Span[]).map((span): JsonValue => {
      const turn = turns.get(span.start)
      // In answers that are older than the conversation, offsets may not match any turn.
      return turn === undefined || turn.end !== span.end
        ? { ...span }
        : {
            ...span,
            turn: turn.index,
            role: turn.role,
            ...(turn.name !== undefined && { name: turn.name }),
          }
    })
  },
})
