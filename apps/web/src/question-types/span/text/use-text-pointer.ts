import type { Span } from '@postil/contract/answer-value.ts'
import type { PointerEvent } from 'react'
import { useEffect, useRef } from 'react'
import { dragHintDelay } from '#lib/constants.ts'
import { paint } from '#lib/text/highlights.ts'
import type { Range } from '#lib/text/words.ts'
import { spanKey, spansAt } from '../model.ts'
import type { TextElement } from './text-element.ts'

type Options = {
  readonly text: string
  readonly element: () => TextElement | null
  readonly spans: readonly Span[]
  /**
   * Returns the range to mark for a selection, or null if there is none. `shift` is whether Shift is held during the selection.
   */
  readonly widen: (range: Range, shift: boolean) => Range | null
  readonly onSelect: (range: Range) => void
  readonly onSpan: (span: Span) => void
  readonly onRemove: (span: Span) => void
  /** Called when a drag has lasted for a while. */
  readonly onLongDrag: () => void
  readonly onPlace: (unit: number) => void
}

/**
 * How long a touch selection must stay unchanged before it is applied, in milliseconds. On touch screens, people adjust a
 * selection after lifting the finger.
 */
const longPressDelay = 600

/** Selects text with a mouse, pen or finger. During a selection, shows the range to which the selection will be widened. */
export const useTextPointer = (options: Options) => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])

  /** Handles a press that selects no text: on a label below the text, on a span, or at a position in the text. */
  const press = ({ clientX, clientY, target }: globalThis.PointerEvent): void => {
    const { element, spans, onSpan, onRemove, onPlace } = latest.current
    const chip = target instanceof Element ? target.closest<HTMLElement>('[data-chip]') : null
    const own = chip && spans.find((span) => spanKey(span) === chip.dataset['chip'])
    if (own && target instanceof Element) {
      if (target.closest('[data-remove]')) onRemove(own)
      else onSpan(own)
      return
    }
    const unit = element()?.unitAtPoint(clientX, clientY) ?? null
    if (unit === null) return
    const isOnSpan = target instanceof Element && target.closest('[data-marked]') !== null
    const [shortest] = isOnSpan ? spansAt(spans, unit).toSorted((a, b) => a.end - a.start - (b.end - b.start)) : []
    if (shortest) onSpan(shortest)
    else onPlace(unit)
  }

  const onPointerDown = (down: PointerEvent): void => {
    if (down.button !== 0) return
    stop.current()
    const isTouch = down.pointerType === 'touch'
    let unpaint = (): void => {}
    let longPressTimer: ReturnType<typeof setTimeout> | undefined
    const isLongPress = setTimeout(() => {
      if (!isTouch && selected()) latest.current.onLongDrag()
    }, dragHintDelay)
    let { shiftKey } = down

    const selected = (): Range | null => {
      const { element, widen } = latest.current
      const range = element()?.selected()
      return range ? widen(range, shiftKey) : null
    }
    const finish = (): void => {
      const range = selected()
      stop.current()
      if (range) latest.current.onSelect(range)
    }
    const onChange = (): void => {
      unpaint()
      const range = selected()
      const shown = range && latest.current.element()?.rangeOf(range)
      unpaint = shown ? paint('postil-selected', [shown]) : () => {}
      clearTimeout(longPressTimer)
      if (isTouch && range) longPressTimer = setTimeout(finish, longPressDelay)
    }
    const onUp = (up: globalThis.PointerEvent): void => {
      shiftKey = up.shiftKey
      if (selected()) {
        if (!isTouch) finish()
        return
      }
      if (!isTouch) stop.current()
      press(up)
    }
    stop.current = () => {
      unpaint()
      clearTimeout(longPressTimer)
      clearTimeout(isLongPress)
      document.removeEventListener('selectionchange', onChange)
      window.removeEventListener('pointerup', onUp)
      stop.current = () => {}
    }
    document.addEventListener('selectionchange', onChange)
    window.addEventListener('pointerup', onUp)
  }

  return { onPointerDown }
}
