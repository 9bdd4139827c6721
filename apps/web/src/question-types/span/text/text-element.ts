import { requestShow } from '#lib/text/request-show.ts'
import type { Range as Units } from '#lib/text/words.ts'
import type { Block } from './blocks.ts'
import { partAt } from './blocks.ts'
import type { Lines } from './cursor.ts'
import { lineAbove, lineBelow } from './cursor.ts'
import { pointAt, unitAt } from './positions.ts'

/** The element that displays the text. Positions in the text (units) are UTF-16 offsets. */
export type TextElement = {
  /** Returns the text direction at a unit. Each message of a conversation has its own direction. */
  readonly directionAt: (unit: number) => 'ltr' | 'rtl'
  readonly selected: () => Units | null
  /**
   * Returns the selected text, unchanged, or null if nothing is selected or the selection includes something outside the
   * element.
   */
  readonly selectedText: () => string | null
  readonly select: (anchor: number, focus: number) => void
  readonly rangeOf: (units: Units) => Range | null
  /** Returns a cursor's position relative to the element, or null if nothing is rendered there. */
  readonly caretAt: (unit: number) => { readonly left: number; readonly top: number; readonly height: number } | null
  readonly unitAtPoint: (x: number, y: number) => number | null
  readonly lines: Lines
  readonly reveal: (unit: number) => void
}

