import type { MouseEvent } from 'react'
import { Kbd } from '#ui/marks/Kbd.tsx'
import { LabelDot } from '../labels/LabelDot.tsx'
import styles from '../labels/LabelOptions.module.css'
import { labelColourProperties } from '../labels/label-colours.ts'
import { SuggestionMark } from '../suggestions/SuggestionMark.tsx'
import { SuggestionText } from '../suggestions/SuggestionText.tsx'
import type { NumberedOption } from './option-list.ts'

type Props = {
  readonly option: NumberedOption
  /** Whether the option is part of a radio group (`one`) or a list box (`many`). */
  readonly mode: 'one' | 'many'
  readonly state: 'on' | 'suggested' | 'off'
  readonly score: number | null | undefined
  /** The option's hue, or null if options have no colors. */
  readonly hue: number | null
  /** The hue of the dot next to the name, or undefined if none was chosen. */
  readonly dot: number | undefined
  /** Whether the option is the list's Tab stop. */
  readonly isStop: boolean
  /** Whether Enter in the search picks the option. */
  readonly isFound: boolean
  readonly onClick: (event: MouseEvent) => void
  readonly onFocus: () => void
}

export const OptionButton = ({ option, mode, state, score, hue, dot, isStop, isFound, onClick, onFocus }: Props) => {
  const isOn = state !== 'off'
  return (
    <button
      type="button"
      data-option={option.value}
      data-found={isFound ? '' : undefined}
      {...(mode === 'one' ? { role: 'radio', 'aria-checked': isOn } : { role: 'option', 'aria-selected': isOn })}
      tabIndex={isStop ? 0 : -1}
      className={styles['option']}
      data-mode={mode}
      data-state={state}
      {...(hue !== null && { 'data-coloured': '', style: labelColourProperties(hue) })}
      title={option.description ?? undefined}
      onClick={onClick}
      onFocus={onFocus}
    >
      <span className={styles['number']} aria-hidden="true">
        {option.number}
      </span>
      <LabelDot hue={dot} />
      <bdi className={styles['text']}>{option.text || option.value}</bdi>
      {score !== undefined && (
        <>
          <SuggestionMark score={score} />
          <SuggestionText score={score} />
        </>
      )}
      {isFound && (
        <span className={styles['enter']} aria-hidden="true">
          <Kbd>↵</Kbd>
        </span>
      )}
    </button>
  )
}
