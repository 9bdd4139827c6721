import type { MouseEventHandler, PointerEventHandler } from 'react'
import { GripIcon } from '#ui/marks/icons.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { SuggestionMark } from '../shared/suggestions/SuggestionMark.tsx'
import { SuggestionText } from '../shared/suggestions/SuggestionText.tsx'
import styles from './Editor.module.css'

type Props = {
  readonly value: string
  readonly name: string
  /** The key that ranks the card, as printed on the keyboard. Null if there is none. */
  readonly keyCap: string | null
  /** The card's rank as text. */
  readonly position: string
  readonly isStop: boolean
  readonly isDragged: boolean
  readonly isOnlySuggested: boolean
  readonly score: number | null | undefined
  readonly describedBy: string
  readonly onClick: MouseEventHandler
  readonly onFocus: () => void
  readonly onPointerDown: PointerEventHandler<HTMLElement>
}

export const Card = ({
  value,
  name,
  keyCap,
  position,
  isStop,
  isDragged,
  isOnlySuggested,
  score,
  describedBy,
  ...handlers
}: Props) => (
  <button
    type="button"
    className={styles['card']}
    data-card={value}
    data-option=""
    data-stop={isStop ? '' : undefined}
    data-dragged={isDragged ? '' : undefined}
    data-state={isOnlySuggested ? 'suggested' : 'on'}
    tabIndex={isStop ? 0 : -1}
    aria-describedby={describedBy}
    {...handlers}
  >
    <span data-grip="" className={styles['grip']}>
      <GripIcon size={14} />
    </span>
    {keyCap !== null && (
      <span className={styles['key']} aria-hidden="true">
        {keyCap}
      </span>
    )}
    <bdi className={styles['name']}>{name}</bdi>
    {score !== undefined && <SuggestionMark score={score} />}
    <VisuallyHidden>{position}</VisuallyHidden>
    {isOnlySuggested && <SuggestionText score={score ?? null} />}
  </button>
)
