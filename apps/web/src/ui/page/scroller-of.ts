const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowY)

/** The box that an element scrolls in, or null for the page itself. */
export const scrollerOf = (element: Element): Element | null => {
  for (let box = element.parentElement; box && box !== document.documentElement; box = box.parentElement) {
    if (scrolls(box)) return box
  }
  return null
}
