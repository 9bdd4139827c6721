import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isTextFormat } from '@postil/contract/files/import-formats.ts'
import { type FileMapping, type ImportColumn, maxImportFaults, type RowFault } from '@postil/contract/files/imports.ts'
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
  const { path, dataset_id, dryRun, onFaults, scratch } = wanted
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
  let outcome = { rows: 0, created: 0, updated: 0, failed: 0 }
  let stopped: string | null = null
  const seen = seenIds()
  wanted.onProgress?.(0, size)
  const standing = (packed: Uint8Array) => store.read(queries.standingOf, { user: actor, dataset_id, packed })
  for (let from: Position | null = layout.first; from !== null && stopped === null; ) {
    const read = await readRows(source, { layout, from }, { recipe, pictures })
    const batch = prepareRead(read, recipe, seen)
    const { places, packed } = batch
    const stored = dryRun
      ? { created: 0, updated: 0, faults: judgeBatch({ mapping, places, packed }, target, await standing(packed)) }
      : await store.write(commands.writeBatch, { user: actor, dataset_id, mapping, places, packed })
    const faults = [...batch.faults, ...stored.faults].sort((a, b) => a.row - b.row)
    onFaults(faults)
    outcome = {
      rows: outcome.rows + batch.rows,
      created: outcome.created + stored.created,
      updated: outcome.updated + stored.updated,
      failed: outcome.failed + faults.length,
    }
    if (batch.broken !== null) stopped = brokenAt(layout, batch.broken)
    else if (outcome.failed > maxImportFaults) stopped = `More than ${maxImportFaults} rows cannot become records`
    else if (batch.next !== null && wanted.signal?.aborted === true) stopped = 'It was ended before the last row'
    from = batch.next
    wanted.onProgress?.(from === null ? size : doneAt(layout, from, size), size)
  }
  return { ...outcome, mapping, named, stopped }
}
