/** More digits than any number has whose digits can be counted in JavaScript. */
const MOST_DIGITS = 309
const WHOLE = /^\s*([+-]?\d+)(?:\.0*)?\s*$/

/** Whether a text is a whole number that would be another one as a number: 9007199254740993 would be 9007199254740992. */
export const isInexact = (text: string): boolean => {
  const digits = WHOLE.exec(text)?.[1]
  if (digits === undefined || digits.length < 16) return false
  const number = Number(digits)
  if (Number.isSafeInteger(number)) return false
  return digits.length > MOST_DIGITS || !Number.isFinite(number) || BigInt(digits) !== BigInt(number)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d

/** Where a text of JSON ends. @param open where its first quote is */
const closedAt = (json: string, open: number): number => {
  let at = open + 1
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}

/**
 * JSON whose whole numbers are texts of their digits where they would be other ones as numbers.
 * @param json that can be parsed
 */
export const withExactNumbers = (json: string): string => {
  if (!/\d{16}/.test(json)) return json
  const number = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy
  let exact = ''
  let from = 0
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = closedAt(json, at)
    else if (code === MINUS || (code >= 0x30 && code <= 0x39)) {
      number.lastIndex = at
      const [found = ''] = number.exec(json) ?? []
      if (isInexact(found)) {
        exact += `${json.slice(from, at)}"${found}"`
        from = at + found.length
      }
      at += found.length - 1
    }
  }
  return exact + json.slice(from)
}
