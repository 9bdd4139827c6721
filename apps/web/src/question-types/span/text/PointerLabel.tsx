import type { CSSProperties, RefObject } from 'react'
import { useEffect, useRef } from 'react'
import { pointerLabelDuration } from '#lib/constants.ts'
import { labelColourProperties } from '../../shared/labels/label-colours.ts'
import styles from './SpanText.module.css'

type Props = {
  /** The text over which the label follows the pointer. */
  readonly text: RefObject<HTMLElement | null>
  readonly name: string
  readonly hue: number
  /** Whether the label is hidden because nothing is being marked. */
  readonly isAway: boolean
}

/** Distance of the label's corner from the pointer, in pixels. */
const beside = 12

/**
 * Whether the pointer label would cover the label of a span. `elementFromPoint` ignores the pointer label itself, because it
 * receives no pointer events.
 */
const coversChip = ({ left, top, right, bottom }: DOMRect): boolean =>
  [left, (left + right) / 2, right].some((x) =>
    [top, (top + bottom) / 2, bottom].some((y) => document.elementFromPoint(x, y)?.closest('[data-chip]')),
  )

/**
 * Shows which label the next selection gets. While a mouse pointer moves over the text, the label is shown next to the pointer.
 * After a while, it is hidden. For users who can't see it, the question marks the same label as pressed.
 */
export const PointerLabel = ({ text, name, hue, isAway }: Props) => {
  const label = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const [over, shown] = [text.current, label.current]
    if (!over || !shown) return undefined
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = (): void => {
      delete shown.dataset['shown']
    }
    const onMove = ({ clientX, clientY, pointerType }: PointerEvent): void => {
      if (pointerType !== 'mouse' || gone) return
      const { left, top } = over.getBoundingClientRect()
      shown.style.translate = `${clientX - left + beside}px ${clientY - top + beside}px`
      if (coversChip(shown.getBoundingClientRect())) hide()
      else shown.dataset['shown'] = ''
      timer ??= setTimeout(() => {
        gone = true
        hide()
      }, pointerLabelDuration)
    }
    over.addEventListener('pointermove', onMove)
    over.addEventListener('pointerleave', hide)
    // When the user releases the pointer, the selected text gets its own label in the same place. The pointer label is therefore
    // hidden.
    window.addEventListener('pointerup', hide)
    return () => {
      clearTimeout(timer)
      over.removeEventListener('pointermove', onMove)
      over.removeEventListener('pointerleave', hide)
      window.removeEventListener('pointerup', hide)
    }
  }, [text])
  return (
    <span
      ref={label}
      className={styles['pointer']}
      style={labelColourProperties(hue) as CSSProperties}
      data-pointer-label=""
      aria-hidden="true"
      hidden={isAway}
    >
      <bdi>{name}</bdi>
    </span>
  )
}
