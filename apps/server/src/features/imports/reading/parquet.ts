import { open } from 'node:fs/promises'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { sayRefusal } from '@postil/contract/wire/refusals.ts'
import { type CastRow, castRow, type SizedRow } from '#platform/parquet/cast-row.ts'
import { ParquetFault } from '#platform/parquet/fault.ts'
import { openParquetFile, type ParquetFile } from '#platform/parquet/parquet-file.ts'
import type { Layout } from '../inspect/layout.ts'
import { BATCH_BYTES, BATCH_ROWS, type Batch, MAX_UNFOLDED } from './limits.ts'
import { FileFault, type Position } from './pieces.ts'

/** What is read at once: enough that a group of rows, which may have to be unpacked each time, is not unpacked often. */
const AHEAD_BYTES = 16_000_000
const AHEAD_ROWS = 20_000
/** Files that are held open between the batches of their imports, and how long nobody may want them. */
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
        if (bytesRead === 0) throw new ParquetFault('is not whole')
        at += bytesRead
      }
      return bytes.buffer
    }
    const options = { aheadBytes: AHEAD_BYTES, aheadRows: AHEAD_ROWS, walk: true }
    const file = await openParquetFile({ byteLength: size, slice }, options)
    let ahead: Awaited<ReturnType<ParquetFile['read']>> = []
    let aheadOf = ''
    let aheadFrom = 0
    const read: Reader['read'] = async (from, columns) => {
      const key = JSON.stringify(columns)
      if (key !== aheadOf || from < aheadFrom || from >= aheadFrom + ahead.length) {
        ahead = []
        ahead = await file.read(from, columns)
        aheadOf = key
        aheadFrom = from
      }
      const row = ahead[from - aheadFrom]
      return row === undefined ? null : castRow(row, from, columns, file.features)
    }
    return { file, read, close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

type Kept = { readonly reader: Promise<Reader>; users: number; timer: NodeJS.Timeout | undefined }
const kept = new Map<string, Kept>()

const drop = (path: string): void => {
  const known = kept.get(path)
  if (known === undefined || known.users > 0) return
  kept.delete(path)
  clearTimeout(known.timer)
  void known.reader.then((reader) => reader.close()).catch(() => undefined)
}

/** Works with a file that stays open for a while: its rows are asked for batch by batch. */
const withReader = async <T>(path: string, work: (reader: Reader) => Promise<T>): Promise<T> => {
  const known: Kept = kept.get(path) ?? { reader: openReader(path), users: 0, timer: undefined }
  // NOTE: the one that was used last is the last to go
  kept.delete(path)
  kept.set(path, known)
  known.users += 1
  clearTimeout(known.timer)
  try {
    return await work(await known.reader)
  } catch (error) {
    // NOTE: what could not be opened or read is begun anew the next time
    if (kept.get(path) === known) kept.delete(path)
    throw error
  } finally {
    known.users -= 1
    if (kept.get(path) === known) {
      known.timer = setTimeout(() => drop(path), IDLE_MS)
      known.timer.unref()
      for (const other of [...kept.keys()].slice(0, Math.max(0, kept.size - MAX_OPEN))) drop(other)
    } else if (known.users === 0) void known.reader.then((reader) => reader.close()).catch(() => undefined)
  }
}

/** @throws Problem unprocessable for a file that is none, or whose rows are more than there may be */
export const openParquetLayout = async (path: string): Promise<Layout & { readonly features: ParquetFile['features'] }> => {
  try {
    return await withReader(path, async ({ file: { rows, columns, features, bytes } }) => {
      const twice = columns.find((name, i) => columns.indexOf(name) !== i)
      if (twice !== undefined) throw new ParquetFault(`has two columns named ${JSON.stringify(twice)}`)
      if ((await bytes(MAX_UNFOLDED)) > MAX_UNFOLDED) {
        throw unprocessable(sayRefusal('unpacksTooLarge', { limit: MAX_UNFOLDED / 1e9 }))
      }
      const first = { offset: 0, row: 0, line: 0 }
      return { format: 'parquet', delimiter: '', header: columns, first, end: rows, features }
    })
  } catch (error) {
    if (error instanceof ParquetFault) throw unprocessable(`The file ${error.message}`)
    throw error
  }
}

/** @param columns that are wanted; null: all */
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
    const wanted = columns === null ? header : header.filter((name) => columns.includes(name))
    const rows: CastRow[] = []
    let bytes = 0
    let at = from.offset
    try {
      while (rows.length < limit && bytes < BATCH_BYTES && at < file.rows) {
        const next = await read(at, wanted)
        if (next === null) throw new ParquetFault('has fewer rows than it says')
        // NOTE: a large row begins a batch of its own
        if (rows.length > 0 && bytes + next.size > BATCH_BYTES) break
        rows.push(next.row)
        bytes += next.size
        at += 1
      }
    } catch (error) {
      if (!(error instanceof ParquetFault)) throw error
      return { rows, next: null, fault: new FileFault(`The file ${error.message}`, { row: at + 1, line: at + 1 }) }
    }
    return { rows, next: at < file.rows ? { offset: at, row: at, line: at } : null, fault: null }
  })
