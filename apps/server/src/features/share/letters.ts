import { inflateRawSync } from 'node:zlib'
import { glyphs } from './glyphs.gen.ts'

/** A letter as a picture: grey levels from 0 to 15, row by row, and where it stands beside the pen and above the line. */
export type Letter = {
  readonly advance: number
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly level: (i: number) => number
}
export type LetterSet = keyof typeof glyphs

const HEAD = 12
const known = new Map<LetterSet, ReadonlyMap<number, Letter>>()

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
  const letters = known.get(set) ?? read(set)
  known.set(set, letters)
  return letters
}

/** The letters of a text in a set; null for one with letters that the set does not have, of another script say. */
export const spell = (set: LetterSet, text: string): readonly Letter[] | null => {
  const letters = lettersOf(set)
  const spelt = [...text.normalize('NFC').replace(/\s+/g, ' ')].map((letter) => letters.get(letter.codePointAt(0) ?? 0))
  return spelt.every((letter) => letter !== undefined) ? spelt : null
}

export const widthOf = (letters: readonly Letter[]): number => letters.reduce((sum, { advance }) => sum + advance, 0)

/** As much of a text as fits, with an ellipsis where it was cut; null where it cannot be spelt. */
export const spellWithin = (set: LetterSet, text: string, width: number): readonly Letter[] | null => {
  const whole = spell(set, text)
  if (whole === null || widthOf(whole) <= width) return whole
  const dots = spell(set, '…') ?? []
  let kept = whole
  while (kept.length > 0 && widthOf(kept) + widthOf(dots) > width) kept = kept.slice(0, -1)
  return [...kept, ...dots]
}
