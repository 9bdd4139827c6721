import type { Range as Units } from './words.ts'

/** Ranges of the document for what is found in an element's text, also across its children. */
export const textRanges = (root: HTMLElement, find: (text: string) => readonly Units[]): readonly Range[] => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const nodes: { readonly node: Text; readonly start: number }[] = []
  let text = ''
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
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
