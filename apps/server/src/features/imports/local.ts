import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isTextFormat } from '@postil/contract/files/import-formats.ts'
import { type FileMapping, type ImportColumn, maxImportFaults, type RowFault } from '@postil/contract/files/imports.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#features/records/service.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import * as commands from './commands.ts'
import { formatOf } from './inspect/formats.ts'
import { inspectBeside } from './inspect/inspect-beside.ts'
import { brokenAt, doneAt, rowsNameColumns, type Source } from './inspect/layout.ts'
import { idsFrom } from './inspect/stem.ts'
import * as queries from './queries.ts'
import type { Position } from './reading/pieces.ts'
import { checkTextFile } from './reading/text-file.ts'
import { checkMapping, type Names, namesOf, type ProposedMapping, proposeMapping } from './rows/mapping.ts'
import type { Pictures } from './rows/pictures.ts'
import { prepareRead, readRows } from './rows/prepare-batch.ts'
import { hasIds, seenIds } from './rows/seen-ids.ts'
import { judgeBatch } from './store/store-batch.ts'

type Ctx = { readonly store: Store; readonly config: Config }
export type LocalImport = {
  readonly path: string
  readonly dataset_id: string
  /** Left out: the one that the names of the columns propose. */
  readonly mapping?: FileMapping | undefined
  /** What rows without an id are called, to change records of that name; left out: a name that is free, for new ones. */
  readonly named?: string | undefined
  readonly dryRun: boolean
  /** Told what rows without an id are called, before any is written. */
  readonly onNamed?: ((named: string) => void) | undefined
  /** Told of each batch's rows that could not become records. */
  readonly onFaults: (faults: readonly RowFault[]) => void
  /** Told where the file is unfolded for as long as it is read. */
  readonly onScratch?: ((folder: string) => void) | undefined
  /** Ends the import behind the batch that is being written. */
  readonly signal?: AbortSignal | undefined
  /** Told before the first batch and after each how many bytes of the file are read. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}
export type LocalOutcome = {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly failed: number
  readonly mapping: FileMapping | ProposedMapping
  /** What rows without an id are called. */
  readonly named: string
  /** Why the end of the file was not reached, a sentence; null when it was. */
  readonly stopped: string | null
  /** Whether the same goes on where it stopped: it was ended, or the machine lacked something. */
  readonly interrupted: boolean
}

/**
 * Imports a file of this machine, batch by batch, without a job; a dry run reads all of it too, and writes nothing. Beginning again after it was
 * interrupted changes the records that are there already, by their external ids; those without one only by the name that they had.
 * @throws Problem not_found, forbidden, unprocessable
 */
