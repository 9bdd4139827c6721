import type { AsyncBuffer } from 'hyparquet'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import { ParquetFault } from '#platform/parquet/fault.ts'
import { type ParquetFile as AnyParquetFile, openParquetFile } from '#platform/parquet/parquet-file.ts'
import type { HubClient, Part } from '../client.ts'

/** Number of bytes of uncompressed rows to read ahead. */
const AHEAD_BYTES = 8_000_000
const AHEAD_ROWS = 2_000
/** Maximum number of bytes in the cache. Rows that are in the same part of a file share one cached part. */
const MAX_CACHED_BYTES = 64_000_000

/** Identifies a file and its version. */
export type FileMark = { readonly size: number; readonly rows: number; readonly etag: string | null }
export type ParquetFile = Pick<AnyParquetFile, 'columns' | 'read'> & { readonly mark: FileMark }

const nameOf = (url: URL): string => decodeURIComponent(url.pathname.split('/').at(-1) ?? '')

/** A remote file that is read in parts. Checks that all parts are from the same version. */
const remoteFile = (client: HubClient, url: URL, { bytes: head, size, etag }: Part) => {
  const cachedSlices = new Map<string, ArrayBuffer>([[`0-${head.byteLength}`, head]])
  let cachedBytes = 0
  const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
    const key = `${start}-${end}`
    const known = cachedSlices.get(key)
    if (known !== undefined) return known
    const part = await client.range(url, start, end)
    if (part.size !== size || (etag !== null && part.etag !== null && part.etag !== etag)) {
      throw new OutgoingFault(`The file ${nameOf(url)} changed while it was being read`, false)
    }
    if (cachedBytes + part.bytes.byteLength > MAX_CACHED_BYTES) {
      cachedSlices.clear()
      cachedBytes = 0
    }
    if (part.bytes.byteLength <= MAX_CACHED_BYTES) {
      cachedSlices.set(key, part.bytes)
      cachedBytes += part.bytes.byteLength
    }
    return part.bytes
  }
  return { byteLength: size, slice } satisfies AsyncBuffer
}

const unreadable = (url: URL, error: unknown): unknown =>
  error instanceof ParquetFault ? new OutgoingFault(`The Parquet file ${nameOf(url)} ${error.message}`, false) : error

/** Opens a remote Parquet file by reading its footer. @throws OutgoingFault when the file is broken or unreachable */
export const openParquet = async (client: HubClient, url: URL): Promise<ParquetFile> => {
  const first = await client.range(url, 0, 4)
  const file = remoteFile(client, url, first)
  const fail = (error: unknown): never => {
    throw unreadable(url, error)
  }
  // A remote file's pages aren't scanned in advance, because each page would need a separate request
  const options = { aheadBytes: AHEAD_BYTES, aheadRows: AHEAD_ROWS, walk: false }
  const { rows, columns, read } = await openParquetFile(file, options).catch(fail)
  return { mark: { size: first.size, rows, etag: first.etag }, columns, read: (from, only) => read(from, only).catch(fail) }
}
