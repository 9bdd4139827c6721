import type { ColumnMetaData } from 'hyparquet'
import { checkPageRuns, type Levels } from './check-runs.ts'
import { ParquetFault } from './fault.ts'

/** Bytes of one page when it is unpacked. Writers make pages of a megabyte; one with a large picture in it is larger. */
export const MAX_PAGE = 128_000_000
/** Values of one page: as many as a column that repeats one value has in the largest groups that writers make. */
const MAX_PAGE_VALUES = 4_000_000
/** Values of a column with lists in one group of rows, which is only ever read as a whole. */
const MAX_NESTED_VALUES = 20_000_000
/** A page's heading is a few bytes; smallest and largest values that it may hold can be long. */
const HEADING_BYTES = [4_096, 1_048_576] as const

type Slice = (start: number, end: number) => Promise<ArrayBuffer>
type Column = {
  readonly meta: ColumnMetaData
  readonly rows: number
  readonly levels: Levels
  readonly unpack: (bytes: Uint8Array, length: number) => Uint8Array
}

/** Where the pages of a column's part begin and end in the file. */
export const placeOf = (meta: ColumnMetaData): { readonly start: number; readonly end: number } => {
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset)
  return { start, end: start + Number(meta.total_compressed_size) }
}

const wellSized = (size: unknown, max: number): size is number =>
  Number.isSafeInteger(size) && Number(size) >= 0 && Number(size) <= max

/**
 * Walks over the headings of a column's pages before any is unpacked: what a page says of itself is what decoding it takes in memory,
 * and a few bytes can say anything. @throws ParquetFault
 */
export const checkPages = async (slice: Slice, { meta, rows, levels, unpack }: Column): Promise<void> => {
  const { parquetHeader } = await import('hyparquet/src/column.js')
  const { start, end } = placeOf(meta)
  const headingAt = async (at: number) => {
    for (const length of HEADING_BYTES) {
      const view = new DataView(await slice(at, Math.min(at + length, end)))
      const reader = { view, offset: 0 }
      try {
        return { heading: parquetHeader(reader), length: reader.offset }
      } catch (error) {
        if (view.byteLength < length || length === HEADING_BYTES[1]) throw error
      }
    }
    throw new ParquetFault('has a page without a heading')
  }
  let values = 0
  for (let at = start; at < end - 1; ) {
    const { heading, length } = await headingAt(at)
    const { data_page_header: first, data_page_header_v2: second, dictionary_page_header: dictionary } = heading
    const packed = heading.compressed_page_size
    if (!wellSized(packed, end - at - length)) throw new ParquetFault('has a page that is longer than its column')
    if (!wellSized(heading.uncompressed_page_size, MAX_PAGE)) {
      throw new ParquetFault(`has a page of more than ${MAX_PAGE / 1e6} MB: write it with smaller pages`)
    }
    const count = (first ?? second ?? dictionary)?.num_values
    if (count !== undefined && !wellSized(count, MAX_PAGE_VALUES)) {
      throw new ParquetFault(`has a page of more than ${MAX_PAGE_VALUES} values: write it with smaller pages`)
    }
    if (dictionary === undefined) {
      values += count ?? 0
      const body = new Uint8Array(await slice(at + length, at + length + packed))
      checkPageRuns(heading, body, { levels, unpack })
    }
    at += length + packed
  }
  if (levels.repetition === 0 && values !== rows) throw new ParquetFault('has fewer rows than it says, or more')
  if (values > MAX_NESTED_VALUES) {
    throw new ParquetFault(`has more than ${MAX_NESTED_VALUES} values in one group of rows: write it with smaller groups`)
  }
}
