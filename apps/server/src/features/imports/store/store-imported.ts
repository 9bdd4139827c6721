import { type FileMapping, maxImportFaults } from '@postil/contract/files/imports.ts'
import type { ImportCounts } from '@postil/contract/jobs.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import type { z } from 'zod'
import type { Db } from '#platform/db/db.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { starterOf } from '#platform/jobs/starter.ts'
import type { FaultyRow } from '../faulty-row.ts'
import { addAnswerCounts, noAnswerCounts } from '../rows/answers.ts'
import { addCommentCounts, hasComments, noCommentCounts } from '../rows/comments.ts'
import { withLaterColumns } from '../rows/later-columns.ts'
import type { PreparedBatch } from '../rows/prepare-batch.ts'
import { storeBatch } from './store-batch.ts'

type Counts = z.infer<typeof ImportCounts>
/** The arguments that all import jobs have in common, regardless of the source. */
export type Imported = {
  readonly import_id: string
  readonly dataset_id: string
  readonly mapping: FileMapping
  readonly import: Counts
}
export const noCounts: Counts = { rows: 0, created: 0, updated: 0, failed: 0 }

/**
 * Reports the rows that are imported without some of their answers or comments. Returns one fault for each row, in the order of
 * the rows. Omits rows that are in `refused`.
 */
const partReport = (faults: readonly FaultyRow[], refused: readonly FaultyRow[]): readonly FaultyRow[] => {
  const others = new Set(refused.map(({ row }) => row))
  return [...Map.groupBy(faults, ({ row }) => row)].flatMap(([row, all]) => {
    const [first] = all
    if (first === undefined || others.has(row)) return []
    return [{ ...first, reason: all.map(({ reason }) => renderMessage(reason)).join('. ') }]
  })
}

const report = (db: Db, { dataset_no }: Job, importId: string, faults: readonly FaultyRow[]): Promise<void> =>
  db.dialect.insertMany(
    db.sql,
    'import_faults',
    faults.map(({ row, line, column, reason }) => ({
      import_id: importId,
      dataset_no: dataset_no ?? 0,
      row_no: row,
      line_no: line,
      column_name: column,
      fault: renderMessage(reason),
    })),
  )

/** `failed`: the reason why the import ends here. If `counts` is null, nothing was stored. */
type Stored = { readonly counts: Counts; readonly failed: Reason | null } | { readonly counts: null; readonly failed: Reason }

/**
 * Stores a batch of rows inside a job's step. Valid rows become records, and the other rows are added to the report.
 * @throws Problem when the dataset was deleted or the right to add records was revoked
 */
export const storeImported = async (
  db: Db,
  job: Job,
  args: Imported,
  batch: Pick<PreparedBatch, 'rows' | 'places' | 'packed' | 'faults' | 'answers' | 'comments'> & {
    readonly later?: readonly string[]
  },
): Promise<Stored> => {
  const user = await starterOf(db, job.user_id)
  if (user === null) return { counts: null, failed: message('importerGone') }
  const stored = await storeBatch(db, { user, dataset_id: args.dataset_id, mapping: args.mapping, ...batch })
  const faults = [...batch.faults, ...stored.faults]
  const known = args.import.answers ?? noAnswerCounts
  const answers = addAnswerCounts(addAnswerCounts(known, batch.answers.counts), stored.answers.counts)
  // The report lists a limited number of faults in answers and comments. If an import is repeated after many answers have
  // changed, all of these answers differ from the file
  const knownComments = args.import.comments ?? noCommentCounts
  const comments = addCommentCounts(addCommentCounts(knownComments, batch.comments.counts), stored.comments.counts)
  const room = Math.max(0, maxImportFaults - known.invalid - known.kept - knownComments.invalid)
  const ofAnswers = [...batch.answers.faults, ...stored.answers.faults]
  const ofComments = [...batch.comments.faults, ...stored.comments.faults]
  const unstored = partReport([...ofAnswers, ...ofComments], faults).slice(0, room)
  if (faults.length + unstored.length > 0) await report(db, job, args.import_id, [...faults, ...unstored])
  const later = withLaterColumns(args.import.later_columns, batch.later)
  const counts = {
    rows: args.import.rows + batch.rows,
    created: args.import.created + stored.created,
    updated: args.import.updated + stored.updated,
    failed: args.import.failed + faults.length,
    ...(later.length > 0 && { later_columns: [...later] }),
    ...(args.mapping.annotators?.length && { answers }),
    ...(hasComments(comments) && { comments }),
  }
  return { counts, failed: counts.failed > maxImportFaults ? message('tooManyFaults', { limit: maxImportFaults }) : null }
}
