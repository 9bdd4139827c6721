import type { ImportedAnswers, ImportedComments } from '@postil/contract/jobs.ts'
import { packRecords } from '#features/records/public.ts'
import { serverFieldType } from '#field-types/registry.ts'
import type { FaultyRow } from '../faulty-row.ts'
import { addContribution, type Contributions, printContributions } from '../foreign/contributions.ts'
import type { Layout, Source, SourceRow } from '../inspect/layout.ts'
import { readBatch } from '../reading/batch.ts'
import type { Batch } from '../reading/limits.ts'
import type { Position } from '../reading/pieces.ts'
import type { PlacedComment, RowPlace } from '../store/store-batch.ts'
import { addAnswerCounts, addNumbers, noAnswerCounts } from './answers.ts'
import { type BuiltRow, buildRow } from './build.ts'
import { addCommentCounts, noCommentCounts } from './comments.ts'
import { type ImageSource, withImages } from './images.ts'
import { sourcesOf } from './mapping.ts'
import type { Recipe } from './recipe.ts'
import { type SeenIds, seenIds } from './seen-ids.ts'

/** A batch ready to be stored. Supports structured clone. */
export type PreparedBatch = {
  readonly rows: number
  readonly places: readonly RowPlace[]
  readonly packed: Uint8Array
  /** Unreadable rows. */
  readonly faults: readonly FaultyRow[]
  /**
   * Annotations that aren't imported as answers, although their rows are imported as records. `faults` lists the invalid ones.
   * `counts` contains the number of annotations for each reason.
   */
  readonly answers: { readonly faults: readonly FaultyRow[]; readonly counts: ImportedAnswers }
  /** Comments on the records, and comments that can't be imported. */
  readonly comments: {
    readonly placed: readonly PlacedComment[]
    readonly faults: readonly FaultyRow[]
    readonly counts: ImportedComments
  }
  /** Null at the end of the file. */
  readonly next: Position | null
  /** The fault that makes the rest of the file unreadable. Also contained in `faults`. */
  readonly broken: FaultyRow | null
}

type ValidRow = Extract<BuiltRow, { readonly record: unknown }>
const isValid = (row: BuiltRow): row is ValidRow => 'record' in row

const answerCountsOf = (rows: readonly ValidRow[]): ImportedAnswers =>
  rows.reduce((sum, { answers }) => addNumbers(sum, answers.counts), noAnswerCounts)

/** The people whom the mapping doesn't name. */
const unmappedIn = (rows: readonly ValidRow[]) => {
  const people = new Map<string, Contributions>()
  for (const { unmapped } of rows) {
    for (const name of unmapped.annotations) addContribution(people, name, 'annotations')
    for (const name of unmapped.comments) addContribution(people, name, 'comments')
  }
  return [...printContributions(people)]
}

/** @param seen IDs of earlier rows. Default: none */
export const prepareRows = (
  sources: readonly SourceRow[],
  recipe: Recipe,
  seen: SeenIds = seenIds(),
): Pick<PreparedBatch, 'rows' | 'places' | 'packed' | 'faults' | 'answers' | 'comments'> => {
  const built = sources.map((source) => buildRow(source, recipe, seen))
  const valid = built.filter(isValid)
  return {
    rows: built.length,
    answers: {
      faults: valid.flatMap(({ answers }) => answers.faults),
      counts: addAnswerCounts(answerCountsOf(valid), { unmapped_annotators: unmappedIn(valid) }),
    },
    comments: {
      placed: valid.flatMap(({ comments }, position) => comments.comments.map((comment) => ({ ...comment, position }))),
      faults: valid.flatMap(({ comments }) => comments.faults),
      counts: valid.reduce((sum, { comments }) => addCommentCounts(sum, comments.counts), noCommentCounts),
    },
    places: valid.map(({ record: _, answers: __, comments: ___, unmapped: ____, ...place }) => place),
    packed: packRecords(built.flatMap((row) => ('record' in row ? [row.record] : []))),
    faults: built.flatMap((row) => ('fault' in row ? [row.fault] : [])),
  }
}

type BatchRange = { readonly layout: Layout; readonly from: Position; readonly limit?: number }

/** Columns that become image fields. */
export const imageColumns = ({ mapping, schema }: Recipe): ReadonlySet<string> => {
  const fields = schema.fields.filter(({ settings }) => serverFieldType(settings).holdsImages).map(({ name }) => name)
  return new Set(mapping.fields.filter(({ target }) => fields.includes(target)).map(({ source }) => source))
}

/**
 * Reads rows from a position, with their images. @param limit the maximum number of rows. Default: the number of rows in one
 * transaction
 */
export const readRows = async (
  source: Source,
  { layout, from, limit }: BatchRange,
  { recipe, images }: { readonly recipe: Recipe; readonly images: ImageSource },
): Promise<Batch> => {
  const sourceColumns = sourcesOf(recipe.mapping)
  const batch = await readBatch(source, layout, { from, limit, columns: sourceColumns, annotators: recipe.mapping.annotators })
  return {
    ...batch,
    rows: await withImages(batch.rows, { source, layout, columns: imageColumns(recipe), columnNames: sourceColumns }, images),
  }
}

/** Prepares rows for the command that stores them. @param seen IDs of earlier rows; default: none */
export const prepareRead = ({ rows, next, fault }: Batch, recipe: Recipe, seen?: SeenIds): PreparedBatch => {
  const prepared = prepareRows(rows, recipe, seen)
  if (fault === null) return { ...prepared, next, broken: null }
  const broken = { row: fault.row, line: fault.line, column: null, reason: fault.reason }
  return { ...prepared, rows: prepared.rows + 1, faults: [...prepared.faults, broken], next, broken }
}
