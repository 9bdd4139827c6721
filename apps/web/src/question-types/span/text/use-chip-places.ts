import type { RefObject } from 'react'
import { useCallback, useLayoutEffect, useRef } from 'react'
import { startOfKey } from '../model.ts'

const supportsSkipEvent = 'ContentVisibilityAutoStateChangeEvent' in globalThis

type SkipEvent = Event & { readonly skipped: boolean }

/** Returns a span's position in its first line. In bidirectional text, a span can have several boxes per line, in any order. */
const firstLine = (marked: Element): { readonly left: number; readonly right: number; readonly top: number } | null => {
  const boxes = [...marked.getClientRects()]
  const top = Math.min(...boxes.map((box) => box.top))
  const first = boxes.filter((box) => box.top < top + 1)
  if (first.length === 0) return null
  return { top, left: Math.min(...first.map(({ left }) => left)), right: Math.max(...first.map(({ right }) => right)) }
}

type Place = {
  readonly chip: HTMLElement
  readonly level: number
  readonly isRtl: boolean
  readonly start: number
  readonly top: number
  readonly edge: number
}

/** Returns the distance from each label to the next label in the same row. The last label in a row has no entry. */
const freeSpaces = (places: readonly Place[]): ReadonlyMap<Place, number> => {
  const inRows = places.toSorted((a, b) => a.level - b.level || a.top - b.top || a.start - b.start)
  return new Map(
    inRows.flatMap((place, index) => {
      const next = inRows[index + 1]
      const isBeside = next !== undefined && next.level === place.level && next.top < place.top + 1
      return isBeside ? [[place, next.start - place.start] as const] : []
    }),
  )
}

/** Reads all positions before writing any, so that the page is laid out once, however many labels there are. */
const measure = (root: HTMLElement, blocks: readonly HTMLElement[]): void => {
  const { left, right, width } = root.getBoundingClientRect()
  const found = blocks.map((block) => {
    const isRtl = getComputedStyle(block).direction === 'rtl'
    const bounds = block.getBoundingClientRect()
    const marked = new Map([...block.querySelectorAll<HTMLElement>('[data-marked]')].map((one) => [one.dataset['at'], one]))
    return [...block.querySelectorAll<HTMLElement>('[data-chip]')].flatMap((chip): readonly Place[] => {
      const own = marked.get(String(startOfKey(chip.dataset['chip'] ?? '')))
      const line = own && firstLine(own)
      if (!line) return []
      const [start, edge] = isRtl ? [bounds.right - line.right, line.right - left] : [line.left - bounds.left, right - line.left]
      const level = Number(chip.style.getPropertyValue('--level'))
      return [{ chip, level, isRtl, start, edge, top: line.top - bounds.top }]
    })
  })
  root.style.setProperty('--widest', `${Math.floor(width)}px`)
  for (const places of found) {
    const spaces = freeSpaces(places)
    for (const place of places) {
      const { chip, isRtl, start, edge, top } = place
      const freeSpace = spaces.get(place)
      chip.style.setProperty('--span-start', `${start}px`)
      chip.style.setProperty('--span-top', `${top}px`)
      chip.style.setProperty('--chip-room', freeSpace === undefined ? null : `${Math.floor(freeSpace) - 1}px`)
      chip.style.setProperty('--edge', `${Math.floor(edge)}px`)
      chip.style.setProperty('--inwards', isRtl ? '-1' : '1')
    }
  }
}

/**
 * Positions the labels below a text. For each label, sets CSS properties for the position of the label's span and for the
 * distance from the span to the edge of the text. The label must not extend beyond this edge. Labels outside the viewport are
 * measured when they come into view.
 * @param letters an element with a few letters. Its size changes if the user enlarges the text or its spacing
 * @returns a function to call with each rendered block
 */
export const useChipPlaces = (
  root: RefObject<HTMLElement | null>,
  letters: RefObject<HTMLElement | null>,
): ((block: HTMLElement) => void) => {
  const renderedBlocks = useRef(new Set<HTMLElement>())
  const pendingFrame = useRef(new Set<HTMLElement>())
  const lastPlaces = useRef(new WeakSet<EventTarget>())
  const frame = useRef<number | null>(null)

  const plan = useCallback((): void => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = null
      const isReady = (block: HTMLElement): boolean =>
        block.dataset['far'] === undefined || !supportsSkipEvent || lastPlaces.current.has(block)
      const ready = [...pendingFrame.current].filter(isReady)
      for (const block of ready) pendingFrame.current.delete(block)
      if (root.current && ready.length > 0) measure(root.current, ready)
    })
  }, [root])

  useLayoutEffect(() => {
    const text = root.current
    if (!text) return undefined
    const onSkip = (event: Event): void => {
      if (!event.target) return
      if ((event as SkipEvent).skipped) lastPlaces.current.delete(event.target)
      else lastPlaces.current.add(event.target)
      plan()
    }
    const again = (): void => {
      for (const block of renderedBlocks.current) {
        if (block.isConnected) pendingFrame.current.add(block)
        else renderedBlocks.current.delete(block)
      }
      plan()
    }
    const sizeNow = (): string => {
      const { width, height } = letters.current?.getBoundingClientRect() ?? {}
      return JSON.stringify([text.clientWidth, width, height])
    }
    let size = sizeNow()
    const resized = new ResizeObserver(() => {
      const next = sizeNow()
      if (next === size) return
      size = next
      again()
    })
    resized.observe(text)
    if (letters.current) resized.observe(letters.current)
    text.addEventListener('contentvisibilityautostatechange', onSkip)
    // A newly loaded font changes where letters start.
    document.fonts.addEventListener('loadingdone', again)
    return () => {
      resized.disconnect()
      text.removeEventListener('contentvisibilityautostatechange', onSkip)
      document.fonts.removeEventListener('loadingdone', again)
      if (frame.current !== null) cancelAnimationFrame(frame.current)
      frame.current = null
    }
  }, [root, letters, plan])

  return useCallback(
    (block) => {
      renderedBlocks.current.add(block)
      pendingFrame.current.add(block)
      plan()
    },
    [plan],
  )
}
