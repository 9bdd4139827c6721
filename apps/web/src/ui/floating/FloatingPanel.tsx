import type { ReactNode, RefObject } from 'react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import styles from '../overlays/popup.module.css'
import { classNames } from '../styles/class-names.ts'
import { closeBehindFocus } from './close-behind-focus.ts'
import type { Align, Side } from './place.ts'
import type { Anchor } from './use-floating.ts'
import { useFloating } from './use-floating.ts'

type Props = {
  /** The accessible name. */
  readonly label: string
  readonly anchor: () => Anchor
  /** Called on Escape or a press outside the panel. The panel stays open until the caller unmounts it. */
  readonly onClose: () => void
  /** The element to focus. The default is the panel itself. */
  readonly initialFocus?: RefObject<HTMLElement | null>
  readonly side?: Side
  readonly align?: Align
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A small dialog next to an anchor. The page around it stays usable. On close, the focus returns to where it was. */
export const FloatingPanel = ({ label, anchor, onClose, initialFocus, side, align, className, children }: Props) => {
  const panel = useRef<HTMLDivElement>(null)
  const closing = useRef(onClose)
  const anchored = useRef(anchor)
  useLayoutEffect(() => {
    closing.current = onClose
    anchored.current = anchor
    // The browser fires the event for a closed panel even if the panel was already removed. Such an event must be ignored.
    return () => {
      closing.current = () => {}
    }
  })
  const stableAnchor = useRef(() => anchored.current()).current
  useFloating({ panel, anchor: stableAnchor, open: true, ...(side && { side }), ...(align && { align }) })
  useEffect(() => {
    const target = initialFocus?.current ?? panel.current
    target?.focus({ preventScroll: true })
  }, [initialFocus])
  return (
    <div
      ref={panel}
      popover="auto"
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className={classNames(styles['popup'], className ?? styles['panel'])}
      onBlur={closeBehindFocus}
      onToggle={(event) => event.newState === 'closed' && closing.current()}
    >
      {children}
    </div>
  )
}
