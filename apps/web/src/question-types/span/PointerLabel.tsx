import type { CSSProperties, RefObject } from 'react'
import { useEffect, useRef } from 'react'
import { pointerLabelTime } from '#lib/constants.ts'
import { labelColourProperties } from '../shared/label-colours.ts'
import styles from './SpanText.module.css'

type Props = {
  /** The text over which it goes along. */
  readonly text: RefObject<HTMLElement | null>
  readonly name: string
  readonly hue: number
}

/**
 * The label that the next selection gets, beside a mouse that is over the text; it goes once the mouse has been there for a while. Those who do
 * not see it have the pressed label of the question.
 */
export const PointerLabel = ({ text, name, hue }: Props) => {
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
      shown.style.translate = `${clientX - left + 12}px ${clientY - top + 12}px`
      shown.dataset['shown'] = ''
      timer ??= setTimeout(() => {
        gone = true
        hide()
      }, pointerLabelTime)
    }
    over.addEventListener('pointermove', onMove)
    over.addEventListener('pointerleave', hide)
    return () => {
      clearTimeout(timer)
      over.removeEventListener('pointermove', onMove)
      over.removeEventListener('pointerleave', hide)
    }
  }, [text])
  return (
    <span
      ref={label}
      className={styles['pointer']}
      style={labelColourProperties(hue) as CSSProperties}
      data-pointer-label=""
      aria-hidden="true"
    >
      <bdi>{name}</bdi>
    </span>
  )
}
