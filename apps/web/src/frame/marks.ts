import { paint } from '#lib/text/highlights.ts'
import { searchMarks } from '#lib/text/search-marks.ts'
import { textRanges } from '#lib/text/text-ranges.ts'

let unpaint = (): void => {}
let words: string | null = null
let isPlanned = false

const mark = (): void => {
  isPlanned = false
  unpaint()
  const ranges = words !== null && document.body ? textRanges(document.body, (text) => searchMarks(text, words ?? '')) : []
  unpaint = paint('postil-search', ranges)
}

/** A template's scripts may write what they like when they like: many changes are looked at together. */
const changed = new MutationObserver(() => {
  if (isPlanned) return
  isPlanned = true
  requestAnimationFrame(mark)
})

/** Marks what a text search has found in whatever the template shows, now and when it changes; null marks nothing. */
export const markFound = (search: string | null): void => {
  words = search
  changed.disconnect()
  if (search !== null) changed.observe(document, { childList: true, characterData: true, subtree: true })
  mark()
}
