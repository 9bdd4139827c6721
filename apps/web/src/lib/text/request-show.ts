/**
 * Name of the event that bubbles from a place in a text before it is scrolled to. Anything that hides the place must show it
 * first.
 */
export const beforeShowEvent = 'postil:showing'

/** Asks everything around an element to show it before it is scrolled to. The element is shown by the time this returns. */
export const requestShow = (element: Element): void => {
  element.dispatchEvent(new Event(beforeShowEvent, { bubbles: true }))
}
