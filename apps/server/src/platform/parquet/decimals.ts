import type { SchemaElement, SchemaTree } from 'hyparquet'

/** Columns of decimals, with how many of their digits stand behind the point. */
export type Decimals = ReadonlyMap<string, number>

/** Digits behind the point, and bytes of a number, beyond which no program writes any. */
const MAX_SCALE = 76
const MAX_BYTES = 32

const scaleOf = ({ type, type_length = 0, converted_type, logical_type, scale }: SchemaElement): number | null => {
  const said = logical_type?.type === 'DECIMAL' ? logical_type : undefined
  if (converted_type !== 'DECIMAL' && said === undefined) return null
  const isWhole = type === 'INT32' || type === 'INT64'
  if (!isWhole && !(type === 'FIXED_LEN_BYTE_ARRAY' && type_length >= 1 && type_length <= MAX_BYTES)) return null
  const digits = scale ?? said?.scale ?? 0
  return digits >= 0 && digits <= MAX_SCALE ? digits : null
}

/**
 * Has the library hand over the digits of decimals as they lie in the file: it would multiply them by a power of ten, which makes 0.35
 * to 0.35000000000000003, and whole numbers beyond 2^53 to other ones.
 */
export const takeDecimals = ({ children }: SchemaTree): Decimals => {
  const found = new Map<string, number>()
  for (const { element } of children) {
    const scale = scaleOf(element)
    if (scale === null) continue
    delete element.converted_type
    found.set(element.name, scale)
  }
  return found
}

const wholeOf = (value: unknown): bigint | null => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return BigInt(value)
  if (!(value instanceof Uint8Array)) return null
  const hex = Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')
  return BigInt.asIntN(value.length * 8, BigInt(`0x${hex}`))
}

/** The number nearest to a decimal; a whole one that no number can hold stays a BigInt, as integers do. */
const decimalOf = (value: unknown, scale: number): unknown => {
  const whole = wholeOf(value)
  if (whole === null) return value
  const unit = 10n ** BigInt(scale)
  if (whole % unit === 0n) return whole / unit
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0')
  return Number(`${whole < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`)
}

type Row = { readonly [column: string]: unknown }

/** A row whose decimals are what they say. */
export const withDecimals = (row: Row, decimals: Decimals): Row => {
  const read = Object.keys(row).flatMap((name) => {
    const scale = decimals.get(name)
    return scale === undefined ? [] : [[name, decimalOf(row[name], scale)] as const]
  })
  return read.length === 0 ? row : { ...row, ...Object.fromEntries(read) }
}
