/** Paints ranges of the document without touching it, by the browser's custom highlights. Styled by `::highlight(name)`. */
export type HighlightName = 'postil-search' | 'postil-selected'

const registry = (): HighlightRegistry | null => (typeof CSS !== 'undefined' && 'highlights' in CSS ? CSS.highlights : null)

const named = (name: HighlightName): Highlight | null => {
  const all = registry()
  if (!all) return null
  const known = all.get(name)
  if (known) return known
  const made = new Highlight()
  all.set(name, made)
  return made
}

/**
 * Adds ranges to a highlight; the function given back takes them away. A browser without highlights shows none. What is painted is told by
 * an event that is called like the highlight and bubbles from where the first of its ranges begins, which it has as its `detail`.
 */
export const paint = (name: HighlightName, ranges: readonly AbstractRange[]): (() => void) => {
  const highlight = named(name)
  if (!highlight) return () => {}
  for (const range of ranges) highlight.add(range)
  const [first] = ranges
  first?.startContainer.dispatchEvent(new CustomEvent(name, { bubbles: true, detail: first }))
  return () => {
    for (const range of ranges) highlight.delete(range)
  }
}
