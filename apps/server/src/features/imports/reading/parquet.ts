import { open } from 'node:fs/promises'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { type CastRow, castRow, type SizedRow } from '#platform/parquet/cast-row.ts'
import { ParquetFault } from '#platform/parquet/fault.ts'
import { openParquetFile, type ParquetFile } from '#platform/parquet/parquet-file.ts'
import type { Layout } from '../inspect/layout.ts'
import { BATCH_BYTES, BATCH_ROWS, type Batch, MAX_UNFOLDED } from './limits.ts'
import { FileFault, type Position } from './pieces.ts'

/** Number of bytes to read at once. Each read may have to unpack its row group again, so reads are large. */
const AHEAD_BYTES = 16_000_000
const AHEAD_ROWS = 20_000
/** Files that stay open between the batches of their imports: the maximum number, and how long an idle file stays open. */
const MAX_OPEN = 4
const IDLE_MS = 30_000

type Reader = {
  readonly file: ParquetFile
  readonly read: (from: number, columns: readonly string[]) => Promise<SizedRow | null>
  readonly close: () => Promise<void>
}

const openReader = async (path: string): Promise<Reader> => {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
      const bytes = new Uint8Array(end - start)
      for (let at = 0; at < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, start + at)
        if (bytesRead === 0) throw new ParquetFault('is incomplete', message('fileNotWhole'))
        at += bytesRead
      }
      return bytes.buffer
    }
    const options = { aheadBytes: AHEAD_BYTES, aheadRows: AHEAD_ROWS, walk: true }
    const file = await openParquetFile({ byteLength: size, slice }, options)
    let prefetched: Awaited<ReturnType<ParquetFile['read']>> = []
    let prefetchedKey = ''
    let prefetchedFrom = 0
    const read: Reader['read'] = async (from, columns) => {
      const key = JSON.stringify(columns)
      if (key !== prefetchedKey || from < prefetchedFrom || from >= prefetchedFrom + prefetched.length) {
        prefetched = []
        prefetched = await file.read(from, columns)
        prefetchedKey = key
        prefetchedFrom = from
      }
      const row = prefetched[from - prefetchedFrom]
      return row === undefined ? null : castRow(row, from, columns, file.features)
    }
    return { file, read, close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

type OpenReader = { readonly reader: Promise<Reader>; users: number; timer: NodeJS.Timeout | undefined }
const openReaders = new Map<string, OpenReader>()

const closeReader = (path: string): void => {
  const known = openReaders.get(path)
  if (known === undefined || known.users > 0) return
  openReaders.delete(path)
  clearTimeout(known.timer)
  void known.reader.then((reader) => reader.close()).catch(() => undefined)
}

/** Runs an operation on a file. Afterwards, the file stays open for a while, because its rows are read in several calls. */
const withReader = async <T>(path: string, work: (reader: Reader) => Promise<T>): Promise<T> => {
  const known: OpenReader = openReaders.get(path) ?? { reader: openReader(path), users: 0, timer: undefined }
  // Moves the entry to the end, because the least recently used one is dropped first
  openReaders.delete(path)
  openReaders.set(path, known)
  known.users += 1
  clearTimeout(known.timer)
  try {
    return await work(await known.reader)
  } catch (error) {
    // After an error, the file is opened again next time
    if (openReaders.get(path) === known) openReaders.delete(path)
    throw error
  } finally {
    known.users -= 1
    if (openReaders.get(path) === known) {
      known.timer = setTimeout(() => closeReader(path), IDLE_MS)
      known.timer.unref()
      for (const other of [...openReaders.keys()].slice(0, Math.max(0, openReaders.size - MAX_OPEN))) closeReader(other)
    } else if (known.users === 0) void known.reader.then((reader) => reader.close()).catch(() => undefined)
  }
}

/** @throws Problem unprocessable for an invalid file, or one whose rows exceed the size limit */
export const openParquetLayout = async (path: string): Promise<Layout & { readonly features: ParquetFile['features'] }> => {
  try {
    return await withReader(path, async ({ file: { rows, columns, features, bytes } }) => {
      const twice = columns.find((name, i) => columns.indexOf(name) !== i)
      if (twice !== undefined) throw new ParquetFault(`has two columns named ${JSON.stringify(twice)}`)
      if ((await bytes(MAX_UNFOLDED)) > MAX_UNFOLDED) {
        throw unprocessable(message('unpacksTooLarge', { limit: MAX_UNFOLDED / 1e9 }))
      }
      const first = { offset: 0, row: 0, line: 0 }
      return { format: 'parquet', delimiter: '', header: columns, first, end: rows, features }
    })
  } catch (error) {
    if (error instanceof ParquetFault) throw unprocessable(error.reason)
    throw error
  }
}

/** @param columns null for all columns */
export const readParquetBatch = (
  path: string,
  { header }: Layout,
  {
    from,
    limit = BATCH_ROWS,
    columns,
  }: { readonly from: Position; readonly limit?: number; readonly columns: readonly string[] | null },
): Promise<Batch> =>
  withReader(path, async ({ file, read }) => {
    const requestedColumns = columns === null ? header : header.filter((name) => columns.includes(name))
    const rows: CastRow[] = []
    let bytes = 0
    let at = from.offset
    try {
      while (rows.length < limit && bytes < BATCH_BYTES && at < file.rows) {
        const next = await read(at, requestedColumns)
        if (next === null) throw new ParquetFault('has fewer rows than it declares', message('fileFewerRows'))
        // A row that would exceed the batch size starts a new batch
        if (rows.length > 0 && bytes + next.size > BATCH_BYTES) break
        rows.push(next.row)
        bytes += next.size
        at += 1
      }
    } catch (error) {
      if (!(error instanceof ParquetFault)) throw error
      return { rows, next: null, fault: new FileFault(error.reason, { row: at + 1, line: at + 1 }) }
    }
    return { rows, next: at < file.rows ? { offset: at, row: at, line: at } : null, fault: null }
  })
