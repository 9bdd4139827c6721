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
  /** One element that can be focused; it passes on `aria-describedby`. */
  readonly children: ReactElement<Described>
  readonly side?: Side
}

const showAfter = 400
/** Time to move the pointer from the element onto the tooltip. */
const hideAfter = 120

/** A word of explanation on hover and focus. What it says must be reachable otherwise too: it never holds the only label. */
export const Tooltip = ({ text, children, side = 'top' }: Props) => {
  const id = useId()
  const around = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const anchor = useRef(() => around.current?.firstElementChild ?? null).current
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
    // biome-ignore lint/a11y/noStaticElementInteractions: what is told here is told to readers by the description
    <span
      ref={around}
      className={styles['described']}
      onPointerEnter={(event) => event.pointerType === 'mouse' && after(showAfter, true)}
      onPointerLeave={() => after(hideAfter, false)}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && setOpen(true)}
      onBlur={hide}
    >
      {cloneElement(children, { 'aria-describedby': id })}
      <div
        ref={panel}
        id={id}
        popover="manual"
        role="tooltip"
        // What people have written is told as it runs.
        dir={directionOf(text)}
        className={classNames(styles['popup'], styles['tooltip'], text.length < shortTooltip && styles['short'])}
      >
        {text}
      </div>
    </span>
  )
}
