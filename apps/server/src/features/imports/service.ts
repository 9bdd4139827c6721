import { isTextFormat } from '@postil/contract/files/import-formats.ts'
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
import { getJob, printJob } from '#features/jobs/service.ts'
import type { Actor, Schema } from '#features/records/service.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { newId } from '#platform/ids.ts'
import { printTime } from '#platform/time.ts'
import * as commands from './commands.ts'
import { formatOf } from './inspect/formats.ts'
import { inspectBeside } from './inspect/inspect-beside.ts'
import { rowsNameColumns } from './inspect/layout.ts'
import { idsFrom, stemOf } from './inspect/stem.ts'
import { planSchema } from './plan.ts'
import { importPolicy } from './policy.ts'
import { printFile } from './print-file.ts'
import * as queries from './queries.ts'
import type { Batch } from './reading/limits.ts'
import type { Position } from './reading/pieces.ts'
import { asUtf8, checkedText } from './reading/utf8.ts'
import { planRow } from './rows/build.ts'
import { checkMapping, type Names, namesOf, noNames } from './rows/mapping.ts'
import { prepareRead, readRows } from './rows/prepare-batch.ts'
import { seenIds } from './rows/seen-ids.ts'
import { judgeBatch } from './store/store-batch.ts'
import { sweepUploads } from './sweep.ts'
import { toldFaults } from './told.ts'
import { keepUpload, removeUpload, sourceOf } from './uploads.ts'

type Ctx = { readonly store: Store; readonly config: Config }
type Which = { readonly dataset_id: string; readonly file_id: string }
const actorOf = ({ id, role }: Actor): Actor => ({ id, role })

