import type { FocusEvent } from 'react'

/**
 * Closes a panel when Tab moves the focus out, because the panel would cover the focused element. Ignores the panel's own
 * button, which closes the panel anyway. Moving to an element above the panel, such as a menu or a dialog, isn't treated as
 * leaving.
 */
export const closeBehindFocus = ({ currentTarget: panel, relatedTarget: next }: FocusEvent<HTMLElement>): void => {
  if (!(next instanceof Element) || panel.contains(next) || next.closest('[popover], dialog')) return
  const opens = next instanceof HTMLButtonElement && next.popoverTargetElement === panel
  if (!opens && panel.matches(':popover-open')) panel.hidePopover()
}
