import type { CSSProperties, RefObject } from 'react'
import { useEffect, useRef } from 'react'
import { pointerLabelTime } from '#lib/constants.ts'
import { labelColourProperties } from '../../shared/labels/label-colours.ts'
import styles from './SpanText.module.css'

type Props = {
  /** The text over which it goes along. */
  readonly text: RefObject<HTMLElement | null>
  readonly name: string
  readonly hue: number
  /** Nothing is marked at the moment. */
  readonly isAway: boolean
}

/** How far from the pointer its corner is, in pixels. */
const beside = 12

/** Whether it would lie on a label below the text. Its own box lets presses through. */
const coversChip = ({ left, top, right, bottom }: DOMRect): boolean =>
  [left, (left + right) / 2, right].some((x) =>
    [top, (top + bottom) / 2, bottom].some((y) => document.elementFromPoint(x, y)?.closest('[data-chip]')),
  )

/**
 * The label that the next selection gets, beside a mouse that is over the text; it goes once the mouse has been there for a while. Those who do
 * not see it have the pressed label of the question.
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
      }, pointerLabelTime)
    }
    over.addEventListener('pointermove', onMove)
    over.addEventListener('pointerleave', hide)
    // What the press has marked has its own label where this one is.
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
