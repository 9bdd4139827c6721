import { nextCharacter, nextWord, previousCharacter, previousWord } from '#lib/text/words.ts'

/** A position in the text, or a selection from `anchor` to `focus`, in UTF-16 units. */
export type Cursor = { readonly anchor: number; readonly focus: number }

type CursorKey = {
  readonly key: string
  readonly shift: boolean /** Whether an arrow key moves by word instead of by character, and Home and End move to the start or end of the text instead of the line. */
  readonly far: boolean
}

/**
 * Layout information that only the screen has: the positions on the lines above and below, and where a line starts and ends.
 */
export type Lines = {
  readonly above: (unit: number) => number
  readonly below: (unit: number) => number
  readonly start: (unit: number) => number
  readonly end: (unit: number) => number
}

export const rangeOf = ({ anchor, focus }: Cursor): { readonly start: number; readonly end: number } => ({
  start: Math.min(anchor, focus),
  end: Math.max(anchor, focus),
})

export const isSelection = ({ anchor, focus }: Cursor): boolean => anchor !== focus

const moves: { readonly [key: string]: (text: string, at: number, far: boolean, lines: Lines) => number } = {
  forward: (text, at, far) => (far ? nextWord(text, at) : nextCharacter(text, at)),
  backward: (text, at, far) => (far ? previousWord(text, at) : previousCharacter(text, at)),
  ArrowUp: (_text, at, _far, lines) => lines.above(at),
  ArrowDown: (_text, at, _far, lines) => lines.below(at),
  Home: (_text, at, far, lines) => (far ? 0 : lines.start(at)),
  End: (text, at, far, lines) => (far ? text.length : lines.end(at)),
}

/** Returns where a key moves the cursor, or null if the key doesn't move it. */
export const moveCursor = (
  text: string,
  cursor: Cursor,
  { key, shift, far }: CursorKey,
  lines: Lines,
  rtl: boolean,
): Cursor | null => {
  const name =
    key === (rtl ? 'ArrowLeft' : 'ArrowRight') ? 'forward' : key === (rtl ? 'ArrowRight' : 'ArrowLeft') ? 'backward' : key
  const move = moves[name]
  if (!move) return null
  if (shift) return { anchor: cursor.anchor, focus: move(text, cursor.focus, far, lines) }
  // Without Shift, an arrow collapses a selection to its start or end, as in any editor.
  const { start, end } = rangeOf(cursor)
  const leaves = isSelection(cursor) && !far && (name === 'forward' || name === 'backward')
  const at = leaves ? (name === 'forward' ? end : start) : move(text, cursor.focus, far, lines)
  return { anchor: at, focus: at }
}

const lineStart = (text: string, unit: number): number => (unit === 0 ? 0 : text.lastIndexOf('\n', unit - 1) + 1)
const lineEnd = (text: string, unit: number): number => {
  const lineBreak = text.indexOf('\n', unit)
  return lineBreak < 0 ? text.length : lineBreak
}

/* `found` is the position that is displayed one line height above or below the cursor. It isn't always in the adjacent line. For
   example, there may be no text there, because there is a gap between two messages. If the adjacent line is too short, `found` is
   the position after its line break, which is already part of the next line. */

/**
 * Returns the position to which the cursor moves when it moves down one line.
 * @param found the position below the cursor on the screen
 */
export const lineBelow = (text: string, unit: number, found: number): number => {
  const next = lineEnd(text, unit) + 1
  const last = next > text.length ? text.length : lineEnd(text, next)
  return found <= unit || found > last + 1 ? Math.min(next, text.length) : Math.min(found, last)
}

/**
 * Returns the position to which Arrow Up moves the cursor.
 * @param found the position above the cursor on the screen
 * @param isBeside whether two positions are on the same screen line
 */
export const lineAbove = (
  text: string,
  unit: number,
  found: number,
  isBeside: (unit: number, other: number) => boolean,
): number => {
  const start = lineStart(text, unit)
  if (start === 0) return found < unit ? found : 0
  const isHere = found >= unit || (found === start && isBeside(start, unit))
  return isHere || found < lineStart(text, start - 1) ? start - 1 : found
}
