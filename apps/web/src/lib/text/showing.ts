/** Bubbles from a place in a text that is about to be scrolled to: whatever hides it has to show it first. */
export const showing = 'postil:showing'

/** Says that an element is about to be scrolled to, and waits until what is around it has made room. */
export const askToShow = (element: Element): void => {
  element.dispatchEvent(new Event(showing, { bubbles: true }))
}
