import type { PageHeader } from 'hyparquet'
import { ParquetFault } from './fault.ts'

/** How a column's values are nested: the maximum definition level (missing values) and repetition level (lists). */
type Levels = { readonly definition: number; readonly repetition: number; readonly isBoolean: boolean }
export type Unpacking = {
  readonly levels: Levels
  /** Decompresses a page to at most its declared length. */
  readonly unpack: (bytes: Uint8Array, length: number) => Uint8Array
}
type Bytes = { readonly view: DataView; readonly at: number; readonly end: number }

const tooLong = () => new ParquetFault('has a run that exceeds its page')
export const bitsFor = (level: number): number => 32 - Math.clz32(level)

/** A run's header, and the position where its data starts. */
const headingAt = ({ view, at, end }: Bytes): { readonly heading: number; readonly next: number } => {
  let heading = 0
  let next = at
  for (let shift = 0; shift <= 28 && next < end; shift += 7) {
    const byte = view.getUint8(next++)
    heading += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { heading, next }
  }
  throw tooLong()
}

/** Checks RLE and bit-packed runs, because the library expands each run to its declared length. */
const checkRuns = ({ view, at: start, end }: Bytes, width: number, values: number): void => {
  for (let at = start, seen = 0; at < end && seen < values; ) {
    const { heading, next } = headingAt({ view, at, end })
    const count = Math.floor(heading / 2)
    // Bit-packed values come in groups of eight, and the last group may be padded.
    const isPacked = heading % 2 === 1
    const length = isPacked ? count * 8 : count
    if (length > values + (isPacked ? 7 : 0)) throw tooLong()
    seen += length
    at = next + (isPacked ? count * width : Math.ceil(width / 8))
  }
}

/** Checks runs that are preceded by their length. @returns where they end */
const checkSized = ({ view, at, end }: Bytes, width: number, values: number): number => {
  if (at + 4 > end) throw tooLong()
  const next = at + 4 + view.getUint32(at, true)
  if (next > end) throw tooLong()
  checkRuns({ view, at: at + 4, end: next }, width, values)
  return next
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const DICTIONARY: ReadonlySet<string> = new Set(['PLAIN_DICTIONARY', 'RLE_DICTIONARY'])

/**
 * Checks RLE and bit-packed runs that follow a byte with the bit width of their values. Runs of width 0 aren't checked in pages
 * of version 1, because the library doesn't read them.
 */
const checkWithWidth = ({ view, at, end }: Bytes, values: number, isOlder: boolean): void => {
  const width = at < end ? view.getUint8(at) : 0
  if (at < end && !(isOlder && width === 0)) checkRuns({ view, at: at + 1, end }, width, values)
}

const checkOlderValues = (bytes: Bytes, encoding: string, isBoolean: boolean, values: number): void => {
  if (encoding !== 'RLE' && !DICTIONARY.has(encoding)) return
  if (isBoolean) checkSized(bytes, 1, values)
  else checkWithWidth(bytes, values, true)
}

const checkValues = (bytes: Bytes, encoding: string, values: number): void => {
  if (encoding === 'RLE') checkSized(bytes, 1, values)
  else if (DICTIONARY.has(encoding)) checkWithWidth(bytes, values, false)
}

/** Rejects a page that has a run with more values than the page declares. @throws ParquetFault */
export const checkPageRuns = (heading: PageHeader, packed: Uint8Array, { levels, unpack }: Unpacking): void => {
  const { data_page_header: first, data_page_header_v2: second, uncompressed_page_size: length } = heading
  if (first !== undefined) {
    const view = viewOf(unpack(packed, length))
    const end = view.byteLength
    let at = 0
    if (levels.repetition > 0) at = checkSized({ view, at, end }, bitsFor(levels.repetition), first.num_values)
    if (levels.definition > 0) at = checkSized({ view, at, end }, bitsFor(levels.definition), first.num_values)
    checkOlderValues({ view, at, end }, first.encoding, levels.isBoolean, first.num_values)
  } else if (second !== undefined) {
    const { num_values, repetition_levels_byte_length: repeated, definition_levels_byte_length: defined } = second
    if (!(repeated >= 0 && defined >= 0 && repeated + defined <= packed.length)) throw tooLong()
    const view = viewOf(packed)
    if (levels.repetition > 0) checkRuns({ view, at: 0, end: repeated }, bitsFor(levels.repetition), num_values)
    if (levels.definition > 0) checkRuns({ view, at: repeated, end: repeated + defined }, bitsFor(levels.definition), num_values)
    const rest = packed.subarray(repeated + defined)
    const page = viewOf(second.is_compressed === false ? rest : unpack(rest, length - repeated - defined))
    checkValues({ view: page, at: 0, end: page.byteLength }, second.encoding, num_values)
  }
}
