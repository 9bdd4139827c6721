import type { TextSearch } from '@postil/contract/annotation-query/grammar.ts'
import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'
import type { HighlightName, PaintedMatch } from '#lib/text/highlights.ts'

const searchHighlight: HighlightName = 'postil-search'
/** Events that show that the user is already reading or answering. After such an event, the record must not move. */
const interactionEvents = ['pointerdown', 'keydown', 'wheel'] as const

/** The space above a match, as a fraction of the container's height. */
const contextAbove = 1 / 4

/**
 * Makes the browser render the part of a long text that contains a match. Parts outside the viewport aren't rendered and have an
 * estimated height, so a match in such a part has no exact position yet.
 */
const renderAncestors = ({ startContainer }: Range, box: Element): void => {
  for (let part = startContainer.parentElement; part && part !== box; part = part.parentElement)
    if (getComputedStyle(part).contentVisibility === 'auto') part.style.contentVisibility = 'visible'
}

/**
 * Scrolls a newly shown record to its beginning, or to the first match of a search.
 * @param isScrollable whether the user can scroll the record. If so, user input ends the automatic scrolling
 */
export const useInitialScroll = (
  box: RefObject<HTMLElement | null>,
  recordId: string | undefined,
  search: TextSearch | null,
  isScrollable = true,
): void => {
  const text = search?.text
  const field = search?.field
  useLayoutEffect(() => {
    if (recordId !== undefined) box.current?.scrollTo({ top: 0 })
  }, [box, recordId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a search in another field finds other matches
  useLayoutEffect(() => {
    const container = box.current
    if (!container || recordId === undefined || text === undefined) return
    let first: PaintedMatch | null = null
    const show = (): void => {
      const place = first?.box()
      if (!place?.height) return
      const { top, bottom } = container.getBoundingClientRect()
      const coveredHeight = Number.parseFloat(getComputedStyle(container).scrollPaddingBlockEnd) || 0
      if (place.top < top || place.bottom > bottom - coveredHeight)
        container.scrollTop += place.top - top - container.clientHeight * contextAbove
    }
    // Each field highlights matches itself once it has loaded.
    const onPainted = (event: Event): void => {
      const painted = (event as CustomEvent<PaintedMatch>).detail
      const isEarlier = (than: Range): boolean => painted.range.compareBoundaryPoints(Range.START_TO_START, than) < 0
      if (!first || first.range.collapsed || isEarlier(first.range)) first = painted
      renderAncestors(first.range, container)
      show()
    }
    // Content above the match can grow, for example when an image loads or a template renders. If this moves the match out of
    // view, the match is scrolled into view again.
    const observer = new ResizeObserver(show)
    for (const part of [container, ...container.children]) observer.observe(part)
    const leave = (): void => {
      observer.disconnect()
      container.removeEventListener(searchHighlight, onPainted)
      for (const eventName of interactionEvents) document.removeEventListener(eventName, leave, true)
    }
    container.addEventListener(searchHighlight, onPainted)
    for (const eventName of isScrollable ? interactionEvents : [])
      document.addEventListener(eventName, leave, { capture: true, passive: true })
    return leave
  }, [box, recordId, text, field, isScrollable])
}
