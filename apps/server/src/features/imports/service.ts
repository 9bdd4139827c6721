import {
  type FileCheck,
  type FileMapping,
  type Import,
  type ImportFile,
  type Plan,
  shownRows,
} from '@postil/contract/files/imports.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { getJob, printJob } from '#features/jobs/public.ts'
import type { Schema } from '#features/records/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { uploadsFull } from '#platform/files/full-disk.ts'
import { newId } from '#platform/ids.ts'
import { printTime } from '#platform/time.ts'
import * as commands from './commands.ts'
import { type FaultyRow, reportedFaults } from './faulty-row.ts'
import { formatOf } from './inspect/formats.ts'
import { inspectInThread } from './inspect/inspect-in-thread.ts'
import { headerOf, rowsNameColumns, type SourceRow } from './inspect/layout.ts'
import { idsFrom, stemOf } from './inspect/stem.ts'
import { planSchema } from './plan.ts'
import { importPolicy } from './policy.ts'
import { printFile } from './print-file.ts'
import * as queries from './queries.ts'
import type { Batch } from './reading/limits.ts'
import type { Position } from './reading/pieces.ts'
import { planRow } from './rows/build.ts'
import { checkMapping, type Names, namesOf, noNames } from './rows/mapping.ts'
import { prepareRead, readRows } from './rows/prepare-batch.ts'
import { seenIds } from './rows/seen-ids.ts'
import { invalidAnswersOf, validateBatch } from './store/store-batch.ts'
import { sweepUploads } from './sweep.ts'
import { checkUploadSpace, removeUpload, sourceOf, storeUpload } from './uploads.ts'

type Ctx = { readonly store: Store; readonly config: Config }
type FileKey = { readonly dataset_id: string; readonly file_id: string }

