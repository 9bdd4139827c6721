import { startOfKey } from '../model.ts'

/**
 * Functions that map UTF-16 units of the text to positions in the document, and back. Text is in elements whose `data-at`
 * attribute is the offset at which the element's text starts. Labels are outside these elements.
 */

const ownerOf = (node: Node): HTMLElement | null =>
  (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>('[data-at]') ?? null

const textOf = (element: HTMLElement): Text | null => (element.lastChild instanceof Text ? element.lastChild : null)

const offsetIn = (element: HTMLElement): number => Number(element.dataset['at'])

/** Returns the index of the UTF-16 unit at a position in the document. Null if the position is outside `root`. */
export const unitAt = (root: HTMLElement, node: Node, offset: number): number | null => {
  if (!root.contains(node)) return null
  const chip = (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>('[data-chip]')
  if (chip) return startOfKey(chip.dataset['chip'] ?? '')
  const element = ownerOf(node)
  if (node instanceof Text && element && textOf(element) === node) return offsetIn(element) + offset
  // A position between elements is the start of the text that follows.
  const following = node instanceof Text ? node : (node.childNodes[offset] ?? null)
  const all = [...root.querySelectorAll<HTMLElement>('[data-at]')]
  if (element) {
    const text = textOf(element)
    const isBefore =
      following !== null &&
      text !== null &&
      (following === text || Boolean(following.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING))
    return isBefore ? offsetIn(element) : offsetIn(element) + (text?.length ?? 0)
  }
  const next =
    following &&
    all.find(
      (one) =>
        one === following ||
        following.contains(one) ||
        Boolean(following.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING),
    )
  if (next) return offsetIn(next)
  const inside = node instanceof Element ? all.filter((one) => node.contains(one)).at(-1) : undefined
  const last = inside ?? all.at(-1)
  return last ? offsetIn(last) + (textOf(last)?.length ?? 0) : 0
}

/** Returns the text node that contains a unit, and the offset in that node. `block` is the element of the unit's block. */
export const pointAt = (block: HTMLElement, unit: number): { readonly node: Text; readonly offset: number } | null => {
  const elements = block.querySelectorAll<HTMLElement>('[data-at]')
  let found: HTMLElement | null = null
  for (const element of elements) {
    if (found && offsetIn(element) > unit) break
    found = element
  }
  const node = found && textOf(found)
  return node && found ? { node, offset: Math.min(Math.max(0, unit - offsetIn(found)), node.length) } : null
}
