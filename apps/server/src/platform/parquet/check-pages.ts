import type { ColumnMetaData } from 'hyparquet'
import { checkPageRuns, type Unpacking } from './check-runs.ts'
import { ParquetFault } from './fault.ts'
import { growsOut, lengthsIn, valueBytes } from './page-values.ts'
import { MAX_PAGE, type Place, pagesOf, type Slice } from './pages.ts'

/** Values of a column with lists in one group of rows, which is only ever read as a whole. */
const MAX_NESTED_VALUES = 20_000_000
/** What a page counts for at least: to look at its heading takes as much. */
const LEAST_PAGE = 4_096

type Column = Unpacking & { readonly meta: ColumnMetaData; readonly rows: number }
/** `width`: bytes of each value, where all have as many; null for texts. */
type Counted = Unpacking & { readonly meta: ColumnMetaData; readonly width: number | null }

/**
 * Walks over the headings of a column's pages before any is unpacked: what a page says of itself is what decoding it takes in memory,
 * and a few bytes can say anything. @returns where those with values are. @throws ParquetFault
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
      throw new ParquetFault(`has a page whose texts are more than ${MAX_PAGE / 1e6} MB: write it with smaller pages`)
    }
  }
  if (how.levels.repetition === 0 && values !== rows) throw new ParquetFault('has fewer rows than it says, or more')
  if (values > MAX_NESTED_VALUES) {
    throw new ParquetFault(`has more than ${MAX_NESTED_VALUES} values in one group of rows: write it with smaller groups`)
  }
  return places
}

/**
 * Bytes of all values of a column's part when each is written out, also those that its pages name by their place in a dictionary; none
 * is. What cannot be read ends it: nothing of the part is read then.
 * @param room bytes after which it is enough
 */
export const bytesOfPages = async (slice: Slice, { meta, width, ...how }: Counted, room: number): Promise<number> => {
  let bytes = 0
  let lengths = new Uint32Array()
  try {
    for await (const { heading, count, body } of pagesOf(slice, meta)) {
      const own = Math.max(heading.uncompressed_page_size, count, LEAST_PAGE)
      let written = 0
      // NOTE: what is enough already is not unpacked
      if (bytes + own <= room && heading.type === 'DICTIONARY_PAGE' && width === null) {
        lengths = lengthsIn(how.unpack(await body(), heading.uncompressed_page_size), count)
      } else if (bytes + own <= room && growsOut(heading)) {
        written = width === null ? await valueBytes(heading, await body(), how, lengths) : count * width
      }
      bytes += Math.max(own, written)
      if (bytes > room) break
    }
  } catch {
    // NOTE: reading the part ends with the same fault, and says so
  }
  return bytes
}
