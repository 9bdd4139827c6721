import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { message } from '@postil/contract/wire/message.ts'
import type { AsyncBuffer, ColumnMetaData, Compressors, FileMetaData, SchemaTree } from 'hyparquet'
import { checkThrift } from './check-index.ts'
import { bytesOfPages, checkPages } from './check-pages.ts'
import { takeExact, withExact } from './exact-values.ts'
import { ParquetFault } from './fault.ts'
import { type Features, featuresIn } from './features.ts'
import { unpackLz4 } from './lz4.ts'
import { isTrueIndex, MAX_PAGE, placeOf } from './pages.ts'
import { textOf } from './text.ts'

/** A timestamp with all its sub-millisecond digits, or a Date if it has none. @param perMilli units per millisecond */
const instantOf = (units: bigint, perMilli: bigint): Date | string => {
  const behind = ((units % perMilli) + perMilli) % perMilli
  const date = new Date(Number((units - behind) / perMilli))
  if (behind === 0n || Number.isNaN(date.getTime())) return date
  const digits = String(behind).padStart(String(perMilli).length - 1, '0')
  return `${date.toISOString().slice(0, -1)}${digits.replace(/(?<=^\d{3})000$/, '')}Z`
}

/**
 * Parsers that create timestamps. The library's own parsers reduce timestamps to whole milliseconds and turn 23:59:59.9999 in
 * 1969 into the year 1970.
 */
const instants = {
  timestampFromMicroseconds: (micros: bigint) => instantOf(micros, 1000n),
  timestampFromNanoseconds: (nanos: bigint) => instantOf(nanos, 1_000_000n),
}

/**
 * Number of bytes that are first read from the end of a file. They include at least a part of the footer, whose length isn't
 * known yet.
 */
const INDEX_BYTES = 2 ** 19
/**
 * Maximum number of bytes in a footer. A file of 2 GB with a thousand row groups of a hundred columns has a footer of 20 MB.
 */
const MAX_INDEX = 64_000_000
/**
 * Maximum size of a piece in bytes. Parquet columns can only be read in the pieces that their writer created. Larger pieces are
 * rejected.
 */
const MAX_PIECE = 300_000_000
/** Size of a number in bytes. A row counts as at least this many bytes. */
const NUMBER = 8
/** Maximum number of bytes that one read decompresses, over all columns. */
const MAX_UNPACKED = 400_000_000

/**
 * Copies the bytes. Node.js keeps small buffers in one shared block of memory. If a string in the file declares a length that is
 * too large, the library would read the bytes of other buffers.
 */
const bytesOf = (buffer: Buffer): Uint8Array => new Uint8Array(buffer)

/** Decompressors that stay within one read's memory limit, even if the pages declare huge or wrong sizes. */
const boundedCompressors = (snappy: (input: Uint8Array, output: Uint8Array) => void): Compressors => {
  let unpacked = 0
  type Unpack = (input: Uint8Array, length: number) => Uint8Array
  const bounded =
    (unpack: Unpack): Unpack =>
    (input, length) => {
      unpacked += length
      if (!(length >= 0 && length <= MAX_PAGE) || unpacked > MAX_UNPACKED) {
        throw new ParquetFault(`decompresses to more than ${MAX_UNPACKED / 1e6} MB at once. Write it with smaller row groups`)
      }
      return unpack(input, length)
    }
  const most = (length: number) => ({ maxOutputLength: Math.max(1, length) })
  return {
    SNAPPY: bounded((input, length) => {
      const output = new Uint8Array(length)
      snappy(input, output)
      return output
    }),
    LZ4_RAW: bounded(unpackLz4),
    GZIP: bounded((input, length) => bytesOf(gunzipSync(input, most(length)))),
    BROTLI: bounded((input, length) => bytesOf(brotliDecompressSync(input, most(length)))),
    ZSTD: bounded((input, length) => bytesOf(zstdDecompressSync(input, most(length)))),
  }
}

export type ParquetRow = { readonly [column: string]: unknown }
export type ParquetFile = {
  readonly rows: number
  readonly columns: readonly string[]
  readonly features: Features
  /** Reads rows from a position: at least one row, and at most as many as fit comfortably in memory. */
  readonly read: (from: number, columns: readonly string[]) => Promise<readonly ParquetRow[]>
  /**
   * The size of all rows in bytes if every value were stored separately, without a dictionary. @param room number of bytes after
   * which counting stops
   */
  readonly bytes: (room: number) => Promise<number>
}
type Options = {
  /** How far to read ahead, in compressed bytes and in rows. */
  readonly aheadBytes: number
  readonly aheadRows: number
  /** Whether to check every page's header before decompressing it. Used for local files. */
  readonly walk: boolean
}

