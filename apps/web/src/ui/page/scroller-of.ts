const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowY)

/** Returns the box that an element scrolls in, or null if it scrolls with the page. */
export const scrollerOf = (element: Element): Element | null => {
  for (let box = element.parentElement; box && box !== document.documentElement; box = box.parentElement) {
    if (scrolls(box)) return box
  }
  return null
}
