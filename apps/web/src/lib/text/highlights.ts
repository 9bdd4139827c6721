/**
 * Names of highlights. Highlights mark document ranges without changing the document, through the CSS Custom Highlight API.
 * `::highlight(name)` styles them.
 */
export type HighlightName = 'postil-search' | 'postil-selected'

const registry = (): HighlightRegistry | null => (typeof CSS !== 'undefined' && 'highlights' in CSS ? CSS.highlights : null)

const highlightNamed = (name: HighlightName): Highlight | null => {
  const all = registry()
  if (!all) return null
  const known = all.get(name)
  if (known) return known
  const created = new Highlight()
  all.set(name, created)
  return created
}

/** The first highlighted range. */
export type PaintedMatch = {
  /** The range in the document. */
  readonly range: Range
  /** Returns the range's box in window coordinates. The height is 0 if the range isn't visible. */
  readonly box: () => Pick<DOMRect, 'top' | 'bottom' | 'height'>
}

/** Dispatches a bubbling event with the first highlighted range. The event has the name of the highlight. */
export const dispatchPainted = (name: HighlightName, detail: PaintedMatch): void => {
  detail.range.startContainer.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }))
}

/**
 * Adds ranges to a highlight. Returns a function that removes them. Dispatches an event about the first range, so that the record
 * can scroll to it. Does nothing in browsers without the Highlight API.
 */
export const paint = (name: HighlightName, ranges: readonly Range[]): (() => void) => {
  const highlight = highlightNamed(name)
  if (!highlight) return () => {}
  for (const range of ranges) highlight.add(range)
  const [first] = ranges
  if (first) dispatchPainted(name, { range: first, box: () => first.getBoundingClientRect() })
  return () => {
    for (const range of ranges) highlight.delete(range)
  }
}
