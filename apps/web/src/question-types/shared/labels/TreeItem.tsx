import type { CSSProperties, MouseEvent } from 'react'
import { ChevronRightIcon } from '#ui/marks/icons.tsx'
import { Kbd } from '#ui/marks/Kbd.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { SuggestionMark } from '../suggestions/SuggestionMark.tsx'
import { SuggestionText } from '../suggestions/SuggestionText.tsx'
import { LabelDot } from './LabelDot.tsx'
import styles from './LabelOptions.module.css'
import { labelColourProperties } from './label-colours.ts'
import type { TreeRow } from './tree-rows.ts'

type Props = {
  readonly row: TreeRow
  readonly name: string
  readonly state: 'on' | 'suggested' | 'off'
  readonly score: number | null | undefined
  readonly hue: number | null
  readonly dot: number | undefined
  readonly isOpen: boolean
  /** Whether the label is the tree's Tab stop. */
  readonly isStop: boolean
  /** Whether Enter in the search picks the label. */
  readonly isFound: boolean
  readonly onClick: (event: MouseEvent) => void
  readonly onFold: () => void
  readonly onFocus: () => void
}

/** A label of a tree. */
export const TreeItem = ({ row, name, state, score, hue, dot, isOpen, isStop, isFound, onClick, onFold, onFocus }: Props) => {
  const { option, depth, isBranch } = row
  const depthProperty: { readonly [name: `--${string}`]: number } = { '--depth': depth }
  const style: CSSProperties = { ...depthProperty, ...(hue !== null && labelColourProperties(hue)) }
  const fold = (event: MouseEvent): void => {
    event.stopPropagation()
    onFold()
  }
  return (
    <button
      type="button"
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={state !== 'off'}
      aria-expanded={isBranch ? isOpen : undefined}
      data-option={option.value}
      data-found={isFound ? '' : undefined}
      tabIndex={isStop ? 0 : -1}
      className={classNames(styles['option'], styles['treeItem'])}
      data-state={state}
      data-coloured={hue === null ? undefined : ''}
      style={style}
      title={option.description ?? undefined}
      onClick={onClick}
      onFocus={onFocus}
    >
      {isBranch && (
        // Hidden from screen readers, because the arrow keys do the same.
        <span aria-hidden="true" className={styles['branch']} data-open={isOpen ? '' : undefined} onClick={fold}>
          <ChevronRightIcon size={14} />
        </span>
      )}
      <span className={styles['number']} aria-hidden="true">
        {option.number}
      </span>
      <LabelDot hue={dot} />
      <bdi className={styles['text']}>{name}</bdi>
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
