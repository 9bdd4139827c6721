import type { AsyncBuffer } from 'hyparquet'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import { ParquetFault } from '#platform/parquet/fault.ts'
import { type ParquetFile as AnyParquetFile, openParquetFile } from '#platform/parquet/parquet-file.ts'
import type { HubClient, Part } from '../client.ts'

/** Bytes of rows, before they are packed, that are read ahead of what is asked for. */
const AHEAD_BYTES = 8_000_000
const AHEAD_ROWS = 2_000
/** Pieces that are kept while rows of the same part of a file are read. */
const MAX_KEPT = 64_000_000

/** What tells a file from another one, or from itself at another time. */
export type FileMark = { readonly size: number; readonly rows: number; readonly etag: string | null }
export type ParquetFile = Pick<AnyParquetFile, 'columns' | 'read'> & { readonly mark: FileMark }

const nameOf = (url: URL): string => decodeURIComponent(url.pathname.split('/').at(-1) ?? '')

/** A file of the network that is read piece by piece. It is the same file from the first piece to the last. */
const remoteFile = (client: HubClient, url: URL, { bytes: head, size, etag }: Part) => {
  const kept = new Map<string, ArrayBuffer>([[`0-${head.byteLength}`, head]])
  let keptBytes = 0
  const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
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

const unreadable = (url: URL, error: unknown): unknown =>
  error instanceof ParquetFault ? new OutgoingFault(`The Parquet file ${nameOf(url)} ${error.message}`, false) : error

/** Opens a Parquet file of the network by its index. @throws OutgoingFault for one that is broken or cannot be reached */
export const openParquet = async (client: HubClient, url: URL): Promise<ParquetFile> => {
  const first = await client.range(url, 0, 4)
  const file = remoteFile(client, url, first)
  const fail = (error: unknown): never => {
    throw unreadable(url, error)
  }
  // NOTE: the pages of a file that is far are not looked at beforehand: each would be a request of its own
  const options = { aheadBytes: AHEAD_BYTES, aheadRows: AHEAD_ROWS, walk: false }
  const { rows, columns, read } = await openParquetFile(file, options).catch(fail)
  return { mark: { size: first.size, rows, etag: first.etag }, columns, read: (from, only) => read(from, only).catch(fail) }
}
