import { inflateRawSync } from 'node:zlib'
import { glyphs } from './glyphs.gen.ts'

/** A glyph: gray levels from 0 to 15, row by row, and its offset from the pen and the baseline. */
export type Letter = {
  readonly advance: number
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly level: (i: number) => number
}
type LetterSet = keyof typeof glyphs

const HEAD = 12
const letterSets = new Map<LetterSet, ReadonlyMap<number, Letter>>()

const read = (set: LetterSet): ReadonlyMap<number, Letter> => {
  const bytes = inflateRawSync(Buffer.from(glyphs[set], 'base64'))
  const letters = new Map<number, Letter>()
  for (let at = 0; at < bytes.length; ) {
    const [code = 0, advance = 0, left = 0, top = 0, width = 0, height = 0] = [0, 1, 2, 3, 4, 5].map((i) =>
      bytes.readInt16LE(at + i * 2),
    )
    const start = at + HEAD
    const level = (i: number) => ((bytes[start + (i >> 1)] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 15
    letters.set(code, { advance, left, top, width, height, level })
    at = start + Math.ceil((width * height) / 2)
  }
  return letters
}

const lettersOf = (set: LetterSet): ReadonlyMap<number, Letter> => {
  const letters = letterSets.get(set) ?? read(set)
  letterSets.set(set, letters)
  return letters
}

/** Returns a text's glyphs; null if the set lacks one of them, for example because the text is in another script. */
export const lettersFor = (set: LetterSet, text: string): readonly Letter[] | null => {
  const letters = lettersOf(set)
  const found = [...text.normalize('NFC').replace(/\s+/g, ' ')].map((letter) => letters.get(letter.codePointAt(0) ?? 0))
  return found.every((letter) => letter !== undefined) ? found : null
}

export const widthOf = (letters: readonly Letter[]): number => letters.reduce((sum, { advance }) => sum + advance, 0)

/** Returns as much of a text as fits, with an ellipsis if it was cut; null if the set lacks a glyph. */
export const fitLetters = (set: LetterSet, text: string, width: number): readonly Letter[] | null => {
  const whole = lettersFor(set, text)
  if (whole === null || widthOf(whole) <= width) return whole
  const dots = lettersFor(set, '…') ?? []
  let prefix = whole
  while (prefix.length > 0 && widthOf(prefix) + widthOf(dots) > width) prefix = prefix.slice(0, -1)
  return [...prefix, ...dots]
}
