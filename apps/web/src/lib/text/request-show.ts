/**
 * Name of the event that bubbles from a position in a text before it is scrolled into view. Anything that hides the position
 * must reveal it when it receives the event.
 */
export const beforeShowEvent = 'postil:showing'

/** Makes everything around an element reveal it before it is scrolled into view. When this returns, the element is visible. */
export const requestShow = (element: Element): void => {
  element.dispatchEvent(new Event(beforeShowEvent, { bubbles: true }))
}
