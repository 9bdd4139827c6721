import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { AsyncBuffer, ColumnMetaData, Compressors, FileMetaData } from 'hyparquet'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import type { HubClient } from './client.ts'

/** The end of a file that is fetched for its index, before it is known how long that is. */
const INDEX_BYTES = 2 ** 19
/** Bytes of rows, before they are packed, that are read ahead of what is asked for. */
const AHEAD_BYTES = 8_000_000
const AHEAD_ROWS = 2_000
/** Columns of Parquet can only be read in the pieces that their writer made; larger ones than that are refused. */
const MAX_PIECE = 300_000_000
/** Pieces that are kept while rows of the same part of a file are read. */
const MAX_KEPT = 64_000_000

const bytesOf = (buffer: Buffer): Uint8Array => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
const compressors: Compressors = {
  GZIP: (input) => bytesOf(gunzipSync(input)),
  BROTLI: (input) => bytesOf(brotliDecompressSync(input)),
  ZSTD: (input) => bytesOf(zstdDecompressSync(input)),
}

export type ParquetRow = { readonly [column: string]: unknown }
/** What tells a file from another one, or from itself at another time. */
export type FileMark = { readonly size: number; readonly rows: number; readonly etag: string | null }
export type ParquetFile = {
  readonly mark: FileMark
  readonly columns: readonly string[]
  /** Rows from a place on, at least one and at most as many as are held in memory at ease. */
  readonly read: (from: number, columns: readonly string[]) => Promise<readonly ParquetRow[]>
}

const nameOf = (url: URL): string => decodeURIComponent(url.pathname.split('/').at(-1) ?? '')

/** A file of the network that is read piece by piece. It is the same file from the first piece to the last. */
const remoteFile = (client: HubClient, url: URL, size: number, etag: string | null) => {
  const kept = new Map<string, ArrayBuffer>()
  let keptBytes = 0
  const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
    if (end - start > MAX_PIECE) {
      const piece = `a piece of ${Math.round((end - start) / 1e6)} MB`
      throw new OutgoingFault(`The file ${nameOf(url)} can only be read in pieces that are too large: ${piece}`, false)
    }
    const key = `${start}-${end}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const part = await client.range(url, start, end)
    if (part.size !== size || (etag !== null && part.etag !== null && part.etag !== etag)) {
      throw new OutgoingFault(`The file ${nameOf(url)} has changed while it was read`, false)
    }
    if (keptBytes + part.bytes.byteLength > MAX_KEPT) {
      kept.clear()
      keptBytes = 0
    }
    if (part.bytes.byteLength <= MAX_KEPT) {
      kept.set(key, part.bytes)
      keptBytes += part.bytes.byteLength
    }
    return part.bytes
  }
  return { byteLength: size, slice } satisfies AsyncBuffer
}

const chunksOf = (group: FileMetaData['row_groups'][number], columns: readonly string[]): readonly ColumnMetaData[] =>
  group.columns.flatMap(({ meta_data }) =>
    meta_data !== undefined && columns.includes(meta_data.path_in_schema[0] ?? '') ? [meta_data] : [],
  )

/** Rows of one part of the file that together have about `AHEAD_BYTES`. @returns where to stop reading */
const endOf = ({ row_groups }: FileMetaData, from: number, columns: readonly string[]): number => {
  let start = 0
  for (const group of row_groups) {
    const rows = Number(group.num_rows)
    if (from < start + rows) {
      const bytes = chunksOf(group, columns).reduce((sum, chunk) => sum + Number(chunk.total_uncompressed_size), 0)
      const ahead = Math.min(AHEAD_ROWS, Math.max(1, Math.floor(AHEAD_BYTES / (bytes / rows || 1))))
      return Math.min(from + ahead, start + rows)
    }
    start += rows
  }
  return start
}

const unreadable = (url: URL, error: unknown): OutgoingFault =>
  error instanceof OutgoingFault
    ? error
    : new OutgoingFault(`The Parquet file ${nameOf(url)} cannot be read: ${(error as Error).message}`, false)

/** Opens a Parquet file of the network by its index. @throws OutgoingFault for one that is broken or cannot be reached */
export const openParquet = async (client: HubClient, url: URL): Promise<ParquetFile> => {
  // NOTE: loaded when the first file is opened
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet')
  const first = await client.range(url, 0, 4)
  if (Buffer.from(first.bytes).toString('latin1') !== 'PAR1')
    throw new OutgoingFault(`The file ${nameOf(url)} is not a Parquet file`, false)
  const file = remoteFile(client, url, first.size, first.etag)
  try {
    const metadata = await parquetMetadataAsync(file, { initialFetchSize: Math.min(INDEX_BYTES, first.size) })
    return {
      mark: { size: first.size, rows: Number(metadata.num_rows), etag: first.etag },
      columns: parquetSchema(metadata).children.map(({ element }) => element.name),
      read: async (from, columns) => {
        const rowEnd = endOf(metadata, from, columns)
        const options = { file, metadata, columns: [...columns], rowStart: from, rowEnd, compressors, utf8: false }
        try {
          const rows = await parquetReadObjects({ ...options, useOffsetIndex: true })
          if (rows.length === rowEnd - from) return rows
        } catch (error) {
          throw unreadable(url, error)
        }
        throw new OutgoingFault(`The Parquet file ${nameOf(url)} has fewer rows than it says`, false)
      },
    }
  } catch (error) {
    throw unreadable(url, error)
  }
}
