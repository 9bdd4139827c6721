import type { ColumnMetaData } from 'hyparquet'
import { checkPageRuns, type Unpacking } from './check-runs.ts'
import { ParquetFault } from './fault.ts'
import { growsOut, lengthsIn, valueBytes } from './page-values.ts'
import { MAX_PAGE, type Place, pagesOf, type Slice } from './pages.ts'

/** Maximum number of values in one row group of a column that contains lists. Such a row group can only be read as a whole. */
const MAX_NESTED_VALUES = 20_000_000
/** Every page counts as at least this many bytes, because reading a page's header costs as much as reading this many bytes. */
const MIN_PAGE = 4_096

type Column = Unpacking & { readonly meta: ColumnMetaData; readonly rows: number }
/** `width`: the number of bytes per value if all values have the same size; null for strings. */
type Counted = Unpacking & { readonly meta: ColumnMetaData; readonly width: number | null }

/**
 * Checks a column's pages before the reader decodes them. Decoding takes as much memory as a page header declares, and even a few
 * bytes of data can declare any amount.
 * @returns the places of pages that contain values
 * @throws ParquetFault
 */
export const checkPages = async (slice: Slice, { meta, rows, ...how }: Column): Promise<readonly Place[]> => {
  const places: Place[] = []
  let values = 0
  for await (const { heading, count, body, place } of pagesOf(slice, meta)) {
    if (heading.type === 'DICTIONARY_PAGE') continue
    places.push(place)
    values += count
    const packed = await body()
    checkPageRuns(heading, packed, how)
    if ((await valueBytes(heading, packed, how, null)) > MAX_PAGE) {
      throw new ParquetFault(`has a page with more than ${MAX_PAGE / 1e6} MB of text. Write it with smaller pages`)
    }
  }
  if (how.levels.repetition === 0 && values !== rows) throw new ParquetFault('has a row count that does not match its index')
  if (values > MAX_NESTED_VALUES) {
    throw new ParquetFault(`has more than ${MAX_NESTED_VALUES} values in one row group. Write it with smaller row groups`)
  }
  return places
}

/**
 * Counts the bytes that the values in a column chunk would take if each value were stored separately, without a dictionary.
 * Doesn't create the expanded values. Counting stops at unreadable data, because the reader also fails there.
 * @param room number of bytes after which counting stops
 */
export const bytesOfPages = async (slice: Slice, { meta, width, ...how }: Counted, room: number): Promise<number> => {
  let bytes = 0
  let lengths = new Uint32Array()
  try {
    for await (const { heading, count, body } of pagesOf(slice, meta)) {
      const own = Math.max(heading.uncompressed_page_size, count, MIN_PAGE)
      let written = 0
      // A page whose declared size exceeds the limit is not decompressed.
      if (bytes + own <= room && heading.type === 'DICTIONARY_PAGE' && width === null) {
        lengths = lengthsIn(how.unpack(await body(), heading.uncompressed_page_size), count)
      } else if (bytes + own <= room && growsOut(heading)) {
        written = width === null ? await valueBytes(heading, await body(), how, lengths) : count * width
      }
      bytes += Math.max(own, written)
      if (bytes > room) break
    }
  } catch {
    // Reading the chunk fails with the same error and reports it.
  }
  return bytes
}
