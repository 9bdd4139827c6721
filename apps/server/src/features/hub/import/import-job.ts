import type { Mapping } from '@postil/contract/jobs.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import { sayReason } from '@postil/contract/wire/reasons.ts'
import { idIn, idsOfJobs, MAX_UNFOLDED, prepareRows, type SourceRow, storeImported } from '#features/imports/service.ts'
import type { Schema } from '#features/records/service.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Db } from '#platform/db/db.ts'
import { type Away, type Job, type JobContext, jobKind, type StepOutcome } from '#platform/jobs/kinds.ts'
import { hubClient } from '../client.ts'
import { orFailed, sealedToken } from '../job-token.ts'
import { columnsOf, importOfJob } from '../queries.ts'
import type { ImportArgs } from './import-args.ts'
import type { FileMark } from './parquet-rows.ts'
import { type HubReader, openReader } from './reader.ts'

/** What one transaction writes without keeping others waiting. */
const BATCH_ROWS = 100
const BATCH_SIZE = 1_000_000

type Batch = ReturnType<typeof prepareRows> & {
  readonly mapping: Mapping
  readonly from: number
  readonly next: number
  /** Characters of its rows. */
  readonly size: number
  readonly total: number
  readonly marks: readonly FileMark[]
}
type Input = { readonly failed: string } | Batch

/** Readers of the imports that this process carries out: a file is opened once, not once a batch. */
const readers = new Map<string, HubReader>()

const readerOf = async (ctx: JobContext, id: string, { source }: ImportArgs, away: Away | undefined): Promise<HubReader> => {
  const known = readers.get(id)
  if (known !== undefined) return known
  const client = await hubClient(ctx.config, (await sealedToken(ctx, id)) ?? ctx.config.hubToken ?? null, away?.signal)
  const reader = await openReader(client, ctx.config, source)
  readers.set(id, reader)
  return reader
}

const ids = idsOfJobs<number>()

const sameMarks = (before: readonly FileMark[] | null, now: readonly FileMark[]): boolean =>
  before === null || JSON.stringify(before) === JSON.stringify(now)

/** Targets that the dataset does not have are left out, as the wire says; the others are as they are. */
const knownTargets = (mapping: Mapping, { properties }: Schema): Mapping => ({
  ...mapping,
  metadata: mapping.metadata.filter(({ target }) => properties.some(({ name }) => name === target)),
})

type Naming = { readonly column: string | null | undefined; readonly idOf: (row: number) => string }

/** The ids of the rows before a place: those that another process read are read again. */
const idsBefore = async (reader: HubReader, id: string, from: number, { column, idOf }: Naming) => {
  const known = ids.of(id, 0)
  while (column && known.upTo < from) {
    const rows = (await reader.read(known.upTo, [column])).slice(0, from - known.upTo)
    if (rows.length === 0) break
    for (const { row } of rows) {
      if ('values' in row) known.seen.firstOf(idIn(row.values.get(column)) ?? idOf(row.row), row.row)
    }
    known.upTo += rows.length
  }
  return known
}

type Rows = { readonly rows: readonly SourceRow[]; readonly size: number }

/** The rows of one batch, from a place on. */
const someRows = async (reader: HubReader, from: number, columns: readonly string[]): Promise<Rows> => {
  const rows: SourceRow[] = []
  let size = 0
  while (rows.length < BATCH_ROWS) {
    const more = await reader.read(from + rows.length, columns)
    for (const one of more) {
      if (rows.length === BATCH_ROWS || (rows.length > 0 && size + one.size > BATCH_SIZE)) return { rows, size }
      rows.push(one.row)
      size += one.size
    }
    if (more.length === 0) break
  }
  return { rows, size }
}

const nextBatch = async (ctx: JobContext, id: string, away: Away | undefined): Promise<Input> => {
  const found = await ctx.store.read(importOfJob, { job_id: id })
  if (found === null) return { failed: sayReason('datasetGone') }
  const { args, isReady, schema } = found
  if (!isReady) return { failed: sayReason('notPublished') }
  const reader = await readerOf(ctx, id, args, away)
  if (!sameMarks(args.marks, reader.marks)) return { failed: sayReason('filesChanged') }
  const from = args.next
  const { split } = args.source
  const idOf = (row: number) => `${split}_${row - 1}`
  const known = await idsBefore(reader, id, from, { column: args.mapping.external_id, idOf })
  const { rows, size } = await someRows(reader, from, columnsOf(args.mapping))
  const recipe = {
    mapping: knownTargets(args.mapping, schema),
    schema,
    idOf,
    // NOTE: so the wire has it: an import again changes what the one before made
    isNewWithoutId: false,
    limits: limitsOf(ctx.config),
    rowsNameColumns: false,
  }
  const { total, marks } = reader
  const next = from + rows.length
  known.upTo = Math.max(known.upTo, next)
  return { ...prepareRows(rows, recipe, known.seen), mapping: recipe.mapping, from, next, size, total, marks }
}

const step = async (db: Db, job: Job, input: Input): Promise<StepOutcome> => {
  if ('failed' in input) return { finished: false, failed: input.failed }
  // The arguments are those that `startImport` made, or this function.
  const args = job.args as ImportArgs
  // NOTE: what was prepared before somebody else took the step is of no use
  if (input.from !== args.next) return { finished: false }
  const size = (args.size ?? 0) + input.size
  if (size > MAX_UNFOLDED) return { finished: false, failed: sayReason('rowsTooLarge', { limit: MAX_UNFOLDED / 1e9 }) }
  try {
    const stored = await storeImported(db, job, { ...args, mapping: input.mapping }, input)
    if (stored.counts === null) return { finished: false, failed: stored.failed }
    const { next, total, marks } = input
    return {
      finished: next >= total,
      ...(stored.failed !== null && { failed: stored.failed }),
      args: { ...args, next, size, marks, import: stored.counts },
      done: next,
      total,
    }
  } catch (error) {
    // NOTE: the dataset was deleted, or the right to add records to it was taken away; another try would end like this one
    if (error instanceof Problem) return { finished: false, failed: error.message }
    throw error
  }
}

/** Imports a split of a dataset of the hub: each step is a batch of rows, stored in the transaction that says how far it came. */
export const importFromHub = jobKind<Input>('hub.import', step, {
  remote: true,
  prepare: (ctx, id, away) =>
    orFailed(
      nextBatch(ctx, id, away).catch((error: unknown) => {
        // NOTE: the next try begins with new connections, and files that may be others
        readers.delete(id)
        throw error
      }),
    ),
  ended: async (_ctx, id) => {
    readers.delete(id)
    ids.forget(id)
  },
})
