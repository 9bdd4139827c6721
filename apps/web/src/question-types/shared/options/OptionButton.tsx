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
  /** Part of a radio group, or of a list box. */
  readonly mode: 'one' | 'many'
  readonly state: 'on' | 'suggested' | 'off'
  readonly score: number | null | undefined
  /** Hue of the option, if options have colors. */
  readonly hue: number | null
  /** Hue of the dot next to the name, if one was chosen. */
  readonly dot: number | undefined
  /** Whether it is the Tab stop. */
  readonly isStop: boolean
  /** Whether Enter in the search picks it. */
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
