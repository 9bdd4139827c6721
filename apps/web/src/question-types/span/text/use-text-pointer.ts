import type { Span } from '@postil/contract/answer-value.ts'
import type { PointerEvent } from 'react'
import { useEffect, useRef } from 'react'
import { dragHintAfter } from '#lib/constants.ts'
import { paint } from '#lib/text/highlights.ts'
import type { Range } from '#lib/text/words.ts'
import { spanKey, spansAt } from '../model.ts'
import type { TextElement } from './text-element.ts'

type Options = {
  readonly text: string
  readonly element: () => TextElement | null
  readonly spans: readonly Span[]
  /** `shift` as it is held while selecting. */
  readonly widen: (range: Range, shift: boolean) => Range | null
  readonly onSelect: (range: Range) => void
  readonly onSpan: (span: Span) => void
  readonly onRemove: (span: Span) => void
  /** Something has been dragged over for a while. */
  readonly onLongDrag: () => void
  readonly onPlace: (unit: number) => void
}

/** A finger adjusts a selection after lifting: it counts when it has rested for this long, in milliseconds. */
const touchRest = 600

/** Selecting text by mouse, pen or finger. While it goes on, what it will widen to is shown. */
export const useTextPointer = (options: Options) => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])

  /** A press without a selection: on a label below the text, on a span, or on a place in the text. */
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
    let rest: ReturnType<typeof setTimeout> | undefined
    const long = setTimeout(() => {
      if (!isTouch && selected()) latest.current.onLongDrag()
    }, dragHintAfter)
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
      clearTimeout(rest)
      if (isTouch && range) rest = setTimeout(finish, touchRest)
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
      clearTimeout(rest)
      clearTimeout(long)
      document.removeEventListener('selectionchange', onChange)
      window.removeEventListener('pointerup', onUp)
      stop.current = () => {}
    }
    document.addEventListener('selectionchange', onChange)
    window.addEventListener('pointerup', onUp)
  }

  return { onPointerDown }
}
