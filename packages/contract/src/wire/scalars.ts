import { z } from 'zod'
import { isAtLeast, isAtMost } from './code-points.ts'
import { isJsonObject, type JsonObject, type JsonValue, jsonFault, textFault } from './json.ts'
import { Fault, notDictionary, notString, scalar, valueError } from './scalar.ts'

const hyphenated = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const plainHex = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i

/** Converts a uuid (any case, hyphenated or 32 hex digits) to lower case with hyphens. Null if the text is not a uuid. */
export const parseUuid = (text: string): string | null => {
  if (hyphenated.test(text)) return text.toLowerCase()
  return plainHex.test(text) ? text.replace(plainHex, '$1-$2-$3-$4-$5').toLowerCase() : null
}

const toUuid = (value: unknown): string | Fault => {
  if (typeof value !== 'string') return new Fault('uuid_type', 'UUID input should be a string')
  return parseUuid(value) ?? new Fault('uuid_parsing', 'Input should be a valid UUID')
}
/* Schemas without settings are created once. Creating a schema takes 20 μs, and a server needs thousands of them when it starts. */

const anyUuid = scalar<string>({ type: 'string', format: 'uuid' }, toUuid)
export const uuid = () => anyUuid

const words: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 't', 'yes', 'y', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'f', 'no', 'n', 'off'].map((word) => [word, false] as const),
])

const toBool = (value: unknown): boolean | Fault => {
  if (typeof value === 'boolean') return value
  const isText = typeof value === 'string'
  if (!isText && !Number.isInteger(value)) return new Fault('bool_type', 'Input should be a valid boolean')
  return words.get(String(value).toLowerCase()) ?? new Fault('bool_parsing', 'Input should be a valid boolean')
}
const anyBool = scalar<boolean>({ type: 'boolean' }, toBool)
export const bool = () => anyBool
/** A bool that defaults to `fallback` if it is omitted or null. */
export const boolOr = (fallback: boolean) =>
  bool()
    .nullish()
    .transform((value) => value ?? fallback)

