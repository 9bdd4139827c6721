import type { PageHeader } from 'hyparquet'
import { bitsFor, checkPageRuns, DICTIONARY, type Unpacking, viewOf } from './check-runs.ts'

/** A page's decompressed values: where they start, and how many there are, excluding missing ones. */
type Values = { readonly view: DataView; readonly at: number; readonly count: number }

const ofOlder = async ({ data_page_header: first, uncompressed_page_size }: PageHeader, packed: Uint8Array, how: Unpacking) => {
  if (first === undefined) return null
  const { readRleBitPackedHybrid } = await import('hyparquet/src/encoding.js')
  const { repetition, definition } = how.levels
  const view = viewOf(how.unpack(packed, uncompressed_page_size))
  const afterRuns = (at: number): number => at + 4 + view.getUint32(at, true)
  const defined = repetition > 0 ? afterRuns(0) : 0
  if (definition === 0) return { view, at: defined, count: first.num_values }
  const levels = new Uint8Array(first.num_values)
  readRleBitPackedHybrid({ view, offset: defined }, bitsFor(definition), levels)
  const count = levels.reduce((sum, level) => sum + (level === definition ? 1 : 0), 0)
  return { view, at: afterRuns(defined), count }
}

const valuesIn = async (heading: PageHeader, packed: Uint8Array, how: Unpacking): Promise<Values | null> => {
  const { data_page_header_v2: second, uncompressed_page_size: length } = heading
  if (second === undefined) return ofOlder(heading, packed, how)
  const levels = second.repetition_levels_byte_length + second.definition_levels_byte_length
  const rest = packed.subarray(levels)
  const view = viewOf(second.is_compressed === false ? rest : how.unpack(rest, length - levels))
  return { view, at: 0, count: second.num_values - second.num_nulls }
}

const isNamed = (encoding: string | undefined): boolean => encoding !== undefined && DICTIONARY.has(encoding)
const SHARED = 'DELTA_BYTE_ARRAY'

/**
 * The number of bytes in strings that share a prefix with the previous string. Reading the page expands each of these strings.
 */
const sharedBytes = async ({ view, at, count }: Values): Promise<number> => {
  const { deltaBinaryUnpack } = await import('hyparquet/src/delta.js')
  const reader = { view, offset: at }
  const lengths = new Int32Array(count)
  let bytes = 0
  for (let part = 0; part < 2; part += 1) {
    deltaBinaryUnpack(reader, count, lengths)
    for (const length of lengths) bytes += Math.max(0, length)
  }
  return bytes
}

const namedBytes = async ({ view, at, count }: Values, lengths: Uint32Array): Promise<number> => {
  const { readRleBitPackedHybrid } = await import('hyparquet/src/encoding.js')
  const width = at < view.byteLength ? view.getUint8(at) : 0
  if (width === 0) return count * (lengths[0] ?? 0)
  const places = new Int32Array(count)
  readRleBitPackedHybrid({ view, offset: at + 1 }, width, places, view.byteLength - at - 1)
  let bytes = 0
  for (const place of places) bytes += lengths[place] ?? 0
  return bytes
}

const encodingOf = ({ data_page_header: first, data_page_header_v2: second }: PageHeader) => (first ?? second)?.encoding

/** Whether a page's values can take more bytes than the page. */
export const growsOut = (heading: PageHeader): boolean => {
  const encoding = encodingOf(heading)
  return isNamed(encoding) || encoding === SHARED
}

/** The lengths of the strings in a dictionary. */
export const lengthsIn = (bytes: Uint8Array, count: number): Uint32Array<ArrayBuffer> => {
  const view = viewOf(bytes)
  const lengths = new Uint32Array(count)
  for (let i = 0, at = 0; i < count && at + 4 <= view.byteLength; i += 1) {
    const length = view.getUint32(at, true)
    lengths[i] = length
    at += 4 + length
  }
  return lengths
}

/**
 * Returns the number of bytes that a page's strings take once they are expanded. Returns 0 if the page's encoding can't make them
 * larger than the page.
 * @throws ParquetFault
 */
export const valueBytes = async (
  heading: PageHeader,
  packed: Uint8Array,
  how: Unpacking,
  /** The lengths of the strings in the dictionary. If null, the result is 0 for dictionary-encoded pages. */
  lengths: Uint32Array | null,
): Promise<number> => {
  const encoding = encodingOf(heading)
  if (encoding !== SHARED && (lengths === null || !isNamed(encoding))) return 0
  checkPageRuns(heading, packed, how)
  const values = await valuesIn(heading, packed, how)
  if (values === null || values.count === 0) return 0
  return lengths === null || encoding === SHARED ? sharedBytes(values) : namedBytes(values, lengths)
}
