import type { Range as Units } from './words.ts'

/** Elements whose text is never read, and what a formula was made of. */
const unread = new Set(['script', 'style', 'template', 'noscript', 'annotation', 'annotation-xml'])

/** Whether an element parts the words before it, in it and after it: all but what flows along in a line. */
const parts = (element: Element): boolean =>
  element.localName === 'br' || !/^(?:inline|contents|ruby)/.test(getComputedStyle(element).display)

/** Ranges of the document for what is found in an element's text, also across its children. */
export const textRanges = (root: HTMLElement, find: (text: string) => readonly Units[]): readonly Range[] => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    unread.has((node as Element).localName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  const nodes: { readonly node: Text; readonly start: number }[] = []
  let text = ''
  /** The element that parts each from what is around it; all around one are there before it. */
  const blocks = new Map<Element | null, Element>([[root, root]])
  let last: Element | undefined = root
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const around = blocks.get(node.parentElement)
    if (node instanceof Element) {
      const isPart = parts(node)
      blocks.set(node, isPart || !around ? node : around)
      // One without text of its own parts what is around it, too.
      if (isPart) last = undefined
      continue
    }
    if (around !== last) text += '\n'
    last = around
    nodes.push({ node: node as Text, start: text.length })
    text += (node as Text).data
  }
  const place = (unit: number): { readonly node: Text; readonly offset: number } | null => {
    const found = nodes.findLast(({ start }) => start <= unit)
    return found ? { node: found.node, offset: Math.min(found.node.length, unit - found.start) } : null
  }
  return find(text).flatMap(({ start, end }) => {
    const from = place(start)
    const to = place(Math.max(start, end - 1))
    if (!from || !to) return []
    const range = document.createRange()
    range.setStart(from.node, from.offset)
    range.setEnd(to.node, Math.min(to.node.length, to.offset + 1))
    return [range]
  })
}
