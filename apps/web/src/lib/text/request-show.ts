/**
 * Name of the event that bubbles from a position in a text before the position is scrolled into view. Anything that hides the
 * position must reveal it when it receives the event.
 */
export const beforeShowEvent = 'postil:showing'

/**
 * Asks every component that hides the element to reveal it, for example the truncated field that contains it. Must be called
 * before the element is scrolled into view. Event listeners run synchronously, so the element is visible when this function
 * returns.
 */
export const requestShow = (element: Element): void => {
  element.dispatchEvent(new Event(beforeShowEvent, { bubbles: true }))
}
