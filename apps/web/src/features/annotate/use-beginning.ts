import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'
import type { HighlightName } from '#lib/text/highlights.ts'
import type { TextSearch } from '#lib/url/grammar.ts'

const found: HighlightName = 'postil-search'
/** What somebody does who reads or answers already: the record stays where it is under them. */
const deeds = ['pointerdown', 'keydown', 'wheel'] as const

/** What is read before what was found, as a part of the height. */
const before = 1 / 4

/** A record is shown from its beginning, or where a search has found words in it, so that the first of them can be read. */
export const useBeginning = (
  box: RefObject<HTMLElement | null>,
  recordId: string | undefined,
  search: TextSearch | null,
): void => {
  const text = search?.text
  const field = search?.field
  useLayoutEffect(() => {
    if (recordId !== undefined) box.current?.scrollTo({ top: 0 })
  }, [box, recordId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: in another field other words are found
  useLayoutEffect(() => {
    const around = box.current
    if (!around || recordId === undefined || text === undefined) return
    let first: Range | null = null
    const show = (): void => {
      const place = first?.getBoundingClientRect()
      if (!place?.height) return
      const { top, bottom } = around.getBoundingClientRect()
      if (place.top < top || place.bottom > bottom) around.scrollTop += place.top - top - around.clientHeight * before
    }
    // Each field paints by itself, when it is there.
    const take = (event: Event): void => {
      const range = (event as CustomEvent<Range>).detail
      if (!first || first.collapsed || range.compareBoundaryPoints(Range.START_TO_START, first) < 0) first = range
      show()
    }
    // What grows above, a picture that arrives or what a template draws, takes it out of view.
    const observer = new ResizeObserver(show)
    for (const part of around.children) observer.observe(part)
    const leave = (): void => {
      observer.disconnect()
      around.removeEventListener(found, take)
      for (const deed of deeds) document.removeEventListener(deed, leave, true)
    }
    around.addEventListener(found, take)
    for (const deed of deeds) document.addEventListener(deed, leave, { capture: true, passive: true })
    return leave
  }, [box, recordId, text, field])
}
