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

/** The first place that was painted. */
export type Painted = {
  /** Where it is in the document. */
  readonly range: Range
  /** Where it is in the window: without height where it is not shown. */
  readonly box: () => Pick<DOMRect, 'top' | 'bottom' | 'height'>
}

/** Tells what was painted by an event that is called like the highlight, and bubbles from there. */
export const tellPainted = (name: HighlightName, detail: Painted): void => {
  detail.range.startContainer.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }))
}

/** Adds ranges to a highlight, and tells of the first; the function given back takes them away. A browser without highlights shows none. */
export const paint = (name: HighlightName, ranges: readonly Range[]): (() => void) => {
  const highlight = named(name)
  if (!highlight) return () => {}
  for (const range of ranges) highlight.add(range)
  const [first] = ranges
  if (first) tellPainted(name, { range: first, box: () => first.getBoundingClientRect() })
  return () => {
    for (const range of ranges) highlight.delete(range)
  }
}
