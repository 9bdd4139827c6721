import type { Mapping } from '@postil/contract/jobs.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { idIn, idsOfJobs, MAX_UNFOLDED, prepareRows, type SourceRow, storeImported } from '#features/imports/public.ts'
import type { Schema } from '#features/records/public.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Db } from '#platform/db/db.ts'
import { type Job, type JobContext, jobKind, type RemoteControl, type StepOutcome } from '#platform/jobs/kinds.ts'
import { hubClient } from '../client.ts'
import { orFailed, sealedToken } from '../job-token.ts'
import { columnsOf, importOfJob } from '../queries.ts'
import type { ImportArgs } from './import-args.ts'
import type { FileMark } from './parquet-rows.ts'
import { type HubReader, openReader } from './reader.ts'

/** Rows per transaction: few enough not to block other writers. */
const BATCH_ROWS = 100
const BATCH_SIZE = 1_000_000

type Batch = ReturnType<typeof prepareRows> & {
  readonly mapping: Mapping
  readonly from: number
  readonly next: number
  /** Number of characters in the batch's rows. */
  readonly size: number
  readonly total: number
  readonly marks: readonly FileMark[]
}
type Input = { readonly failed: Reason } | Batch

/** Readers for this process's running imports, so that a file is opened once, not once per batch. */
const readers = new Map<string, HubReader>()

const readerOf = async (
  ctx: JobContext,
  id: string,
  { source }: ImportArgs,
  control: RemoteControl | undefined,
): Promise<HubReader> => {
  const known = readers.get(id)
  if (known !== undefined) return known
  const client = await hubClient(ctx.config, (await sealedToken(ctx, id)) ?? ctx.config.hubToken ?? null, control?.signal)
  const reader = await openReader(client, ctx.config, source)
  readers.set(id, reader)
  return reader
}

const ids = idsOfJobs<number>()

const sameMarks = (before: readonly FileMark[] | null, now: readonly FileMark[]): boolean =>
  before === null || JSON.stringify(before) === JSON.stringify(now)

/**
 * Leaves out metadata columns whose property the dataset doesn't have, as Argilla's API requires. Doesn't change anything else.
 */
const knownTargets = (mapping: Mapping, { properties }: Schema): Mapping => ({
  ...mapping,
  metadata: mapping.metadata.filter(({ target }) => properties.some(({ name }) => name === target)),
})

type Naming = { readonly column: string | null | undefined; readonly idOf: (row: number) => string }

/**
 * Returns the IDs of the rows before the position `from`. Reads the IDs that are not known yet, for example because another
 * process imported their rows.
 */
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

/** One batch of rows, starting at a position. */
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

const nextBatch = async (ctx: JobContext, id: string, control: RemoteControl | undefined): Promise<Input> => {
  const found = await ctx.store.read(importOfJob, { job_id: id })
  if (found === null) return { failed: message('datasetGone') }
  const { args, isReady, schema } = found
  if (!isReady) return { failed: message('notPublished') }
  const reader = await readerOf(ctx, id, args, control)
  if (!sameMarks(args.marks, reader.marks)) return { failed: message('filesChanged') }
  const from = args.next
  const { split } = args.source
  const idOf = (row: number) => `${split}_${row - 1}`
  const known = await idsBefore(reader, id, from, { column: args.mapping.external_id, idOf })
  const { rows, size } = await someRows(reader, from, columnsOf(args.mapping))
  const recipe = {
    mapping: knownTargets(args.mapping, schema),
    schema,
    idOf,
    // Importing a split again must update the records of the earlier import, as in Argilla's API
    isNewWithoutId: false,
    limits: limitsOf(ctx.config),
    rowsNameColumns: false,
  }
  const { total, marks } = reader
  const next = from + rows.length
  known.upTo = Math.max(known.upTo, next)
  return { ...prepareRows(rows, recipe, known.seen), mapping: recipe.mapping, from, next, size, total, marks }
}

const runStep = async (db: Db, job: Job, input: Input): Promise<StepOutcome> => {
  if ('failed' in input) return { finished: false, failed: input.failed }
  // The arguments were written by `startImport` or by this function.
  const args = job.args as ImportArgs
  // A different position means that another process took over the step after the input was prepared. The input is then outdated
  if (input.from !== args.next) return { finished: false }
  const size = (args.size ?? 0) + input.size
  if (size > MAX_UNFOLDED) return { finished: false, failed: message('rowsTooLarge', { limit: MAX_UNFOLDED / 1e9 }) }
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
    // The dataset was deleted, or the right to add records was revoked. A retry would fail for the same reason.
    if (error instanceof Problem) return { finished: false, failed: error.reason }
    throw error
  }
}

/** Imports a split of a Hub dataset. Each step stores a batch of rows in the same transaction as its progress. */
export const importFromHub = jobKind<Input>('hub.import', runStep, {
  remote: true,
  prepare: (ctx, id, control) =>
    orFailed(
      nextBatch(ctx, id, control).catch((error: unknown) => {
        // The retry opens new connections, and the files may have changed
        readers.delete(id)
        throw error
      }),
    ),
  ended: async (_ctx, id) => {
    readers.delete(id)
    ids.forget(id)
  },
})
