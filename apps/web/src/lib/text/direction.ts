const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/gu
const letter = /\p{L}/gu

/** Enough of a text to tell its script; the rest of a long one is not read. */
const sample = 5000

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** The direction of a text: right-to-left when such letters outnumber the others. */
export const directionOf = (text: string): 'ltr' | 'rtl' => {
  const start = text.slice(0, sample)
  const rtl = count(start, rightToLeft)
  return rtl > 0 && rtl > count(start, letter) - rtl ? 'rtl' : 'ltr'
}

/** The direction of what an input holds; undefined where that is not known, or is no prose. */
export const directionOfInput = (value: unknown, type = 'text'): 'ltr' | 'rtl' | undefined =>
  typeof value === 'string' && (type === 'text' || type === 'search') ? directionOf(value) : undefined
