import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FileMapping, type ImportColumn, maxImportFaults, type RowFault } from '@postil/contract/files/imports.ts'
import type { ImportedAnswers, ImportedComments } from '@postil/contract/jobs.ts'
import { Problem, unprocessable } from '@postil/contract/wire/errors.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import * as commands from './commands.ts'
import { type FaultyRow, printFault } from './faulty-row.ts'
import { formatOf } from './inspect/formats.ts'
import type { Inspected } from './inspect/inspect-file.ts'
import { inspectInThread } from './inspect/inspect-in-thread.ts'
import { brokenAt, doneAt, headerOf, rowsNameColumns, type Source } from './inspect/layout.ts'
import type { ReadingChoice } from './inspect/reading.ts'
import { idsFrom } from './inspect/stem.ts'
import * as queries from './queries.ts'
import type { Position } from './reading/pieces.ts'
import { addAnswerCounts, noAnswerCounts } from './rows/answers.ts'
import { addCommentCounts, hasComments, noCommentCounts } from './rows/comments.ts'
import type { ImageSource } from './rows/images.ts'
import { laterColumns, withLaterColumns } from './rows/later-columns.ts'
import { checkMapping, type Names, namesOf, type ProposedMapping, proposeMapping } from './rows/mapping.ts'
import { prepareRead, readRows } from './rows/prepare-batch.ts'
import { hasIds, seenIds } from './rows/seen-ids.ts'
import { invalidAnswersOf, type StoredBatch, validateBatch } from './store/store-batch.ts'

type Ctx = { readonly store: Store; readonly config: Config }

type LocalImport = {
  readonly path: string
  readonly dataset_id: string
  /** Default: the mapping that the column names suggest. */
  readonly mapping?: FileMapping | undefined
  /**
   * The base name for rows without an ID. To update the records of an earlier import, pass the base name of that import. Default:
   * an unused name, so that these rows create new records.
   */
  readonly named?: string | undefined
  /**
   * For files from other programs: chooses how the annotations are imported, once the annotators in the file are known. Default:
   * as suggestions. If this is given, the mapping must not name annotators.
   */
  readonly chooseAnnotators?: ((found: Inspected['contents']) => FileMapping['annotators']) | undefined
  /** How to read the file. By default, this is detected from the file's content. */
  readonly reading?: ReadingChoice | undefined
  /** Receives the recognized format and content of the file, before any row is written. */
  readonly onRecognized?: ((found: Pick<Inspected, 'recognized' | 'contents' | 'layout'>) => void) | undefined
  readonly dryRun: boolean
  /** Called before any row is written, if the rows have no IDs. Receives the base name from which the rows' IDs are derived. */
  readonly onNamed?: ((named: string) => void) | undefined
  /**
   * Receives the faults of each batch: rows that could not become records, and rows that are imported without some of their
   * answers.
   */
  readonly onFaults: (faults: readonly RowFault[]) => void
  /** Receives the temporary folder in which the import stores the file's rows and text while it reads them. */
  readonly onScratch?: ((folder: string) => void) | undefined
  /** Stops the import after the current batch. */
  readonly signal?: AbortSignal | undefined
  /** Receives the number of bytes read, before the first batch and after each one. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}
export type LocalOutcome = {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly failed: number
  /** The outcome for the annotations in the rows. Null if all of them were imported as suggestions. */
  readonly answers: ImportedAnswers | null
  /** The outcome for the comments in the rows. Null if there are none. */
  readonly comments: ImportedComments | null
  /** Columns that don't occur in the rows that the preview read. They were not imported. */
  readonly later_columns: readonly string[]
  readonly mapping: FileMapping | ProposedMapping
  /**
   * `recognized`: the format of another program that the content matches. `contents`: what the rows contain if they are read as
   * this format.
   */
  readonly recognized: Inspected['recognized']
  readonly contents: Inspected['contents']
  /** The base name for rows without an ID. */
  readonly named: string
  /** The reason why the import stopped before the end of the file, as a sentence; null if it reached the end. */
  readonly stopped: string | null
  /** Whether the import can be continued by running it again. True if it was stopped or the machine ran out of a resource. */
  readonly interrupted: boolean
}

