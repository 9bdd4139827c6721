import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import type { CountedTurn } from '@postil/contract/question-types/turns.rules.ts'
import { type ComponentProps, memo } from 'react'
import { Message } from '#field-types/chat/Message.tsx'
import { useTranslation } from '#i18n/use-translation.ts'
import type { QuestionOf, SuggestionOf } from '../define.ts'
import type { LabelHues } from '../shared/labels/label-hues.ts'
import { numbered } from '../shared/options/option-list.ts'
import { itemScore } from '../shared/suggestions/scores.ts'
import type { Cell } from './model.ts'
import { type Chip, type TurnHandlers, TurnLabels } from './TurnLabels.tsx'
import styles from './TurnsField.module.css'

/** The labels of a turn for one question. */
export type TurnState = { readonly on: readonly string[]; readonly suggested: readonly string[] }

/** A question about turns, and its suggestion. Doesn't contain the answer, so that it stays the same when the answer changes. */
export type AskedQuestion = {
  readonly question: QuestionOf<'turns'>
  readonly suggestion: SuggestionOf<'turns'> | null
}

type Props = Omit<ComponentProps<typeof Message>, 'children'> & {
  readonly id: string
  /** Null if the conversation has no turns. */
  readonly turn: CountedTurn | null
  readonly cells: readonly Cell[]
  /** The labels of each cell. */
  readonly states: readonly TurnState[]
  readonly asked: readonly AskedQuestion[]
  readonly hues: LabelHues
  /** The cell that Tab reaches, if it is in this turn. */
  readonly stop: Cell | null
  readonly on: TurnHandlers
}

const noHues: ReadonlyMap<string, number> = new Map()

/** The ID of a cell's element. */
export const idOf = (id: string, { turn, question }: Cell): string => `${id}-${turn}-${question}`

/** The labels to choose from for a turn, with their state. */
export const chipsOf = (
  { question, suggestion }: AskedQuestion,
  hues: ReadonlyMap<string, number>,
  { start }: CountedTurn,
  { on, suggested }: TurnState,
): readonly Chip[] => {
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

const areListsSame = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((item, i) => item === b[i]))

const areStatesSame = (a: readonly TurnState[], b: readonly TurnState[]): boolean =>
  a.length === b.length &&
  a.every((state, i) => {
    const other = b[i]
    return other !== undefined && areListsSame(state.on, other.on) && areListsSame(state.suggested, other.suggested)
  })

const areSame = (before: Props, { states, ...next }: Props): boolean =>
  Object.entries(next).every(([key, value]) => Object.is(before[key as keyof Props], value)) &&
  areStatesSame(before.states, states)

/** A message with its labels. Rendered again only if its props change, because a conversation can have hundreds of messages. */
export const TurnRow = memo(({ id, turn, cells, states, asked, hues, stop, on, ...message }: Props) => {
  const { t } = useTranslation('question-types/turns')
  return (
    <Message {...message}>
      {turn && cells.length > 0 && (
        <div className={styles['cells']}>
          {cells.map((cell, i) => {
            const one = asked[cell.question]!
            const { id: questionId, title } = one.question
            return (
              <TurnLabels
                key={cell.question}
                id={idOf(id, cell)}
                cell={cell}
                title={asked.length > 1 ? title : null}
                name={t('cell', { number: turn.index + 1, role: turn.role, question: title })}
                chips={chipsOf(one, hues.get(questionId) ?? noHues, turn, states[i]!)}
                isStop={cell === stop}
                on={on}
              />
            )
          })}
        </div>
      )}
    </Message>
  )
}, areSame)
