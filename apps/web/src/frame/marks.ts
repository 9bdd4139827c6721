import { paint } from '#lib/text/highlights.ts'
import { searchMarks } from '#lib/text/search-marks.ts'
import { textRanges } from '#lib/text/text-ranges.ts'

let unpaint = (): void => {}
let words: string | null = null
let isPlanned = false
let first: Range | undefined
let tell = (): void => {}

/** Where the first of what was found is, from the upper edge of the document; null where nothing is, or it is not shown. */
export const firstFound = (): { readonly top: number; readonly bottom: number } | null => {
  const { top, bottom, height } = first?.getBoundingClientRect() ?? new DOMRect()
  return height > 0 ? { top: top + window.scrollY, bottom: bottom + window.scrollY } : null
}

const mark = (): void => {
  isPlanned = false
  unpaint()
  const ranges = words !== null && document.body ? textRanges(document.body, (text) => searchMarks(text, words ?? '')) : []
  unpaint = paint('postil-search', ranges)
  first = ranges[0]
  tell()
}

/** A template's scripts may write what they like when they like: many changes are looked at together. */
const changed = new MutationObserver(() => {
  if (isPlanned) return
  isPlanned = true
  requestAnimationFrame(mark)
})

/** Marks what a text search has found in whatever the template shows, now and when it changes, and tells so; null marks nothing. */
export const markFound = (search: string | null, onMarked: () => void): void => {
  words = search
  tell = onMarked
  changed.disconnect()
  if (search !== null) changed.observe(document, { childList: true, characterData: true, subtree: true })
  mark()
}