type Group = FileMetaData['row_groups'][number]
type Chunk = { readonly chunk: Group['columns'][number]; readonly meta: ColumnMetaData }
const chunksOf = (group: Group, columns: readonly string[]): readonly Chunk[] =>
  group.columns.flatMap((chunk) => {
    const meta = chunk.meta_data
    return meta !== undefined && columns.includes(meta.path_in_schema[0] ?? '') ? [{ chunk, meta }] : []
  })

type Placed = { readonly group: Group; readonly no: number; readonly start: number; readonly rows: number }

const groupAt = ({ row_groups }: FileMetaData, from: number): Placed | null => {
  let start = 0
  for (const [no, group] of row_groups.entries()) {
    const rows = Number(group.num_rows)
    if (from < start + rows) return { group, no, start, rows }
    start += rows
  }
  return null
}

/** Rejects a footer that contradicts itself or the file, before it is used. */
const checkIndex = (metadata: FileMetaData, size: number): void => {
  const rows = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0)
  if (rows !== Number(metadata.num_rows) || metadata.row_groups.some(({ num_rows }) => num_rows < 0n)) {
    throw new ParquetFault('has an inconsistent index')
  }
  for (const { columns } of metadata.row_groups) {
    for (const { meta_data } of columns) {
      if (meta_data === undefined) throw new ParquetFault('has columns that are encrypted or stored in other files')
      const { start, end } = placeOf(meta_data)
      if (!(start >= 4 && end >= start && end <= size)) {
        throw new ParquetFault('is incomplete: its index refers to positions beyond its end')
      }
    }
  }
}

/** @returns how many bytes of the file's end were fetched for the footer */
const checkEnds = async ({ byteLength, slice }: AsyncBuffer): Promise<number> => {
  const magic = Buffer.from(await slice(0, Math.min(4, byteLength))).toString('latin1')
  if (magic === 'PARE') throw new ParquetFault('is encrypted', message('fileEncrypted'))
  if (byteLength < 12 || magic !== 'PAR1') throw new ParquetFault('is not a Parquet file', message('notParquet'))
  const fetched = Math.min(INDEX_BYTES, byteLength)
  const tail = Buffer.from(await slice(byteLength - fetched, byteLength))
  const end = tail.subarray(-8)
  if (end.toString('latin1', 4) !== 'PAR1') throw new ParquetFault('is incomplete: its end is missing', message('fileNoEnd'))
  const index = end.readUInt32LE(0)
  if (index > byteLength - 12) throw new ParquetFault('is incomplete: its index is longer than the file')
  if (index > MAX_INDEX) throw new ParquetFault(`has an index larger than ${MAX_INDEX / 1e6} MB`)
  const whole =
    index + 8 <= fetched ? tail.subarray(-8 - index, -8) : new Uint8Array(await slice(byteLength - 8 - index, byteLength - 8))
  checkThrift(whole)
  return fetched
}

/**
 * Converts the library's errors about a file to `ParquetFault`, whose message completes a sentence about the file. Returns other
 * errors unchanged.
 */
const faultOf = (error: unknown): unknown => {
  const isFault =
    error instanceof RangeError ||
    error instanceof TypeError ||
    error instanceof SyntaxError ||
    (error as Error).constructor === Error
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return (isFault && code === '') || code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE' || code.startsWith('ERR_')
    ? new ParquetFault(`cannot be read: ${(error as Error).message}`)
    : error
}

/**
 * Opens a Parquet file and reads its footer. Each read uses a limited amount of memory, regardless of what the file declares.
 * @throws ParquetFault if the file is broken, and any error that `slice` throws
 */
