import { paint } from '#lib/text/highlights.ts'
import { searchMarks } from '#lib/text/search-marks.ts'
import { textRanges } from '#lib/text/text-ranges.ts'

let unpaint = (): void => {}
let searchText: string | null = null
let isWithoutAccents = false
let isPlanned = false
let first: Range | undefined
let notify = (): void => {}

/**
 * Returns the vertical range of the first match, measured from the top of the document, or null if there is none or it isn't
 * visible.
 */
export const firstMatch = (): { readonly top: number; readonly bottom: number } | null => {
  const { top, bottom, height } = first?.getBoundingClientRect() ?? new DOMRect()
  return height > 0 ? { top: top + window.scrollY, bottom: bottom + window.scrollY } : null
}

const updateMarks = (): void => {
  isPlanned = false
  unpaint()
  const ranges =
    searchText !== null && document.body
      ? textRanges(document.body, (text) => searchMarks(text, searchText ?? '', isWithoutAccents))
      : []
  unpaint = paint('postil-search', ranges)
  first = ranges[0]
  notify()
}

/** A template's scripts may change the document at any time. Changes are handled in batches. */
const mutationObserver = new MutationObserver(() => {
  if (isPlanned) return
  isPlanned = true
  requestAnimationFrame(updateMarks)
})

/**
 * Highlights search matches in the template's output, now and whenever the output changes. Calls `onMarked` after each update.
 * If `search` is null, highlights nothing.
 */
export const markMatches = (search: string | null, ignoresAccents: boolean, onMarked: () => void): void => {
  searchText = search
  isWithoutAccents = ignoresAccents
  notify = onMarked
  mutationObserver.disconnect()
  if (search !== null) mutationObserver.observe(document, { childList: true, characterData: true, subtree: true })
  updateMarks()
}
