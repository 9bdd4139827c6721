import type { ColumnChunk, ColumnMetaData, PageHeader } from 'hyparquet'
import { checkThrift } from './check-index.ts'
import { ParquetFault } from './fault.ts'

/**
 * Maximum number of bytes in one decompressed page. Writers create pages of a megabyte; a page that contains a large image is
 * larger.
 */
export const MAX_PAGE = 128_000_000
/**
 * Maximum number of values in one page. In the largest row groups that writers create, a column that repeats one value can have
 * this many values in one page.
 */
const MAX_PAGE_VALUES = 4_000_000
/**
 * Numbers of bytes to read for a page header, tried in order. A header is a few bytes, but the minimum and maximum values in it
 * can be long.
 */
const HEADING_BYTES = [4_096, 1_048_576] as const

export type Slice = (start: number, end: number) => Promise<ArrayBuffer>
export type Place = { readonly start: number; readonly end: number }
export type Page = {
  readonly heading: PageHeader
  /** The declared number of values, including missing ones. */
  readonly count: number
  readonly body: () => Promise<Uint8Array>
  readonly place: Place
}

/** Where the pages of a column chunk start and end in the file. */
export const placeOf = (meta: ColumnMetaData): Place => {
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset)
  return { start, end: start + Number(meta.total_compressed_size) }
}

const wellSized = (size: unknown, max: number): size is number =>
  Number.isSafeInteger(size) && Number(size) >= 0 && Number(size) <= max

/** Reduces a page header to the parts that apply to its type. */
const saidIn = (heading: PageHeader): PageHeader => {
  const { type, data_page_header, data_page_header_v2, dictionary_page_header, ...sizes } = heading
  return {
    type,
    ...sizes,
    ...(type === 'DATA_PAGE' && data_page_header !== undefined && { data_page_header }),
    ...(type === 'DATA_PAGE_V2' && data_page_header_v2 !== undefined && { data_page_header_v2 }),
    ...(type === 'DICTIONARY_PAGE' && dictionary_page_header !== undefined && { dictionary_page_header }),
  }
}

/** A column chunk's pages, found by their headers. No page is decompressed. @throws ParquetFault */
export async function* pagesOf(slice: Slice, meta: ColumnMetaData): AsyncGenerator<Page> {
  const { parquetHeader } = await import('hyparquet/src/column.js')
  const { start, end } = placeOf(meta)
  const headingAt = async (at: number) => {
    for (const length of HEADING_BYTES) {
      const view = new DataView(await slice(at, Math.min(at + length, end)))
      const reader = { view, offset: 0 }
      try {
        return { heading: saidIn(parquetHeader(reader)), length: reader.offset }
      } catch (error) {
        if (view.byteLength < length || length === HEADING_BYTES[1]) throw error
      }
    }
    throw new ParquetFault('has a page without a header')
  }
  for (let at = start; at < end - 1; ) {
    const { heading, length } = await headingAt(at)
    const { data_page_header: first, data_page_header_v2: second, dictionary_page_header: dictionary } = heading
    const packed = heading.compressed_page_size
    if (!wellSized(packed, end - at - length)) throw new ParquetFault('has a page that exceeds its column')
    if (!wellSized(heading.uncompressed_page_size, MAX_PAGE)) {
      throw new ParquetFault(`has a page larger than ${MAX_PAGE / 1e6} MB. Write it with smaller pages`)
    }
    const count = (first ?? second ?? dictionary)?.num_values
    if (count !== undefined && !wellSized(count, MAX_PAGE_VALUES)) {
      throw new ParquetFault(`has a page with more than ${MAX_PAGE_VALUES} values. Write it with smaller pages`)
    }
    if (second !== undefined && !wellSized(second.num_nulls, second.num_values)) {
      throw new ParquetFault('has a page with more nulls than values')
    }
    if (heading.type === 'DICTIONARY_PAGE' && at !== start) throw new ParquetFault('has a dictionary page in the wrong position')
    const from = at + length
    const place = { start: at, end: from + packed }
    yield { heading, count: count ?? 0, body: async () => new Uint8Array(await slice(from, place.end)), place }
    at = place.end
  }
}

/**
 * Whether a column chunk has no offset index, or has one that lists exactly the checked pages. The library reads from any place
 * that an index lists, so an index must not list other places.
 */
export const isTrueIndex = async (slice: Slice, chunk: ColumnChunk, pages: readonly Place[]): Promise<boolean> => {
  const { offset_index_offset, offset_index_length: length } = chunk
  if (!offset_index_offset || !length) return true
  const start = Number(offset_index_offset)
  const { readOffsetIndex } = await import('hyparquet/src/indexes.js')
  try {
    const view = new DataView(await slice(start, start + length))
    checkThrift(new Uint8Array(view.buffer))
    const { page_locations } = readOffsetIndex({ view, offset: 0 })
    const isAt = ({ start, end }: Place, i: number): boolean =>
      Number(page_locations[i]?.offset) === start && page_locations[i]?.compressed_page_size === end - start
    return page_locations.length === pages.length && pages.every(isAt)
  } catch {
    return false
  }
}
