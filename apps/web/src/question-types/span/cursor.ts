import { nextCharacter, nextWord, previousCharacter, previousWord } from '#lib/text/words.ts'

/** A place in the text, or a selection from `anchor` to `focus`, in UTF-16 units. */
export type Cursor = { readonly anchor: number; readonly focus: number }

export type CursorKey = {
  readonly key: string
  readonly shift: boolean /** By word, or to the ends of the text. */
  readonly far: boolean
}

/** What only the screen knows: where the line above and below is, and where a line begins and ends. */
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

/** Where a key takes the cursor; null when it is no key of the cursor's. */
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
  // Without Shift an arrow leaves a selection at its end, as in any editor.
  const { start, end } = rangeOf(cursor)
  const leaves = isSelection(cursor) && !far && (name === 'forward' || name === 'backward')
  const at = leaves ? (name === 'forward' ? end : start) : move(text, cursor.focus, far, lines)
  return { anchor: at, focus: at }
}