const fromPoint = (x: number, y: number): { readonly node: Node; readonly offset: number } | null => {
  const position = document.caretPositionFromPoint?.(x, y)
  if (position) return { node: position.offsetNode, offset: position.offset }
  const range = document.caretRangeFromPoint?.(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : null
}

const withoutBlanks = (text: string): string => text.replace(/\s/gu, '')

export const textElement = (root: HTMLElement, text: string, blocks: readonly Block[]): TextElement => {
  // Looked up once, because a search has up to a thousand matches in a text of thousands of blocks.
  let blockElements: NodeListOf<HTMLElement> | undefined
  const blockElement = (unit: number): HTMLElement | null => {
    blockElements ??= root.querySelectorAll<HTMLElement>('[data-block]')
    return blockElements[partAt(blocks, unit)] ?? null
  }

  const point = (unit: number): { readonly node: Text; readonly offset: number } | null => {
    const block = blockElement(unit)
    return block && pointAt(block, unit)
  }

  const directionAt = (unit: number): 'ltr' | 'rtl' =>
    getComputedStyle(blockElement(unit) ?? root).direction === 'rtl' ? 'rtl' : 'ltr'

  const rangeOf = ({ start, end }: Units): Range | null => {
    const from = point(start)
    const to = point(end)
    if (!from || !to) return null
    const range = document.createRange()
    range.setStart(from.node, from.offset)
    range.setEnd(to.node, to.offset)
    return range
  }

  /**
   * Returns the box of the character at a position. At the end of the text or of a line, returns the box of the preceding
   * character.
   */
  const boxAt = (unit: number): { readonly x: number; readonly top: number; readonly height: number } | null => {
    const isAfter = unit >= text.length || (text[unit] === '\n' && unit > 0 && text[unit - 1] !== '\n')
    const rects = rangeOf(
      isAfter ? { start: Math.max(0, unit - 1), end: unit } : { start: unit, end: Math.min(text.length, unit + 1) },
    )?.getClientRects()
    const rect = rects && (isAfter ? rects[rects.length - 1] : rects[0])
    if (!rect) return null
    const rtl = directionAt(isAfter ? Math.max(0, unit - 1) : unit) === 'rtl'
    return { x: isAfter === rtl ? rect.left : rect.right, top: rect.top, height: rect.height }
  }

  const unitAtPoint = (x: number, y: number): number | null => {
    const found = fromPoint(x, y)
    return found && unitAt(root, found.node, found.offset)
  }

  const lineHeight = (unit: number): number => {
    const block = blockElement(unit)
    return (block && Number.parseFloat(getComputedStyle(block).lineHeight)) || 28
  }

  const isBeside = (unit: number, other: number): boolean =>
    Math.abs((boxAt(unit)?.top ?? 0) - (boxAt(other)?.top ?? 0)) < lineHeight(unit) / 2

  /**
   * Returns the unit on the next line, or on the previous line if `by` is −1. Null if there is none. Labels make some lines
   * taller, so the distance to the line is unknown. Therefore searches in steps of half a line.
   */
  const unitOnNextLine = (unit: number, by: 1 | -1): number | null => {
    const box = boxAt(unit)
    if (!box) return null
    const bounds = root.getBoundingClientRect()
    const step = (by * lineHeight(unit)) / 2
    for (let y = box.top + box.height / 2 + 2 * step; y >= bounds.top && y <= bounds.bottom; y += step) {
      const found = unitAtPoint(box.x, y)
      if (found === null || !isBeside(unit, found)) return found
    }
    return null
  }

  const vertical =
    (by: 1 | -1) =>
    (unit: number): number => {
      const found = unitOnNextLine(unit, by)
      if (found === null) return by > 0 ? text.length : 0
      return by > 0 ? lineBelow(text, unit, found) : lineAbove(text, unit, found, isBeside)
    }

  const edge =
    (end: boolean) =>
    (unit: number): number => {
      const box = boxAt(unit)
      // A message is narrower than the text as a whole.
      const bounds = (blockElement(unit) ?? root).getBoundingClientRect()
      const atRight = end === (directionAt(unit) === 'ltr')
      const x = atRight ? bounds.right - 1 : bounds.left + 1
      const lineBreak = text.indexOf('\n', unit)
      const fallback = end ? (lineBreak < 0 ? text.length : lineBreak) : text.lastIndexOf('\n', unit - 1) + 1
      return box ? (unitAtPoint(x, box.top + box.height / 2) ?? fallback) : fallback
    }

  const selected = (): Units | null => {
    const selection = document.getSelection()
    if (!selection || selection.isCollapsed || !selection.anchorNode || !root.contains(selection.anchorNode)) return null
    const range = selection.getRangeAt(0)
    // A drag may end outside the text. In that case, the selection extends to the start or end of the text.
    const first = unitAt(root, range.startContainer, range.startOffset) ?? 0
    const last = unitAt(root, range.endContainer, range.endOffset) ?? text.length
    // A selection that starts on a span's label counts from the start of the span. Labels precede the text in the document, so
    // `first` can be greater than `last`.
    return first === last ? null : { start: Math.min(first, last), end: Math.max(first, last) }
  }

  return {
    directionAt,
    selected,
    selectedText: () => {
      const units = selected()
      if (!units) return null
      const own = text.slice(units.start, units.end)
      const selection = document.getSelection()!
      // After a triple click on the last line, the selection ends outside the text, although it includes nothing from outside the
      // text.
      const isAlone =
        root.contains(selection.getRangeAt(0).commonAncestorContainer) || withoutBlanks(String(selection)) === withoutBlanks(own)
      return isAlone ? own : null
    },
    select: (anchor, focus) => {
      const from = point(anchor)
      const to = point(focus)
      if (from && to) document.getSelection()?.setBaseAndExtent(from.node, from.offset, to.node, to.offset)
    },
    rangeOf,
    caretAt: (unit) => {
      const box = boxAt(unit)
      const origin = root.getBoundingClientRect()
      return box && { left: box.x - origin.left, top: box.top - origin.top, height: box.height }
    },
    unitAtPoint,
    lines: { above: vertical(-1), below: vertical(1), start: edge(false), end: edge(true) },
    reveal: (unit) => {
      const { node } = point(unit) ?? {}
      const element = node?.parentElement
      if (!element) return
      requestShow(element)
      element.scrollIntoView({
        block: 'center',
        behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
      })
    },
  }
}
