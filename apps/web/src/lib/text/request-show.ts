/**
 * Name of the event that bubbles from a position in a text before the position is scrolled into view. Anything that hides the
 * position must reveal it when it receives the event.
 */
export const beforeShowEvent = 'postil:showing'

/**
 * Makes everything that hides an element reveal it, before the element is scrolled into view. When this function returns, the
 * element is visible.
 */
export const requestShow = (element: Element): void => {
  element.dispatchEvent(new Event(beforeShowEvent, { bubbles: true }))
}
