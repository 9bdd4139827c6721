/** The largest JavaScript number has this many digits before the decimal point. */
const MAX_DIGITS = 309
const WHOLE = /^\s*([+-]?\d+)(?:\.0*)?\s*$/

const digitsOf = (text: string): string | null => {
  const digits = WHOLE.exec(text)?.[1]
  return digits === undefined || digits.length < 16 || Number.isSafeInteger(Number(digits)) ? null : digits
}

/**
 * Whether a string is a whole number outside the safe range. Converting it to a number would change its value or its printed
 * form.
 */
export const isGreat = (text: string): boolean => digitsOf(text) !== null

/**
 * Whether a string is a whole number that a JavaScript number can't represent exactly. For example, 9007199254740993 would become
 * 9007199254740992.
 */
export const isInexact = (text: string): boolean => {
  const digits = digitsOf(text)
  if (digits === null) return false
  const number = Number(digits)
  return digits.length > MAX_DIGITS || !Number.isFinite(number) || BigInt(digits) !== BigInt(number)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d

/** The position of the closing quote of a JSON string. @param open position of the opening quote */
const closedAt = (json: string, open: number): number => {
  let at = open + 1
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}

/**
 * Replaces large whole numbers in JSON with strings of their digits. They are IDs, and 1152921504606846976 would be printed as
 * 1152921504606847000.
 * @param json valid JSON
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
      if (isGreat(found)) {
        exact += `${json.slice(from, at)}"${found}"`
        from = at + found.length
      }
      at += found.length - 1
    }
  }
  return exact + json.slice(from)
}

const NOT_A_NUMBER = 'NaN'

/** Replaces NaN in JSON with null. Python writes NaN for a missing number, but it isn't valid JSON. */
export const withoutNaN = (json: string): string => {
  if (!json.includes(NOT_A_NUMBER)) return json
  let plain = ''
  let from = 0
  for (let at = 0; at < json.length; at += 1) {
    if (json.charCodeAt(at) === QUOTE) at = closedAt(json, at)
    else if (json.startsWith(NOT_A_NUMBER, at)) {
      plain += `${json.slice(from, at)}null`
      from = at + NOT_A_NUMBER.length
      at = from - 1
    }
  }
  return plain + json.slice(from)
}