export type Upload = {
  readonly name: string
  readonly format?: string | undefined
  /** The content type that it was sent with. */
  readonly type?: string | undefined
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Keeps a file and looks into it. @param dataset_id null for a dataset that does not exist yet */
const keepFile = async (
  ctx: Ctx,
  owner: { readonly user: Actor; readonly dataset_id: string | null },
  upload: Upload,
  names: Names,
): Promise<ImportFile> => {
  const format = formatOf(upload)
  await sweepUploads(ctx)
  const id = newId()
  const size = await keepUpload(ctx.config, id, isTextFormat(format) ? checkedText(asUtf8(upload.chunks)) : upload.chunks)
  try {
    const inspected = await inspectBeside(sourceOf(ctx.config, id), format)
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
 * Keeps a file as it arrives and looks into it.
 * @throws Problem not_found, forbidden before anything is read; unprocessable, too_large
 */
export const uploadFile = async (ctx: Ctx, user: Actor, dataset_id: string, upload: Upload): Promise<ImportFile> => {
  const which = { user: actorOf(user), dataset_id }
  const target = await ctx.store.read(queries.importTarget, which)
  return keepFile(ctx, which, upload, namesOf(target.schema))
}

/** Keeps a file for a dataset that its sender makes later. @throws Problem forbidden; unprocessable, too_large */
export const uploadMyFile = async (ctx: Ctx, user: Actor, upload: Upload): Promise<ImportFile> => {
  if (!importPolicy.uploadMine(user)) throw forbidden()
  return keepFile(ctx, { user: actorOf(user), dataset_id: null }, upload, noNames)
}

/** `named`: what rows without an id are called. */
type Ground = { readonly schema: Schema; readonly allowExtra: boolean; readonly named: string }
/** Finds the fields that stand where rows would go; none does in a dataset that does not exist yet. */
type FindStanding = (packed: Uint8Array) => Promise<readonly (string | null)[]>

/** Milliseconds for which a check reads on: whoever changes a form waits for what it says. */
const CHECK_ON_MS = 1_000
/** Bad rows after which it is clear that something is wrong. */
const ENOUGH_FAULTS = 100

const dryRun = async (
  { config }: Ctx,
  file: queries.ImportRow,
  { mapping, standing }: { readonly mapping: FileMapping; readonly standing?: FindStanding },
  ground: Ground,
): Promise<FileCheck> => {
  if (file.job_id !== null) throw queries.startedBefore(file.job_id)
  checkMapping(mapping, file.layout.header, namesOf(ground.schema), ground.allowExtra)
  const ids = { idOf: idsFrom(ground.named), isNewWithoutId: true, rowsNameColumns: rowsNameColumns(file.layout) }
  const recipe = { mapping, schema: ground.schema, ...ids, limits: limitsOf(config) }
  const source = sourceOf(config, file.id)
  const seen = seenIds()
  const until = performance.now() + CHECK_ON_MS
  const found: FileCheck = { rows: 0, whole: false, errors: [], records: [] }
  for (let from: Position | null = file.layout.first; from !== null; ) {
    const pictures = { kind: 'look', shown: shownRows - found.records.length } as const
    const read: Batch = await readRows(source, { layout: file.layout, from }, { recipe, pictures })
    const batch = prepareRead(read, recipe, seen)
    const errors = toldFaults(batch.faults, judgeBatch({ ...batch, mapping }, ground, await standing?.(batch.packed)))
    const refused = new Set(errors.map(({ row }) => row))
    const records = read.rows.filter(({ row }) => !refused.has(row)).slice(0, pictures.shown)
    found.rows += batch.rows
    found.errors.push(...errors)
    found.records.push(...records.flatMap((row) => planRow(row, recipe) ?? []))
    found.whole = batch.next === null && batch.broken === null
    from = found.errors.length < ENOUGH_FAULTS && performance.now() < until ? batch.next : null
  }
  return found
}

/** What is wrong with the rows of a file, as many as are read in a moment, and what they become; writes nothing. @throws Problem not_found, forbidden, unprocessable */
export const checkFile = async (
  ctx: Ctx,
  user: Actor,
  { dataset_id, file_id }: Which,
  mapping: FileMapping,
): Promise<FileCheck> => {
  const which = { user: actorOf(user), dataset_id, file_id }
  const { target, file, named } = await ctx.store.read(queries.findImport, which)
  const standing = (packed: Uint8Array) => ctx.store.read(queries.standingOf, { user: actorOf(user), dataset_id, packed })
  return dryRun(ctx, file, { mapping, standing }, { ...target, named })
}

/** The same for a dataset that does not exist yet. @throws Problem not_found, forbidden, unprocessable */
export const checkMyFile = async (ctx: Ctx, user: Actor, file_id: string, plan: Plan): Promise<FileCheck> => {
  const file = await ctx.store.read(queries.findMyImport, { user: actorOf(user), file_id })
  return dryRun(ctx, file, { mapping: plan.mapping }, { schema: planSchema(plan), allowExtra: true, named: stemOf(file.name) })
}

/** The last imports into a dataset, newest first. @throws Problem not_found, forbidden */
export const listImports = async (ctx: Ctx, user: Actor, dataset_id: string): Promise<{ items: Import[] }> => {
  const started = await ctx.store.read(queries.startedImports, { user: actorOf(user), dataset_id })
  const print = ({ id, name, size, inserted_at, job }: queries.StartedImport): Import => ({
    file: { id, name, size },
    job: printJob(job),
    inserted_at: printTime(inserted_at),
  })
  return { items: started.map(print) }
}

/** Starts the import. @param base address of the server, for what its records name. @returns its job. @throws Problem not_found, forbidden, unprocessable */
export const startImport = async (
  ctx: Ctx,
  user: Actor,
  which: Which,
  { mapping, base }: { readonly mapping: FileMapping; readonly base: string },
): Promise<Job> => {
  const job = await ctx.store.write(commands.startImport, { user: actorOf(user), ...which, mapping, base })
  return getJob(ctx, user, job)
}

// What the command line calls, and imports from elsewhere.
export { described } from './inspect/described.ts'
export { formatOf } from './inspect/formats.ts'
export { firstRows, inspect, judgedByAll, type WholeColumn } from './inspect/inspect.ts'
export type { SourceRow } from './inspect/layout.ts'
export { chooseMySheet, chooseSheet } from './inspect/sheets.ts'
export { importLocal } from './local.ts'
export { planSchema } from './plan.ts'
export { targetOf } from './queries.ts'
export { MAX_UNFOLDED } from './reading/limits.ts'
export { planRow, type Recipe } from './rows/build.ts'
export { proposeMapping } from './rows/mapping.ts'
export { prepareRows } from './rows/prepare-batch.ts'
export { idIn, idsOfJobs } from './rows/seen-ids.ts'
export { judgeBatch } from './store/store-batch.ts'
export { type Imported, noCounts, storeImported } from './store/store-imported.ts'
export { sweepUploads } from './sweep.ts'
export { toldFaults } from './told.ts'
export { keepUpload, removeUpload, uploadPath } from './uploads.ts'
