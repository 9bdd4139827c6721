import type { SchemaElement, SchemaTree } from 'hyparquet'
import { withoutEnd } from '#platform/text/without-end.ts'

/** Maximum number of decimal places, and maximum number of bytes in a number. Larger values are not expected in practice. */
const MAX_SCALE = 76
const MAX_BYTES = 32

const scaleOf = ({ type, type_length = 0, converted_type, logical_type, scale }: SchemaElement): number | null => {
  const said = logical_type?.type === 'DECIMAL' ? logical_type : undefined
  if (converted_type !== 'DECIMAL' && said === undefined) return null
  const isAnyLength = type === 'INT32' || type === 'INT64' || type === 'BYTE_ARRAY'
  if (!isAnyLength && !(type === 'FIXED_LEN_BYTE_ARRAY' && type_length >= 1 && type_length <= MAX_BYTES)) return null
  const digits = scale ?? said?.scale ?? 0
  return digits >= 0 && digits <= MAX_SCALE ? digits : null
}

const wholeOf = (value: unknown): bigint | null => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return BigInt(value)
  if (!(value instanceof Uint8Array) || value.length > MAX_BYTES) return null
  if (value.length === 0) return 0n
  const hex = Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')
  return BigInt.asIntN(value.length * 8, BigInt(`0x${hex}`))
}

/** The number of significant digits that every double preserves. */
const SURE_DIGITS = 15
/**
 * Whether a decimal with fractional digits would change if it were converted to a number: 0.1234567890123456789 would become
 * 0.12345678901234568.
 */
export const isRounded = (decimal: string): boolean =>
  /^-?\d+\.\d+$/.test(decimal) && decimal.replace(/^[-0.]+|\./g, '').length > SURE_DIGITS && String(Number(decimal)) !== decimal

/**
 * Converts a decimal. An integer becomes a BigInt, as other integers do. A fraction becomes a number if that is exact;
 * otherwise it stays a string of digits.
 */
const decimalOf = (value: unknown, scale: number): unknown => {
  const whole = wholeOf(value)
  if (whole === null) return value
  const unit = 10n ** BigInt(scale)
  if (whole % unit === 0n) return whole / unit
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0')
  const decimal = `${whole < 0n ? '-' : ''}${digits.slice(0, -scale)}.${withoutEnd(digits.slice(-scale), '0')}`
  return isRounded(decimal) ? decimal : Number(decimal)
}

/** Number of decimal places of the seconds in a time of day, keyed by unit. */
const TIME_UNITS: { readonly [unit: string]: number | undefined } = {
  TIME_MILLIS: 3,
  TIME_MICROS: 6,
  MILLIS: 3,
  MICROS: 6,
  NANOS: 9,
}

const timeDigits = ({ type, converted_type, logical_type }: SchemaElement): number | null => {
  const unit = logical_type?.type === 'TIME' ? logical_type.unit : converted_type
  return (type === 'INT32' || type === 'INT64') && (logical_type?.type ?? 'TIME') === 'TIME'
    ? (TIME_UNITS[unit ?? ''] ?? null)
    : null
}

const DAY = 86_400n
/** A time of day in ISO 8601. @param digits number of decimal places of the seconds */
const timeOf = (value: unknown, digits: number): unknown => {
  const units = wholeOf(value)
  const second = 10n ** BigInt(digits)
  if (units === null || units < 0n || units >= DAY * second) return value
  const two = (part: bigint) => String(part).padStart(2, '0')
  const seconds = units / second
  const behind = units % second
  const time = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map(two).join(':')
  if (behind === 0n) return time
  let fraction = String(behind).padStart(digits, '0')
  while (fraction.endsWith('000')) fraction = fraction.slice(0, -3)
  return `${time}.${fraction}`
}

const isLocal = ({ logical_type }: SchemaElement): boolean =>
  logical_type?.type === 'TIMESTAMP' && logical_type.isAdjustedToUTC === false
/** Removes the time zone that the library adds to a local date and time. */
const localOf = (value: unknown): unknown => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : value.toISOString().replace(/(\.000)?Z$/, '')
  return typeof value === 'string' ? value.replace(/Z$/, '') : value
}

type Exact = (value: unknown) => unknown
/** Columns, or parts of columns, mapped to the functions that make their values exact. */
type ExactValues = ReadonlyMap<string, Exact>
/** How the library classifies a schema node. */
type Shapes = { readonly isListLike: (node: SchemaTree) => boolean; readonly isMapLike: (node: SchemaTree) => boolean }

const ofItems =
  (exact: Exact): Exact =>
  (value) =>
    Array.isArray(value) ? value.map(ofItems(exact)) : exact(value)

const ofParts =
  (parts: ExactValues | Exact): Exact =>
  (value) => {
    if (typeof value !== 'object' || value === null) return value
    const exactOf = (name: string) => (typeof parts === 'function' ? parts : parts.get(name))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, exactOf(name)?.(part) ?? part]))
  }

const ofLeaf = ({ element }: SchemaTree): Exact | null => {
  if (isLocal(element)) return localOf
  const scale = scaleOf(element)
  const digits = timeDigits(element)
  if (scale === null) return digits === null ? null : (value) => timeOf(value, digits)
  delete element.converted_type
  return (value) => decimalOf(value, scale)
}

const ofNode = (node: SchemaTree, shapes: Shapes): Exact | null => {
  const { children } = node
  if (children.length === 0) return ofLeaf(node)
  const [inner] = children
  if (shapes.isListLike(node)) {
    const [item] = inner?.children ?? []
    return item === undefined ? (inner === undefined ? null : ofNode(inner, shapes)) : ofNode(item, shapes)
  }
  if (shapes.isMapLike(node)) {
    const item = inner?.children.find(({ element }) => element.name === 'value')
    const exact = item === undefined ? null : ofNode(item, shapes)
    return exact && ofParts(ofItems(exact))
  }
  const parts = takeExact(node, shapes)
  return parts.size === 0 ? null : ofParts(parts)
}

/**
 * Makes the library return decimals as they are stored. By default, the library multiplies decimals by a power of ten, which
 * turns 0.35 into 0.35000000000000003 and changes integers beyond 2^53. The library also returns times of day as integers, and
 * adds a time zone to local dates and times.
 * @returns the functions that convert these values, keyed by column
 */
export const takeExact = ({ children }: SchemaTree, shapes: Shapes): ExactValues =>
  new Map(
    children.flatMap((node) => {
      const exact = ofNode(node, shapes)
      return exact === null ? [] : [[node.element.name, ofItems(exact)] as const]
    }),
  )

type Row = { readonly [column: string]: unknown }

/** A row with exact decimals and times. */
export const withExact = (row: Row, columns: ExactValues): Row => {
  const read = Object.keys(row).flatMap((name) => {
    const exact = columns.get(name)
    return exact === undefined ? [] : [[name, exact(row[name])] as const]
  })
  return read.length === 0 ? row : { ...row, ...Object.fromEntries(read) }
}
