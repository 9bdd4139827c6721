import { hash } from 'node:crypto'
import type { FileMapping } from '@postil/contract/files/imports.ts'
import { type Message, message } from '@postil/contract/wire/message.ts'
import type { Layout, Source } from '../inspect/layout.ts'
import { readBatch } from '../reading/batch.ts'
import { BATCH_ROWS, type Batch } from '../reading/limits.ts'
import type { Position } from '../reading/pieces.ts'

/**
 * Maximum number of IDs to remember per import. They take about 100 MB. In a longer file, only the first IDs are remembered.
 */
const MAX_IDS = 2_000_000
/** Maximum number of imports whose IDs are remembered at once. The IDs of other imports are read again. */
const MAX_JOBS = 4
const LONGEST_SHOWN = 100

export type SeenIds = {
  /** Returns the first row with this ID. If no earlier row has the ID, this is `row` itself. */
  readonly firstOf: (id: string, row: number) => number
}

/** 53 bits of a hash, because IDs may be long. With a million IDs, a collision occurs in about one in ten thousand files */
const keyOf = (id: string): number => {
  const digest = hash('sha256', id, 'buffer')
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) % 32)
}

/** Remembers in which row each ID occurred first. `firstOf` may be called more than once for the same row. */
export const seenIds = (): SeenIds => {
  const rows = new Map<number, number>()
  return {
    firstOf: (id, row) => {
      const key = keyOf(id)
      const first = rows.get(key)
      if (first !== undefined && first <= row) return first
      if (rows.size < MAX_IDS || first !== undefined) rows.set(key, row)
      return row
    },
  }
}

/** The ID in a cell; null for none. */
export const idIn = (cell: unknown): string | null =>
  (typeof cell === 'string' && cell.trim() !== '') || typeof cell === 'number' ? String(cell) : null

type IdColumns = Pick<FileMapping, 'external_id' | 'record_id'>
type RowIds = {
  /** The record's server ID. */
  readonly record: string | null
  readonly external: string | null
}
export const hasIds = ({ external_id, record_id }: IdColumns): boolean => Boolean(external_id) || Boolean(record_id)

export const idsIn = (values: ReadonlyMap<string, unknown>, { external_id, record_id }: IdColumns): RowIds => ({
  record: record_id ? idIn(values.get(record_id)) : null,
  external: external_id ? idIn(values.get(external_id)) : null,
})

/**
 * Stores the IDs of a row. If an earlier row has the same ID, returns this ID and that row.
 * @param made the external ID that is generated if the row has none
 */
export const repeatedIn = (
  seen: SeenIds,
  { record, external }: RowIds,
  { row, made }: { readonly row: number; readonly made: string },
): { readonly id: string; readonly first: number; readonly of: keyof IdColumns } | null => {
  const id = external ?? made
  const first = seen.firstOf(id, row)
  // No text contains NUL, so an external ID can't equal this key
  const firstRecord = record === null ? row : seen.firstOf(`\0${record.toLowerCase()}`, row)
  if (first < row) return { id, first, of: 'external_id' }
  return record !== null && firstRecord < row ? { id: record, first: firstRecord, of: 'record_id' } : null
}

export const repeatedReason = (id: string, first: number): Message =>
  message('idRepeated', { id: JSON.stringify([...id].slice(0, LONGEST_SHOWN).join('')), row: first })

/** The remembered IDs of an import: the IDs of all rows before `upTo`. */
type Known<P> = { readonly seen: SeenIds; upTo: P }

/**
 * For each import that runs in this process, the IDs in the rows that have been read, keyed by job. @param P a position between
 * two rows
 */
export const idsOfJobs = <P>() => {
  const jobs = new Map<string, Known<P>>()
  return {
    /** @param first where the first row begins */
    of: (job: string, first: P): Known<P> => {
      const known = jobs.get(job) ?? { seen: seenIds(), upTo: first }
      // Moves the job to the end, because the least recently used one is dropped first
      jobs.delete(job)
      jobs.set(job, known)
      // If a job continued in another process, this process isn't notified when the job ends. The least recently used entries are
      // therefore removed.
      for (const old of [...jobs.keys()].slice(0, Math.max(0, jobs.size - MAX_JOBS))) jobs.delete(old)
      return known
    },
    forget: (job: string): void => void jobs.delete(job),
  }
}

type Ids = {
  readonly source: Source
  readonly layout: Layout
  readonly mapping: IdColumns
  /** Returns the external ID for a row without one. */
  readonly idOf: (row: number) => string
}

/** Reads the IDs of the rows between `known.upTo` and a position, because another process imported those rows. */
export const catchUp = async (known: Known<Position>, to: Position, { source, layout, mapping, idOf }: Ids): Promise<void> => {
  while (known.upTo.row < to.row) {
    const limit = to.row - known.upTo.row
    const { rows, next }: Batch = await readBatch(source, layout, {
      from: known.upTo,
      columns: [mapping.external_id, mapping.record_id].filter((column) => column != null),
      limit: Math.min(limit, BATCH_ROWS),
    })
    for (const row of rows) {
      if ('values' in row) repeatedIn(known.seen, idsIn(row.values, mapping), { row: row.row, made: idOf(row.row) })
    }
    known.upTo = next ?? to
  }
}
