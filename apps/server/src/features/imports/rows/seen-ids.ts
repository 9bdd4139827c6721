import { createHash } from 'node:crypto'
import type { FileMapping } from '@postil/contract/files/imports.ts'
import { sayReason } from '@postil/contract/wire/reasons.ts'
import type { Layout, Source } from '../inspect/layout.ts'
import { readBatch } from '../reading/batch.ts'
import { BATCH_ROWS, type Batch } from '../reading/limits.ts'
import type { Position } from '../reading/pieces.ts'

/** Ids that are remembered of one import, about 100 MB; of a longer file, those that come first. */
const MAX_IDS = 2_000_000
/** Imports whose ids are remembered at once; those of others are read again. */
const MAX_JOBS = 4
const LONGEST_SHOWN = 100

export type SeenIds = {
  /** The first row with this id; the row itself where no row before it has it. */
  readonly firstOf: (id: string, row: number) => number
}

/** NOTE: 53 bits of it, since the ids themselves may be long: of a million, two are taken for one once in ten thousand files */
const keyOf = (id: string): number => {
  const digest = createHash('sha256').update(id).digest()
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) % 32)
}

/** Remembers in which rows ids stood. The same row may be told of again. */
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

/** The id that a cell gives its row; null for none. */
export const idIn = (cell: unknown): string | null =>
  (typeof cell === 'string' && cell.trim() !== '') || typeof cell === 'number' ? String(cell) : null

export type IdColumns = Pick<FileMapping, 'external_id' | 'record_id'>
type RowIds = {
  /** The record's own. */
  readonly record: string | null
  readonly external: string | null
}
export const hasIds = ({ external_id, record_id }: IdColumns): boolean => Boolean(external_id) || Boolean(record_id)

/** The ids that a row has. */
export const idsIn = (values: ReadonlyMap<string, unknown>, { external_id, record_id }: IdColumns): RowIds => ({
  record: record_id ? idIn(values.get(record_id)) : null,
  external: external_id ? idIn(values.get(external_id)) : null,
})

/** Remembers the ids of a row. @param made its external id where it has none. @returns the one that a row before it had, and where */
export const repeatedIn = (
  seen: SeenIds,
  { record, external }: RowIds,
  { row, made }: { readonly row: number; readonly made: string },
): { readonly id: string; readonly first: number; readonly of: keyof IdColumns } | null => {
  const id = external ?? made
  const first = seen.firstOf(id, row)
  // NOTE: no text has a NUL, so no external id is taken for one
  const firstRecord = record === null ? row : seen.firstOf(`\0${record.toLowerCase()}`, row)
  if (first < row) return { id, first, of: 'external_id' }
  return record !== null && firstRecord < row ? { id: record, first: firstRecord, of: 'record_id' } : null
}

export const sayRepeated = (id: string, first: number): string =>
  sayReason('idRepeated', { id: JSON.stringify([...id].slice(0, LONGEST_SHOWN).join('')), row: first })

/** How far the ids of an import are known: rows before the place. */
type Known<P> = { readonly seen: SeenIds; upTo: P }

/** The ids of the imports that this process carries out, by their jobs. @param P a place between two rows */
export const idsOfJobs = <P>() => {
  const jobs = new Map<string, Known<P>>()
  return {
    /** @param first where the first row begins */
    of: (job: string, first: P): Known<P> => {
      const known = jobs.get(job) ?? { seen: seenIds(), upTo: first }
      // NOTE: the one that was asked for last is the last to go
      jobs.delete(job)
      jobs.set(job, known)
      // NOTE: of jobs that went on elsewhere nobody says that they have ended
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
  /** The external id of a row without one. */
  readonly idOf: (row: number) => string
}

/** Takes notice of the ids between what is known and a place: those rows were read by another process. */
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
