import type { FocusEvent } from 'react'

/**
 * A panel that Tab has left would lie over what has the focus then: it closes. Its own button closes it by itself, and what lies above it, as a
 * menu or a dialog, is no way out.
 */
export const closeBehindFocus = ({ currentTarget: panel, relatedTarget: next }: FocusEvent<HTMLElement>): void => {
  if (!(next instanceof Element) || panel.contains(next) || next.closest('[popover], dialog')) return
  const opens = next instanceof HTMLButtonElement && next.popoverTargetElement === panel
  if (!opens && panel.matches(':popover-open')) panel.hidePopover()
}