export const shouldBeOneOf = (values: readonly unknown[]): string => {
  const quoted = values.map((value) => `'${value}'`)
  const [last = ''] = quoted.slice(-1)
  return `Input should be ${quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${last}` : last}`
}

/**
 * Text with a fixed set of values. Use it for values that Argilla's server declares as literals. When such a value is invalid,
 * the error has another type than that for an enum.
 */
export const literals = <const V extends string>(...values: readonly V[]) =>
  scalar<V>(
    { type: 'string', enum: values },
    (value) => values.find((one) => one === value) ?? new Fault('literal_error', shouldBeOneOf(values)),
  )

type Bounds = { readonly ge?: number; readonly gt?: number; readonly le?: number }
const checkBounds = (value: number, { ge, gt, le }: Bounds): number | Fault => {
  if (ge !== undefined && value < ge) return new Fault('greater_than_equal', `Input should be greater than or equal to ${ge}`)
  if (gt !== undefined && value <= gt) return new Fault('greater_than', `Input should be greater than ${gt}`)
  if (le !== undefined && value > le) return new Fault('less_than_equal', `Input should be less than or equal to ${le}`)
  return value
}
const boundsJson = ({ ge, gt, le }: Bounds) => ({
  ...(ge !== undefined && { minimum: ge }),
  ...(gt !== undefined && { exclusiveMinimum: gt }),
  ...(le !== undefined && { maximum: le }),
})

const integralText = /^\s*[+-]?\d+(?:\.0*)?\s*$/
/** Parses an integer as leniently as the wire does. Integral floats, numeric text and bools are accepted. */
export const toInt = (value: unknown): number | Fault => {
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'number' && typeof value !== 'string') return new Fault('int_type', 'Input should be a valid integer')
  if (typeof value === 'string' && !integralText.test(value)) {
    return new Fault('int_parsing', 'Input should be a valid integer, unable to parse string as an integer')
  }
  const number = Number(value)
  if (!Number.isInteger(number))
    return new Fault('int_from_float', 'Input should be a valid integer, got a number with a fractional part')
  if (!Number.isSafeInteger(number)) return new Fault('int_parsing_size', 'Input should be an integer within ±(2^53−1)')
  return number
}
export const int = (bounds: Bounds = {}) =>
  scalar<number>({ type: 'integer', ...boundsJson(bounds) }, (value) => {
    const number = toInt(value)
    return typeof number === 'number' ? checkBounds(number, bounds) : number
  })

const numericText = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i
/** Parses a finite number. Numeric text and bools are accepted. */
export const toFloat = (value: unknown): number | Fault => {
  if (typeof value === 'number')
    return Number.isFinite(value) ? value : new Fault('finite_number', 'Input should be a finite number')
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'string') return new Fault('float_type', 'Input should be a valid number')
  if (!numericText.test(value)) {
    return new Fault('float_parsing', 'Input should be a valid number, unable to parse string as a number')
  }
  const number = Number(value)
  return Number.isFinite(number) ? number : new Fault('finite_number', 'Input should be a finite number')
}
export const float = (bounds: Bounds = {}) =>
  scalar<number>({ type: 'number', ...boundsJson(bounds) }, (value) => {
    const number = toFloat(value)
    return typeof number === 'number' ? checkBounds(number, bounds) : number
  })

type TextRules = {
  /** Limits in code points. */
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  readonly trim?: boolean
  /**
   * False for text that is only looked up and never stored. It may contain characters that can't be stored; it then matches
   * nothing.
   */
  readonly keep?: boolean
}
const textJson = ({ min, max, pattern }: TextRules) => ({
  type: 'string',
  ...(min !== undefined && { minLength: min }),
  ...(max !== undefined && { maxLength: max }),
  ...(pattern !== undefined && { pattern: pattern.source }),
})
const characters = (count: number) => (count === 1 ? '1 character' : `${count} characters`)

const checkText = (sent: string, { min, max, pattern, trim, keep = true }: TextRules): string | Fault => {
  const text = trim ? sent.trim() : sent
  const fault = keep ? textFault(text) : null
  if (fault !== null) return valueError(fault)
  if (min !== undefined && !isAtLeast(text, min)) {
    return new Fault('string_too_short', `String should have at least ${characters(min)}`)
  }
  if (max !== undefined && !isAtMost(text, max))
    return new Fault('string_too_long', `String should have at most ${characters(max)}`)
  if (pattern && !pattern.test(text))
    return new Fault('string_pattern_mismatch', `String should match pattern '${pattern.source}'`)
  return text
}

export const text = (rules: TextRules = {}) =>
  scalar<string>(textJson(rules), (value) => (typeof value === 'string' ? checkText(value, rules) : notString()))
/** Accepts text or a number. A number becomes its decimal form. Refuses bools, and numbers that may have been rounded. */
export const textOrNumber = (rules: TextRules = {}) =>
  scalar<string, string | number>({ ...textJson(rules), type: ['string', 'number'] }, (value) => {
    if (typeof value === 'string') return checkText(value, rules)
    if (typeof value !== 'number') return notString()
    // If `keep` is false, the value is only searched for and not stored. Any number is then accepted, because metadata may
    // contain any number.
    const fault = rules.keep === false ? null : jsonFault(value)
    return fault === null ? String(value) : valueError(fault)
  })

/** Any JSON value that can be stored exactly. */
export const json = () =>
  scalar<JsonValue>({}, (value) => {
    const fault = jsonFault(value)
    return fault === null ? (value as JsonValue) : valueError(fault)
  })
/** Any JSON object that can be stored exactly. */
export const jsonObject = () =>
  scalar<JsonObject>({ type: 'object' }, (value) => {
    if (!isJsonObject(value)) return notDictionary()
    const fault = jsonFault(value)
    return fault === null ? value : valueError(fault)
  })

const printedTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?$/
const anyPrintedDatetime = z.string().regex(printedTime)
/** A time in a response: UTC without a zone suffix, with microseconds unless they are zero. */
export const printedDatetime = () => anyPrintedDatetime
const anyPrintedUuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
/** A uuid in a response. */
export const printedUuid = () => anyPrintedUuid
/** A list in a response. */
export const itemsOf = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item) })
