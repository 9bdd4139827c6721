import type { KeyboardEvent, ReactElement, ReactNode } from 'react'
import { cloneElement, useEffect, useId, useRef, useState } from 'react'
import { menuTarget, typedTarget } from '../floating/roving.ts'
import type { TriggerProps } from '../floating/trigger.ts'
import { useFloating } from '../floating/use-floating.ts'
import { classNames } from '../styles/class-names.ts'
import { MenuContext } from './menu-context.ts'
import styles from './popup.module.css'

type MenuProps = {
  /** The button that opens the menu. It must pass the props that it receives to its `<button>`. */
  readonly trigger: ReactElement<TriggerProps>
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  readonly side?: 'top' | 'bottom'
}

/** Letters typed within this many milliseconds of each other form one word. */
const typingPause = 500

const itemsIn = (menu: HTMLElement): readonly HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)'),
]

/** Returns the text of an item. Typed letters are compared with this text. */
const nameOf = (item: HTMLElement): string => item.querySelector(`.${styles['grow']}`)?.textContent ?? item.textContent

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

/** Handles the keys inside an open menu, as in the ARIA Authoring Practices. */
const useMenuKeys = () => {
  const typed = useRef({ text: '', at: 0 })
  return (event: KeyboardEvent<HTMLElement>): void => {
    const menu = event.currentTarget
    // Page shortcuts must not work while a menu is open.
    event.stopPropagation()
    if (event.key === 'Tab') {
      menu.hidePopover()
      return
    }
    const items = itemsIn(menu)
    const current = items.indexOf(document.activeElement as HTMLElement)
    let target = menuTarget(event.key, current, items.length)
    if (isLetter(event)) {
      const isGoingOn = event.timeStamp - typed.current.at < typingPause
      typed.current = { text: (isGoingOn ? typed.current.text : '') + event.key, at: event.timeStamp }
      target = typedTarget(typed.current.text, current, items.map(nameOf))
    }
    if (target === null) return
    event.preventDefault()
    items[target]?.focus()
  }
}

/**
 * A button and its menu. The browser opens the menu, and closes it on Escape and on a press elsewhere (`popover`). Arrows,
 * Home, End and letters move between the items. On close, the focus returns to the button.
 */
export const Menu = ({ trigger, children, align = 'start', side = 'bottom' }: MenuProps) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const anchor = useRef(() => button.current).current
  const fromEnd = useRef(false)
  const [open, setOpen] = useState(false)
  const onMenuKeyDown = useMenuKeys()
  useFloating({ panel: menu, anchor, open, side, align })

  useEffect(() => {
    if (!open || !menu.current) return
    const items = itemsIn(menu.current)
    const first = fromEnd.current ? items.at(-1) : items[0]
    fromEnd.current = false
    first?.focus({ preventScroll: true })
  }, [open])

  const onTriggerKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    fromEnd.current = event.key === 'ArrowUp'
    menu.current?.showPopover()
  }

  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        id: `${id}-button`,
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'data-popup-open': open ? '' : undefined,
        onKeyDown: onTriggerKeyDown,
      })}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-labelledby={`${id}-button`}
        className={classNames(styles['popup'], styles['menu'])}
        onKeyDown={onMenuKeyDown}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && <MenuContext value={() => menu.current?.hidePopover()}>{children}</MenuContext>}
      </div>
    </>
  )
}