/**
 * Imports a local file in batches, without a job. A dry run reads the whole file and writes nothing. Repeating an interrupted
 * import updates the existing records by their external IDs. Rows without an ID are matched only if the same base name is
 * passed.
 * @throws Problem not_found, forbidden, unprocessable
 */
export const importLocal = async (ctx: Ctx, user: Actor, options: LocalImport): Promise<LocalOutcome> => {
  const scratch = await mkdtemp(join(tmpdir(), 'postil-import-'))
  options.onScratch?.(scratch)
  try {
    return await importFrom(ctx, user, { ...options, scratch })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const proposedFor = (columns: readonly ImportColumn[], names: Names): FileMapping => {
  const { fields, metadata, suggestions, ...ids } = proposeMapping(columns, names)
  return { fields: [...fields], metadata: [...metadata], suggestions: [...suggestions], ...ids }
}

/**
 * Returns how rows without an ID are imported: the base name of their generated IDs, and whether each of these rows always
 * becomes a new record.
 */
const namesFor = async ({ store }: Ctx, user: Actor, { named: givenMapping, dataset_id, path }: LocalImport) => {
  const named = givenMapping ?? (await store.read(queries.nameOfRows, { user, dataset_id, file: path }))
  return { named, idOf: idsFrom(named), isNewWithoutId: givenMapping === undefined }
}

const importFrom = async (
  { store, config }: Ctx,
  user: Actor,
  options: LocalImport & { readonly scratch: string },
): Promise<LocalOutcome> => {
  const { path, dataset_id, dryRun, scratch } = options
  const actor = actorOf(user)
  const target = await store.read(queries.importTarget, { user: actor, dataset_id })
  const format = formatOf({ name: path })
  const source: Source = {
    file: path,
    unfolded: (sheet) => join(scratch, `rows-${sheet}`),
    text: (encoding) => join(scratch, `text-${encoding}`),
  }
  const { layout, columns, recognized, contents } = await inspectInThread(source, format, options.reading)
  // Nobody sees a preview here, so damaged text is imported only if the caller chose UTF-8
  if (layout.damagedAt !== undefined && options.reading?.encoding === undefined)
    throw unprocessable(message('notUtf8', { byte: layout.damagedAt }))
  options.onRecognized?.({ recognized, contents, layout })
  const { size } = await stat(path)
  const names = namesOf(target.schema)
  const annotators = options.chooseAnnotators?.(contents)
  const mapping: FileMapping = { ...(options.mapping ?? proposedFor(columns, names)), ...(annotators && { annotators }) }
  checkMapping(mapping, headerOf(layout), names, target.allowExtra)
  await store.read(queries.checkAnswerers, { user: actor, dataset_id, mapping })
  const { named, ...ids } = await namesFor({ store, config }, actor, options)
  if (!hasIds(mapping)) options.onNamed?.(named)
  const recipe = {
    mapping,
    schema: target.schema,
    ...ids,
    limits: limitsOf(config),
    rowsNameColumns: rowsNameColumns(layout),
    decimalCommas: layout.decimalCommas,
  }
  const { publicUrl, host, port, baseUrl } = config
  const base = `${publicUrl ?? `http://${host}:${port}`}${baseUrl}`
  const images: ImageSource = dryRun ? { kind: 'look', shown: 0 } : { kind: 'keep', config, dataset_id, base }
  if (!dryRun) await store.write(commands.expectImages, { user: actor, dataset_id, layout })
  const seen = seenIds()
  const currentFields = (packed: Uint8Array) => store.read(queries.currentFieldsOf, { user: actor, dataset_id, packed })
  const validated = async (batch: Parameters<typeof validateBatch>[0]): Promise<StoredBatch> => {
    const faults = validateBatch(batch, target, await currentFields(batch.packed))
    const invalid = invalidAnswersOf(batch, target)
    return {
      created: 0,
      updated: 0,
      faults,
      answers: { faults: invalid, counts: { ...noAnswerCounts, invalid: invalid.length } },
      comments: { faults: [], counts: noCommentCounts },
    }
  }
  const importBatch = async (from: Position): Promise<BatchOutcome> => {
    const read = await readRows(source, { layout, from }, { recipe, images })
    const batch = prepareRead(read, recipe, seen)
    const { places, packed, comments } = batch
    const stored = dryRun
      ? await validated({ mapping, places, packed })
      : await store.write(commands.writeBatch, { user: actor, dataset_id, mapping, places, packed, comments })
    const refused = new Set([...batch.faults, ...stored.faults].map(({ row }) => row))
    const ofAnswers = [...batch.answers.faults, ...stored.answers.faults]
    const ofComments = [...comments.faults, ...stored.comments.faults]
    const ofParts = [...ofAnswers, ...ofComments].filter(({ row }) => !refused.has(row))
    const faults = [...batch.faults, ...stored.faults, ...ofParts].sort((a, b) => a.row - b.row)
    const answers = addAnswerCounts(batch.answers.counts, stored.answers.counts)
    const broken = batch.broken === null ? null : brokenAt(layout, batch.broken)
    const failed = refused.size
    return {
      ...stored,
      faults,
      failed,
      answers,
      comments: addCommentCounts(comments.counts, stored.comments.counts),
      later: laterColumns(read.rows, layout, mapping),
      rows: batch.rows,
      broken,
      next: batch.next,
    }
  }
  options.onProgress?.(0, size)
  const ended = await importAll(importBatch, layout.first, {
    ...options,
    onNext: (next) => options.onProgress?.(next === null ? size : doneAt(layout, next, size), size),
  })
  const answers = mapping.annotators?.length ? ended.answers : null
  const comments = hasComments(ended.comments) ? ended.comments : null
  return { ...ended, answers, comments, mapping, named, recognized, contents }
}

type BatchOutcome = {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly failed: number
  readonly answers: ImportedAnswers
  readonly comments: ImportedComments
  readonly faults: readonly FaultyRow[]
  readonly later: readonly string[]
  readonly broken: Reason | null
  readonly next: Position | null
}

type Ended = Omit<LocalOutcome, 'mapping' | 'named' | 'recognized' | 'contents' | 'answers' | 'comments'> & {
  readonly answers: ImportedAnswers
  readonly comments: ImportedComments
}

/**
 * The text that explains an error to the user. If a problem states its cause separately, such as a full disk, only the cause is
 * returned, without the effect on the batch.
 */
const causeOf = (error: unknown): string =>
  error instanceof Problem ? (error.data.cause ?? error.data.detail) : error instanceof Error ? error.message : String(error)

/**
 * Processes batches until the end of the file is reached or something stops the import. @throws errors of the first batch, or
 * of a dry run
 */
const importAll = async (
  importBatch: (from: Position) => Promise<BatchOutcome>,
  first: Position | null,
  {
    dryRun,
    onFaults,
    onNext,
    signal,
  }: Pick<LocalImport, 'dryRun' | 'onFaults' | 'signal'> & { readonly onNext: (next: Position | null) => void },
): Promise<Ended> => {
  let done: Pick<Ended, 'rows' | 'created' | 'updated' | 'failed' | 'answers' | 'comments' | 'later_columns'> = {
    rows: 0,
    created: 0,
    updated: 0,
    failed: 0,
    answers: noAnswerCounts,
    comments: noCommentCounts,
    later_columns: [],
  }
  for (let from = first; from !== null; ) {
    let batchOutcome: BatchOutcome
    try {
      batchOutcome = await importBatch(from)
    } catch (error) {
      // The error message refers to a single batch, but earlier batches are already stored.
      if (dryRun || done.rows === 0) throw error
      return { ...done, stopped: causeOf(error), interrupted: true }
    }
    const { rows, created, updated, failed, answers, comments, faults, later, broken, next } = batchOutcome
    onFaults(faults.map(printFault))
    done = {
      rows: done.rows + rows,
      created: done.created + created,
      updated: done.updated + updated,
      failed: done.failed + failed,
      answers: addAnswerCounts(done.answers, answers),
      comments: addCommentCounts(done.comments, comments),
      later_columns: withLaterColumns(done.later_columns, later),
    }
    onNext(next)
    if (broken !== null) return { ...done, stopped: renderMessage(broken), interrupted: false }
    if (done.failed > maxImportFaults)
      return { ...done, stopped: renderMessage(message('tooManyFaults', { limit: maxImportFaults })), interrupted: false }
    if (next !== null && signal?.aborted === true)
      return { ...done, stopped: 'The import was stopped before the last row', interrupted: true }
    from = next
  }
  return { ...done, stopped: null, interrupted: false }
}
