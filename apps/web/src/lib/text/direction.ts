export type Direction = 'ltr' | 'rtl'

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/gu
const letter = /\p{L}/gu

/** How many characters at the start of text are used to detect its direction. */
const sample = 5000

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Returns the direction of text: right-to-left if most of its letters are right-to-left. */
export const directionOf = (text: string): Direction => {
  const start = text.slice(0, sample)
  const rtl = count(start, rightToLeft)
  return rtl > 0 && rtl > count(start, letter) - rtl ? 'rtl' : 'ltr'
}

/** Whether text contains right-to-left characters. */
export const hasRightToLeft = (text: string): boolean => text.search(rightToLeft) >= 0

/** Returns the direction of a part of the text, or undefined if the part has no letters. */
export const directionOfPart = (text: string): Direction | undefined => (/\p{L}/u.test(text) ? directionOf(text) : undefined)

/**
 * Splits text into runs of consecutive lines with the same direction. Runs include their line breaks. Most text is a single run.
 */
export const runsOf = (text: string): readonly { readonly text: string; readonly direction: Direction }[] => {
  if (!hasRightToLeft(text)) return [{ text, direction: 'ltr' }]
  const runs: { text: string; direction: Direction | undefined }[] = []
  for (const line of text.match(/[^\n]+\n?|\n/g) ?? []) {
    const direction = directionOfPart(line)
    const last = runs.at(-1)
    if (last && (last.direction ?? direction) === (direction ?? last.direction)) {
      last.text += line
      last.direction ??= direction
    } else runs.push({ text: line, direction })
  }
  return runs.map((run) => ({ text: run.text, direction: run.direction ?? 'ltr' }))
}

/**
 * Returns the direction of an input's value: `auto` if its lines have different directions, or undefined if the value isn't text.
 */
export const directionOfInput = (value: unknown, type = 'text'): Direction | 'auto' | undefined => {
  if (typeof value !== 'string' || (type !== 'text' && type !== 'search')) return undefined
  return runsOf(value).length > 1 ? 'auto' : directionOf(value)
}
