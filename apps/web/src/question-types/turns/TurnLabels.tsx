import { memo } from 'react'
import { isComposing } from '#lib/keys/is-composing.ts'
import { latinKey } from '#lib/keys/latin-key.ts'
import { LabelDot } from '../shared/labels/LabelDot.tsx'
import { SuggestionMark } from '../shared/suggestions/SuggestionMark.tsx'
import { SuggestionText } from '../shared/suggestions/SuggestionText.tsx'
import type { Cell } from './model.ts'
import styles from './TurnsField.module.css'

/** A label that a turn can have. */
export type Chip = {
  readonly value: string
  readonly text: string
  readonly number: number
  readonly description: string | null
  readonly state: 'on' | 'suggested' | 'off'
  /** The suggestion's score: null if it has none, undefined if the label wasn't suggested. */
  readonly score: number | null | undefined
  /** The chosen hue, or undefined if there is none. */
  readonly hue: number | undefined
}

/** Handlers for a turn's labels. The object stays the same, so that only changed turns are rendered again. */
export type TurnHandlers = {
  readonly focus: (cell: Cell) => void
  readonly pick: (cell: Cell, label: string) => void
  /** Returns whether the key was used. */
  readonly key: (cell: Cell, key: string) => boolean
}

type Props = {
  readonly id: string
  readonly cell: Cell
  /** The question's title. Null if the field has only one question about turns. */
  readonly title: string | null
  readonly name: string
  readonly chips: readonly Chip[]
  /** Whether Tab stops here. */
  readonly isStop: boolean
  readonly on: TurnHandlers
}

const isSameChip = (a: Chip, b: Chip): boolean =>
  a.value === b.value &&
  a.text === b.text &&
  a.number === b.number &&
  a.description === b.description &&
  a.state === b.state &&
  a.score === b.score &&
  a.hue === b.hue

const areSame = (before: Props, after: Props): boolean =>
  before.id === after.id &&
  before.title === after.title &&
  before.name === after.name &&
  before.isStop === after.isStop &&
  before.cell.turn === after.cell.turn &&
  before.cell.question === after.cell.question &&
  before.on === after.on &&
  before.chips.length === after.chips.length &&
  before.chips.every((chip, index) => isSameChip(chip, after.chips[index]!))

/** The labels for one question about one turn. Keys work on the whole group, so individual labels don't need the focus. */
export const TurnLabels = memo(({ id, cell, title, name, chips, isStop, on }: Props) => {
  const given = chips.filter(({ state }) => state !== 'off').map(({ text }) => text)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't have the focus, which the keys of a turn need
    <div
      id={id}
      role="group"
      className={styles['cell']}
      aria-label={[name, ...given].join(', ')}
      tabIndex={isStop ? 0 : -1}
      onFocus={() => on.focus(cell)}
      onKeyDown={(event) => {
        const { ctrlKey, metaKey, altKey } = event
        if (isComposing(event.nativeEvent) || ctrlKey || metaKey || altKey || !on.key(cell, latinKey(event.nativeEvent))) return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      {title !== null && (
        <bdi className={styles['title']} aria-hidden="true">
          {title}
        </bdi>
      )}
      {chips.map(({ value, text, number, description, state, score, hue }) => (
        <button
          key={value}
          type="button"
          tabIndex={-1}
          className={styles['chip']}
          data-state={state}
          aria-pressed={state !== 'off'}
          title={description ?? undefined}
          onClick={() => on.pick(cell, value)}
        >
          {/* The text of a label on a scale is usually the label's number, which is already shown. Such text is left out. */}
          {text !== String(number) && (
            <span className={styles['number']} aria-hidden="true">
              {number}
            </span>
          )}
          <LabelDot hue={hue} />
          <bdi>{text}</bdi>
          {score !== undefined && (
            <>
              <SuggestionMark score={score} />
              <SuggestionText score={score} />
            </>
          )}
        </button>
      ))}
    </div>
  )
}, areSame)
