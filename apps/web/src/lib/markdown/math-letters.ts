type Alphabet = {
  /** The code points of the alphabet's A, a, 0, Α and α. */
  readonly upper: number
  readonly lower: number
  readonly digits?: number
  readonly greek?: readonly [upper: number, lower: number]
  /**
   * Pairs of a plain letter and its symbol. Unicode had these symbols before it added the alphabet, so their code points are not
   * in the alphabet's range.
   */
  readonly earlier?: string
}

/** Unicode math alphabets, keyed by MathML variant name. Browsers no longer draw these variants themselves. */
const alphabets: { readonly [variant: string]: Alphabet } = {
  bold: { upper: 0x1d400, lower: 0x1d41a, digits: 0x1d7ce, greek: [0x1d6a8, 0x1d6c2] },
  'bold-italic': { upper: 0x1d468, lower: 0x1d482, greek: [0x1d71c, 0x1d736] },
  script: { upper: 0x1d49c, lower: 0x1d4b6, earlier: 'BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ' },
  fraktur: { upper: 0x1d504, lower: 0x1d51e, earlier: 'CℭHℌIℑRℜZℨ' },
  'double-struck': { upper: 0x1d538, lower: 0x1d552, digits: 0x1d7d8, earlier: 'CℂHℍNℕPℙQℚRℝZℤ' },
  'sans-serif': { upper: 0x1d5a0, lower: 0x1d5ba, digits: 0x1d7e2 },
  monospace: { upper: 0x1d670, lower: 0x1d68a, digits: 0x1d7f6 },
}

const signOf = (letter: string, { upper, lower, digits, greek, earlier = '' }: Alphabet): string => {
  const known = earlier.indexOf(letter)
  if (known >= 0) return earlier[known + 1]!
  const ranges = [
    ['A', 'Z', upper],
    ['a', 'z', lower],
    ['0', '9', digits],
    ['Α', 'Ω', greek?.[0]],
    ['α', 'ω', greek?.[1]],
  ] as const
  const range = ranges.find(([first, last]) => letter >= first && letter <= last)
  if (range?.[2] === undefined) return letter
  return String.fromCodePoint(range[2] + letter.charCodeAt(0) - range[0].charCodeAt(0))
}

/** Replaces letters with those of a Unicode math alphabet. Characters that the alphabet lacks stay unchanged. */
export const mathLetters = (text: string, variant: string): string => {
  const alphabet = alphabets[variant]
  return alphabet ? [...text].map((letter) => signOf(letter, alphabet)).join('') : text
}
