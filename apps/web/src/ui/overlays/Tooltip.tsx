import type { ReactElement } from 'react'
import { cloneElement, useEffect, useId, useRef, useState } from 'react'
import { shortTooltip } from '#lib/constants.ts'
import { directionOf } from '#lib/text/direction.ts'
import type { Side } from '../floating/place.ts'
import { useFloating } from '../floating/use-floating.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './popup.module.css'

type Described = { readonly 'aria-describedby'?: string | undefined }
type Props = {
  readonly text: string
  /** One focusable element. It must pass on `aria-describedby`. */
  readonly children: ReactElement<Described>
  readonly side?: Side | undefined
  /**
   * Whether the text is already the element's accessible name. If so, it isn't also set as the description, because screen
   * readers would read it twice.
   */
  readonly isName?: boolean
}

const showDelay = 400
/** How long the pointer may take to move from the element onto the tooltip, in milliseconds. */
const hideDelay = 120

/**
 * An explanation, shown on hover and focus. Its content must also be available elsewhere, so a tooltip must never be the only
 * label.
 */
export const Tooltip = ({ text, children, side = 'top', isName = false }: Props) => {
  const id = useId()
  const wrapper = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const anchor = useRef(() => wrapper.current?.firstElementChild ?? null).current
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [open, setOpen] = useState(false)
  useFloating({ panel, anchor, open, side, align: 'center' })

  const after = (delay: number, next: boolean): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(next), delay)
  }
  const hide = (): void => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: screen readers get the text from the description
    <span
      ref={wrapper}
      className={styles['described']}
      onPointerEnter={(event) => event.pointerType === 'mouse' && after(showDelay, true)}
      onPointerLeave={() => after(hideDelay, false)}
      onPointerDown={hide}
      // Delayed, because the focus may have moved here from a popover that is opening. While it opens, the browser refuses to
      // open another popover.
      onFocus={(event) => event.target.matches(':focus-visible') && after(0, true)}
      onBlur={hide}
    >
      {isName ? children : cloneElement(children, { 'aria-describedby': id })}
      {(open || !isName) && (
        <div
          ref={panel}
          id={id}
          popover="manual"
          role="tooltip"
          aria-hidden={isName || undefined}
          // Text written by people keeps its own direction.
          dir={directionOf(text)}
          className={classNames(styles['popup'], styles['tooltip'], text.length < shortTooltip && styles['short'])}
        >
          {text}
        </div>
      )}
    </span>
  )
}
