import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'
import type { HighlightName, Painted } from '#lib/text/highlights.ts'
import type { TextSearch } from '#lib/url/grammar.ts'

const found: HighlightName = 'postil-search'
/** What somebody does who reads or answers already: the record stays where it is under them. */
const deeds = ['pointerdown', 'keydown', 'wheel'] as const

/** What is read before what was found, as a part of the height. */
const before = 1 / 4

/** Parts of a long text are not drawn out of sight, and take a height that is a guess: what is in one of them has no place before it is drawn. */
const drawAround = ({ startContainer }: Range, box: Element): void => {
  for (let part = startContainer.parentElement; part && part !== box; part = part.parentElement)
    if (getComputedStyle(part).contentVisibility === 'auto') part.style.contentVisibility = 'visible'
}

/**
 * A record is shown from its beginning, or where a search has found words in it, so that the first of them can be read.
 * @param isMoved whether somebody can scroll it, who is left alone then
 */
export const useBeginning = (
  box: RefObject<HTMLElement | null>,
  recordId: string | undefined,
  search: TextSearch | null,
  isMoved = true,
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
    let first: Painted | null = null
    const show = (): void => {
      const place = first?.box()
      if (!place?.height) return
      const { top, bottom } = around.getBoundingClientRect()
      const unclear = Number.parseFloat(getComputedStyle(around).scrollPaddingBlockEnd) || 0
      if (place.top < top || place.bottom > bottom - unclear) around.scrollTop += place.top - top - around.clientHeight * before
    }
    // Each field paints by itself, when it is there.
    const take = (event: Event): void => {
      const painted = (event as CustomEvent<Painted>).detail
      const isEarlier = (than: Range): boolean => painted.range.compareBoundaryPoints(Range.START_TO_START, than) < 0
      if (!first || first.range.collapsed || isEarlier(first.range)) first = painted
      drawAround(first.range, around)
      show()
    }
    // What grows above, a picture that arrives or what a template draws, takes it out of view.
    const observer = new ResizeObserver(show)
    for (const part of [around, ...around.children]) observer.observe(part)
    const leave = (): void => {
      observer.disconnect()
      around.removeEventListener(found, take)
      for (const deed of deeds) document.removeEventListener(deed, leave, true)
    }
    around.addEventListener(found, take)
    for (const deed of isMoved ? deeds : []) document.addEventListener(deed, leave, { capture: true, passive: true })
    return leave
  }, [box, recordId, text, field, isMoved])
}
