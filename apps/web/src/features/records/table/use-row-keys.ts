import { useEffect, useRef } from 'react'

type Press = Pick<globalThis.KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>
type Actions = {
  readonly current: number
  readonly count: number
  readonly isOpen: boolean
  readonly moveTo: (row: number) => void
  readonly open: () => void
  readonly close: () => void
  readonly select: () => void
}

/** The keys that move between rows, and by how many rows they move. */
const steps: { readonly [key: string]: number } = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10 }

/**
 * The keys of the table. While a record is open, J, K and Escape work everywhere except in controls, because the focus may be in
 * the record's panel.
 * @returns a function for keys pressed in a row; it returns whether the key was handled
 */
export const useRowKeys = ({ current, count, isOpen, moveTo, open, close, select }: Actions): ((press: Press) => boolean) => {
  const pressed = ({ key, ctrlKey, metaKey, altKey }: Press): boolean => {
    if (ctrlKey || metaKey || altKey) return false
    const step = steps[key]
    if (step !== undefined) moveTo(current + step)
    else if (key === 'Home') moveTo(0)
    else if (key === 'End') moveTo(count - 1)
    else if (key === 'Enter' || key === ' ') open()
    else if (key === 'Escape' && isOpen) close()
    else if (key === 'x') select()
    else return false
    return true
  }
  const outside = (event: globalThis.KeyboardEvent): void => {
    const isInControl =
      event.target instanceof Element && event.target.closest('input, select, textarea, [popover], dialog') !== null
    if (isOpen && !isInControl && !event.defaultPrevented && ['j', 'k', 'Escape'].includes(event.key)) pressed(event)
  }
  const latest = useRef(outside)
  useEffect(() => {
    latest.current = outside
  })
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => latest.current(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return pressed
}