export const importLocal = async (ctx: Ctx, user: Actor, wanted: LocalImport): Promise<LocalOutcome> => {
  const scratch = await mkdtemp(join(tmpdir(), 'postil-import-'))
  wanted.onScratch?.(scratch)
  try {
    return await importFrom(ctx, user, { ...wanted, scratch })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const proposedFor = (columns: readonly ImportColumn[], names: Names): FileMapping => {
  const { fields, metadata, suggestions, ...ids } = proposeMapping(columns, names)
  return { fields: [...fields], metadata: [...metadata], suggestions: [...suggestions], ...ids }
}

/** What rows without an id are called, and whether they are new for that. */
const namesFor = async ({ store }: Ctx, user: Actor, { named: given, dataset_id, path }: LocalImport) => {
  const named = given ?? (await store.read(queries.nameOfRows, { user, dataset_id, file: path }))
  return { named, idOf: idsFrom(named), isNewWithoutId: given === undefined }
}

const importFrom = async (
  { store, config }: Ctx,
  user: Actor,
  wanted: LocalImport & { readonly scratch: string },
): Promise<LocalOutcome> => {
  const { path, dataset_id, dryRun, scratch } = wanted
  const actor: Actor = { id: user.id, role: user.role }
  const target = await store.read(queries.importTarget, { user: actor, dataset_id })
  const format = formatOf({ name: path })
  const spare = join(scratch, 'text')
  const isRewritten = isTextFormat(format) && (await checkTextFile(path, spare)) !== null
  const file = isRewritten ? spare : path
  const source: Source = { file, unfolded: (sheet) => join(scratch, `rows-${sheet}`) }
  const { layout, columns } = await inspectBeside(source, format)
  const { size } = await stat(file)
  const names = namesOf(target.schema)
  const mapping = wanted.mapping ?? proposedFor(columns, names)
  checkMapping(mapping, layout.header, names, target.allowExtra)
  const { named, ...ids } = await namesFor({ store, config }, actor, wanted)
  if (!hasIds(mapping)) wanted.onNamed?.(named)
  const recipe = { mapping, schema: target.schema, ...ids, limits: limitsOf(config), rowsNameColumns: rowsNameColumns(layout) }
  const { publicUrl, host, port, baseUrl } = config
  const base = `${publicUrl ?? `http://${host}:${port}`}${baseUrl}`
  const pictures: Pictures = dryRun ? { kind: 'look', shown: 0 } : { kind: 'keep', config, dataset_id, base }
  if (!dryRun) await store.write(commands.expectImages, { user: actor, dataset_id, layout })
  const seen = seenIds()
  const standing = (packed: Uint8Array) => store.read(queries.standingOf, { user: actor, dataset_id, packed })
  const takeBatch = async (from: Position): Promise<Taken> => {
    const read = await readRows(source, { layout, from }, { recipe, pictures })
    const batch = prepareRead(read, recipe, seen)
    const { places, packed } = batch
    const stored = dryRun
      ? { created: 0, updated: 0, faults: judgeBatch({ mapping, places, packed }, target, await standing(packed)) }
      : await store.write(commands.writeBatch, { user: actor, dataset_id, mapping, places, packed })
    const faults = [...batch.faults, ...stored.faults].sort((a, b) => a.row - b.row)
    const broken = batch.broken === null ? null : brokenAt(layout, batch.broken)
    return { ...stored, faults, rows: batch.rows, broken, next: batch.next }
  }
  wanted.onProgress?.(0, size)
  const ended = await takeAll(takeBatch, layout.first, {
    ...wanted,
    onNext: (next) => wanted.onProgress?.(next === null ? size : doneAt(layout, next, size), size),
  })
  return { ...ended, mapping, named }
}

type Taken = {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly faults: readonly RowFault[]
  readonly broken: string | null
  readonly next: Position | null
}

/** What the machine lacked, without what that means for the one batch. */
const causeOf = (error: unknown): string =>
  error instanceof Problem ? (error.data.detail.split('; ')[0] ?? '') : error instanceof Error ? error.message : String(error)

/** Takes batch after batch, to the end of the file or what stops it before. @throws what the first batch meets, or a dry run */
const takeAll = async (
  takeBatch: (from: Position) => Promise<Taken>,
  first: Position | null,
  {
    dryRun,
    onFaults,
    onNext,
    signal,
  }: Pick<LocalImport, 'dryRun' | 'onFaults' | 'signal'> & { readonly onNext: (next: Position | null) => void },
): Promise<Omit<LocalOutcome, 'mapping' | 'named'>> => {
  let done = { rows: 0, created: 0, updated: 0, failed: 0 }
  for (let from = first; from !== null; ) {
    let taken: Taken
    try {
      taken = await takeBatch(from)
    } catch (error) {
      // NOTE: what is said of it is said of one batch; those before are stored
      if (dryRun || done.rows === 0) throw error
      return { ...done, stopped: causeOf(error), interrupted: true }
    }
    const { rows, created, updated, faults, broken, next } = taken
    onFaults(faults)
    done = {
      rows: done.rows + rows,
      created: done.created + created,
      updated: done.updated + updated,
      failed: done.failed + faults.length,
    }
    onNext(next)
    if (broken !== null) return { ...done, stopped: broken, interrupted: false }
    if (done.failed > maxImportFaults)
      return { ...done, stopped: `More than ${maxImportFaults} rows cannot become records`, interrupted: false }
    if (next !== null && signal?.aborted === true)
      return { ...done, stopped: 'It was ended before the last row', interrupted: true }
    from = next
  }
  return { ...done, stopped: null, interrupted: false }
}
