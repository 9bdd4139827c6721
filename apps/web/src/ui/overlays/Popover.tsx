import type { ReactElement, ReactNode } from 'react'
import { cloneElement, useEffect, useId, useRef, useState } from 'react'
import { closeBehindFocus } from '../floating/close-behind-focus.ts'
import type { TriggerProps } from '../floating/trigger.ts'
import { useFloating } from '../floating/use-floating.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './Popover.module.css'
import popup from './popup.module.css'

type Props = {
  /** The button that opens the dialog. It must pass the props that it receives to its `<button>`. */
  readonly trigger: ReactElement<TriggerProps>
  /** The accessible name. */
  readonly label: string
  readonly onClose?: () => void
  readonly align?: 'start' | 'center' | 'end'
  readonly className?: string | undefined
  readonly children: ReactNode
}

/**
 * A button and, next to it, a small dialog with controls. The page around the dialog stays usable. The content is mounted only
 * while the dialog is open. Because the dialog is a `popover`, the browser does the following:
 * - It opens the dialog.
 * - It closes the dialog when the user presses Escape or clicks elsewhere.
 * - It then returns the focus to the button.
 */
export const Popover = ({ trigger, label, onClose, align = 'start', className, children }: Props) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const anchor = useRef(() => button.current).current
  const [open, setOpen] = useState(false)
  useFloating({ panel, anchor, open, align })
  useEffect(() => {
    if (open) panel.current?.focus({ preventScroll: true })
  }, [open])
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        popoverTarget: id,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        'data-popup-open': open ? '' : undefined,
      })}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        tabIndex={-1}
        className={classNames(popup['popup'], styles['panel'], className)}
        onBlur={closeBehindFocus}
        // Page shortcuts must not work while the dialog is open.
        onKeyDown={(event) => event.stopPropagation()}
        onToggle={(event) => {
          if (event.target !== event.currentTarget) return
          setOpen(event.newState === 'open')
          if (event.newState === 'closed') onClose?.()
        }}
      >
        {open && children}
      </div>
    </>
  )
}
