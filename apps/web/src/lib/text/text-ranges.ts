import type { Range as Units } from './words.ts'

/** Elements whose text is skipped, including a formula's source. */
const skippedElements = new Set(['script', 'style', 'template', 'noscript', 'annotation', 'annotation-xml'])

/** Whether an element separates the words before, inside and after it. All elements except inline ones do. */
const breaksWords = (element: Element): boolean =>
  element.localName === 'br' || !/^(?:inline|contents|ruby)/.test(getComputedStyle(element).display)

/** Returns document ranges for matches in an element's text, including matches that span its children. */
export const textRanges = (root: HTMLElement, find: (text: string) => readonly Units[]): readonly Range[] => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    skippedElements.has((node as Element).localName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  const nodes: { readonly node: Text; readonly start: number }[] = []
  let text = ''
  /**
   * For each element, the closest block: the element itself or an ancestor, for example a paragraph. Words don't continue from
   * one block into another. Ancestors are added first.
   */
  const blocks = new Map<Element | null, Element>([[root, root]])
  let last: Element | undefined = root
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parentBlock = blocks.get(node.parentElement)
    if (node instanceof Element) {
      const isPart = breaksWords(node)
      blocks.set(node, isPart || !parentBlock ? node : parentBlock)
      // An empty element also separates the text around it.
      if (isPart) last = undefined
      continue
    }
    if (parentBlock !== last) text += '\n'
    last = parentBlock
    nodes.push({ node: node as Text, start: text.length })
    text += (node as Text).data
  }
  const positionAt = (unit: number): { readonly node: Text; readonly offset: number } | null => {
    const found = nodes.findLast(({ start }) => start <= unit)
    return found ? { node: found.node, offset: Math.min(found.node.length, unit - found.start) } : null
  }
  return find(text).flatMap(({ start, end }) => {
    const from = positionAt(start)
    const to = positionAt(Math.max(start, end - 1))
    if (!from || !to) return []
    const range = document.createRange()
    range.setStart(from.node, from.offset)
    range.setEnd(to.node, Math.min(to.node.length, to.offset + 1))
    return [range]
  })
}