export type Upload = {
  readonly name: string
  readonly format?: string | undefined
  /** The content type of the request. */
  readonly type?: string | undefined
  /** The length of the request body in bytes, from the `Content-Length` header. 0 if the header is missing. */
  readonly announced: number
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Stores a file and inspects it. @param dataset_id null for a dataset that doesn't exist yet */
const storeFile = async (
  ctx: Ctx,
  owner: { readonly user: Actor; readonly dataset_id: string | null },
  upload: Upload,
  names: Names,
): Promise<ImportFile> => {
  const format = formatOf(upload)
  await sweepUploads(ctx)
  await checkUploadSpace(ctx.config, upload.announced).catch(uploadsFull)
  const id = newId()
  const size = await storeUpload(ctx.config, id, upload.chunks)
  try {
    const inspected = await inspectInThread(sourceOf(ctx.config, id), format)
    const { name } = upload
    const { dataset_id } = owner
    const at = await ctx.store.write(commands.createImport, { ...owner, id, name, found: { layout: inspected.layout }, size })
    return printFile({ id, dataset_id, name, size, inserted_at: at }, inspected, names)
  } catch (error) {
    await removeUpload(ctx.config, id)
    throw error
  }
}

/**
 * Stores a file as it arrives and inspects it.
 * @throws Problem not_found or forbidden before anything is read. Later, unprocessable or too_large
 */
export const uploadFile = async (ctx: Ctx, user: Actor, dataset_id: string, upload: Upload): Promise<ImportFile> => {
  const datasetArgs = { user: actorOf(user), dataset_id }
  const target = await ctx.store.read(queries.importTarget, datasetArgs)
  return storeFile(ctx, datasetArgs, upload, namesOf(target.schema))
}

/** Stores a file for a dataset that the sender will create later. @throws Problem forbidden; unprocessable, too_large */
export const uploadMyFile = async (ctx: Ctx, user: Actor, upload: Upload): Promise<ImportFile> => {
  if (!importPolicy.uploadMine(user)) throw forbidden()
  return storeFile(ctx, { user: actorOf(user), dataset_id: null }, upload, noNames)
}

/** `named`: the base name for rows without an ID. */
type DryRunTarget = { readonly schema: Schema; readonly allowExtra: boolean; readonly named: string }

/** Reads the current fields of the records that rows would update. There are none if the dataset doesn't exist yet. */
type LoadCurrentFields = (packed: Uint8Array) => Promise<readonly (string | null)[]>

/** Maximum time that a check spends reading, in milliseconds. The user who is editing the form waits for its result. */
const MAX_CHECK_MS = 1_000

/** Number of faulty rows after which a check can stop. */
const MAX_FAULTS = 100

const warningsOf = ({ row, line, warnings = [] }: SourceRow): readonly FaultyRow[] =>
  warnings.map((warning) => ({ row, line, ...warning }))

const dryRun = async (
  { config }: Ctx,
  file: queries.ImportRow,
  { mapping, currentFields }: { readonly mapping: FileMapping; readonly currentFields?: LoadCurrentFields },
  dryRunTarget: DryRunTarget,
): Promise<FileCheck> => {
  if (file.job_id !== null) throw queries.startedBefore(file.job_id)
  checkMapping(mapping, headerOf(file.layout), namesOf(dryRunTarget.schema), dryRunTarget.allowExtra)
  const ids = {
    idOf: idsFrom(dryRunTarget.named),
    isNewWithoutId: true,
    rowsNameColumns: rowsNameColumns(file.layout),
    decimalCommas: file.layout.decimalCommas,
  }
  const recipe = { mapping, schema: dryRunTarget.schema, ...ids, limits: limitsOf(config) }
  const source = sourceOf(config, file.id)
  const seen = seenIds()
  const until = performance.now() + MAX_CHECK_MS
  const found: FileCheck = { rows: 0, whole: false, errors: [], warnings: [], records: [] }
  for (let from: Position | null = file.layout.first; from !== null; ) {
    const images = { kind: 'look', shown: shownRows - found.records.length } as const
    const read: Batch = await readRows(source, { layout: file.layout, from }, { recipe, images })
    const batch = prepareRead(read, recipe, seen)
    const errors = reportedFaults(
      batch.faults,
      validateBatch({ ...batch, mapping }, dryRunTarget, await currentFields?.(batch.packed)),
    )
    const refused = new Set(errors.map(({ row }) => row))
    const records = read.rows.filter(({ row }) => !refused.has(row)).slice(0, images.shown)
    found.rows += batch.rows
    found.errors.push(...errors)
    const unanswered = [
      ...batch.answers.faults,
      ...invalidAnswersOf({ ...batch, mapping }, dryRunTarget),
      ...batch.comments.faults,
    ]
    found.warnings.push(
      ...reportedFaults(
        read.rows.flatMap(warningsOf),
        unanswered.filter(({ row }) => !refused.has(row)),
      ),
    )
    found.records.push(...records.flatMap((row) => planRow(row, recipe) ?? []))
    found.whole = batch.next === null && batch.broken === null
    from = found.errors.length < MAX_FAULTS && performance.now() < until ? batch.next : null
  }
  return found
}

/**
 * Checks as many of a file's rows as can be read in limited time. Reports the rows' faults and the resulting records. Writes
 * nothing. @throws Problem not_found, forbidden, unprocessable
 */
export const checkFile = async (
  ctx: Ctx,
  user: Actor,
  { dataset_id, file_id }: FileKey,
  mapping: FileMapping,
): Promise<FileCheck> => {
  const datasetArgs = { user: actorOf(user), dataset_id, file_id }
  const { target, file, named } = await ctx.store.read(queries.findImport, datasetArgs)
  await ctx.store.read(queries.checkAnswerers, { user: actorOf(user), dataset_id, mapping })
  const currentFields = (packed: Uint8Array) =>
    ctx.store.read(queries.currentFieldsOf, { user: actorOf(user), dataset_id, packed })
  return dryRun(ctx, file, { mapping, currentFields }, { ...target, named })
}

/** Like `checkFile`, for a dataset that doesn't exist yet. @throws Problem not_found, forbidden, unprocessable */
export const checkMyFile = async (ctx: Ctx, user: Actor, file_id: string, plan: Plan): Promise<FileCheck> => {
  const file = await ctx.store.read(queries.findMyImport, { user: actorOf(user), file_id })
  return dryRun(ctx, file, { mapping: plan.mapping }, { schema: planSchema(plan), allowExtra: true, named: stemOf(file.name) })
}

/** The latest imports into a dataset, newest first. @throws Problem not_found, forbidden */
export const listImports = async (ctx: Ctx, user: Actor, dataset_id: string): Promise<{ items: Import[] }> => {
  const started = await ctx.store.read(queries.startedImports, { user: actorOf(user), dataset_id })
  const print = ({ id, name, size, inserted_at, job }: queries.StartedImport): Import => ({
    file: { id, name, size },
    job: printJob(job),
    inserted_at: printTime(inserted_at),
  })
  return { items: started.map(print) }
}

/**
 * Starts the import. @param base the server's address, for URLs in the imported records. @returns the job. @throws Problem
 * not_found, forbidden, unprocessable
 */
export const startImport = async (
  ctx: Ctx,
  user: Actor,
  datasetArgs: FileKey,
  { mapping, base }: { readonly mapping: FileMapping; readonly base: string },
): Promise<Job> => {
  const job = await ctx.store.write(commands.startImport, { user: actorOf(user), ...datasetArgs, mapping, base })
  return getJob(ctx, user, job)
}