export const openParquetFile = async (file: AsyncBuffer, { aheadBytes, aheadRows, walk }: Options): Promise<ParquetFile> => {
  // Loaded when the first file is opened.
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema, snappyUncompress } = await import('hyparquet')
  const initialFetchSize = await checkEnds(file)
  const bounded: AsyncBuffer = {
    byteLength: file.byteLength,
    slice: (start, end = file.byteLength) => {
      if (end - start <= MAX_PIECE) return file.slice(start, end)
      const piece = `a chunk of ${Math.round((end - start) / 1e6)} MB`
      throw new ParquetFault(`can only be read in chunks that are too large: ${piece}. Write it with smaller row groups`)
    },
  }
  const opened = async (): Promise<{ metadata: FileMetaData; schema: SchemaTree }> => {
    const metadata = await parquetMetadataAsync(bounded, { initialFetchSize })
    checkIndex(metadata, file.byteLength)
    return { metadata, schema: parquetSchema(metadata) }
  }
  const { metadata, schema } = await opened().catch((error: unknown) => {
    throw faultOf(error)
  })
  const exact = takeExact(schema, await import('hyparquet/src/schema.js'))
  /** What is needed to read a column's pages. */
  const waysOf = async ({ codec, path_in_schema, type }: ColumnMetaData) => {
    const { getMaxDefinitionLevel, getMaxRepetitionLevel, getTreePath } = await import('hyparquet/src/schema.js')
    const path = getTreePath(schema, path_in_schema)
    const levels = {
      definition: getMaxDefinitionLevel(path),
      repetition: getMaxRepetitionLevel(path),
      isBoolean: type === 'BOOLEAN',
    }
    const unpack = (bytes: Uint8Array, length: number): Uint8Array => {
      if (codec === 'UNCOMPRESSED') return bytes
      const page = boundedCompressors(snappyUncompress)[codec]?.(bytes, length)
      if (page === undefined) throw new ParquetFault(`uses the compression codec ${codec}, which is not supported`)
      return page
    }
    return { levels, unpack, width: type === 'BYTE_ARRAY' ? null : (path.at(-1)?.element.type_length ?? NUMBER) }
  }
  const slice = async (start: number, end: number): Promise<ArrayBuffer> => bounded.slice(start, end)
  /** For each checked column chunk, whether its offset index can be trusted. */
  const walked = new Map<string, boolean>()
  /** @returns whether the offset index can be trusted */
  const walkOver = async ({ group, no, rows }: Placed, columns: readonly string[]): Promise<boolean> => {
    let isTrue = true
    for (const { chunk, meta } of chunksOf(group, columns)) {
      const key = `${no}/${meta.path_in_schema.join('.')}`
      const known = walked.get(key)
      const found = known ?? (await isTrueIndex(slice, chunk, await checkPages(slice, { meta, rows, ...(await waysOf(meta)) })))
      walked.set(key, found)
      isTrue &&= found
    }
    return isTrue
  }
  const bytes: ParquetFile['bytes'] = async (room) => {
    let sum = Number(metadata.num_rows) * NUMBER
    for (const group of metadata.row_groups) {
      for (const meta of group.columns.flatMap(({ meta_data }) => meta_data ?? [])) {
        if (sum > room) return sum
        sum += await bytesOfPages(slice, { meta, ...(await waysOf(meta)) }, room - sum)
      }
    }
    return sum
  }
  const read: ParquetFile['read'] = async (from, columns) => {
    const placed = groupAt(metadata, from)
    if (placed === null) return []
    const useOffsetIndex = !walk || (await walkOver(placed, columns))
    const { group, start, rows } = placed
    const bytes = chunksOf(group, columns).reduce((sum, { meta }) => sum + Number(meta.total_uncompressed_size), 0)
    const ahead = Math.min(aheadRows, Math.max(1, Math.floor(aheadBytes / (bytes / rows || 1))))
    const rowEnd = Math.min(from + ahead, start + rows)
    const some = (only: readonly string[]): Promise<ParquetRow[]> => {
      const compressors = boundedCompressors(snappyUncompress)
      const options = { file: bounded, metadata, columns: [...only], rowStart: from, rowEnd, compressors, utf8: false }
      const parsers = { ...instants, stringFromBytes: (bytes: Uint8Array | undefined) => bytes && textOf(bytes) }
      return parquetReadObjects({ ...options, parsers, useOffsetIndex })
    }
    // A column with lists is decompressed for all rows of its row group. Columns of local files are read one at a time, so that
    // only one of them is in memory.
    const parts: ParquetRow[][] = []
    if (walk) for (const column of columns) parts.push(await some([column]))
    else parts.push(await some(columns))
    if (parts.some(({ length }) => length !== rowEnd - from))
      throw new ParquetFault('has fewer rows than it declares', message('fileFewerRows'))
    const rowAt = (i: number) => Object.assign({}, ...parts.map((part) => part[i])) as ParquetRow
    return Array.from({ length: rowEnd - from }, (_, i) => withExact(rowAt(i), exact))
  }
  return {
    rows: Number(metadata.num_rows),
    columns: schema.children.map(({ element }) => element.name),
    features: featuresIn(metadata, schema),
    bytes: (room) =>
      bytes(room).catch((error: unknown) => {
        throw faultOf(error)
      }),
    read: (from, columns) =>
      read(from, columns).catch((error: unknown) => {
        throw faultOf(error)
      }),
  }
}
