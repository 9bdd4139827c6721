export type Direction = 'ltr' | 'rtl'

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/gu
const letter = /\p{L}/gu

/** Enough of a text to tell its script; the rest of a long one is not read. */
const sample = 5000

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** The direction of a text: right-to-left when such letters outnumber the others. */
export const directionOf = (text: string): Direction => {
  const start = text.slice(0, sample)
  const rtl = count(start, rightToLeft)
  return rtl > 0 && rtl > count(start, letter) - rtl ? 'rtl' : 'ltr'
}

/** Whether anything in a text reads from right to left. */
export const hasRightToLeft = (text: string): boolean => text.search(rightToLeft) >= 0

/** The direction of a part of a text; undefined where nothing in it has one of its own. */
export const directionOfPart = (text: string): Direction | undefined => (/\p{L}/u.test(text) ? directionOf(text) : undefined)

/** The lines of a text that follow one another in one direction, with their line breaks; the whole of most texts. */
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

/** The direction of what an input holds, each line its own where they differ; undefined where that is not known, or is no prose. */
export const directionOfInput = (value: unknown, type = 'text'): Direction | 'auto' | undefined => {
  if (typeof value !== 'string' || (type !== 'text' && type !== 'search')) return undefined
  return runsOf(value).length > 1 ? 'auto' : directionOf(value)
}
