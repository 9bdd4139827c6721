import { unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { type AdoptedComment, adoptComments } from '#features/comments/public.ts'
import { adoptGold, type StoredGold } from '#features/gold/public.ts'
import { datasetScope, type ScopeDataset, skipSeqs } from '#features/records/public.ts'
import { adoptView } from '#features/saved-views/public.ts'
import { questionRows } from '#features/schema/public.ts'
import { adoptVersions } from '#features/schema-versions/public.ts'
import { adoptSnapshots } from '#features/snapshots/public.ts'
import { adoptTestPeople, adoptTests, type StoredTest } from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import type { CopiedRow } from './source/copied-shapes.ts'

/** Rows of one kind, for example comments. User IDs in these rows are the users' IDs on this server. */
export type CopiedRows = { readonly [P in keyof CopiedRow]: { readonly part: P; readonly rows: readonly CopiedRow[P][] } }[
  | 'review'
  | 'versions'
  | 'seen_versions'
  | 'gold'
  | 'comments'
  | 'test_items'
  | 'test_people'
  | 'history'
  | 'snapshots']

/** A part that was left out, with the reason. `record_id`: null if it belongs to no record. */
export type RowLeftOut = { readonly record_id: string | null; readonly part: string; readonly reason: string }

/** Locks the records that exist on this server until the command ends. Returns their `seq`s by ID. */
const lockedSeqs = async (db: Db, no: number, ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  if (ids.length === 0) return new Map()
  const found = db.sql
    .selectFrom('records')
    .select(['id', 'seq'])
    .where('dataset_no', '=', no)
    .where('id', 'in', [...new Set(ids)])
    .orderBy('seq')
  return new Map((await db.dialect.forUpdate(found).execute()).map(({ id, seq }) => [id, seq]))
}

type OnRecord = { readonly seq: number; readonly record_id: string }

/** Returns the rows whose records exist on this server. Each row gets the `seq` that its record has on this server. */
const placed = async <T extends OnRecord>(db: Db, no: number, rows: readonly T[]): Promise<readonly T[]> => {
  const seqs = await lockedSeqs(
    db,
    no,
    rows.map(({ record_id }) => record_id),
  )
  return rows.flatMap((row) => {
    const seq = seqs.get(row.record_id)
    return seq === undefined ? [] : [{ ...row, seq }]
  })
}

/**
 * Returns the rules for test items with the view's ID on this server. If the view can't be copied, the rules are null. Without
 * the view, test items would be chosen from all records.
 */
const checksHere = async (
  db: Db,
  no: number,
  { review: { checks }, view }: CopiedRow['review'],
): Promise<{ readonly checks: CopiedRow['review']['review']['checks']; readonly reason: string | null }> => {
  if (checks?.view_id == null) return { checks, reason: null }
  const { id, reason } =
    view == null ? { id: null, reason: 'it does not exist on the source server' } : await adoptView(db, no, view)
  if (id !== null) return { checks: { ...checks, view_id: id }, reason: null }
  return { checks: null, reason: `the view that selects them could not be copied: ${reason}` }
}

const adoptReview = async (
  db: Db,
  dataset: ScopeDataset,
  [row]: readonly CopiedRow['review'][],
): Promise<readonly RowLeftOut[]> => {
  if (row === undefined) return []
  const { checks, reason } = await checksHere(db, dataset.no, row)
  const review = { ...row.review, ...(checks !== undefined && { checks }) }
  if (!jsonEquals(dataset.review, review))
    await db.sql
      .updateTable('datasets')
      .set({ review: json(review) })
      .where('id', '=', dataset.id)
      .execute()
  return reason === null ? [] : [{ record_id: null, part: 'the settings of test items', reason }]
}

const adoptSeenVersions = (db: Db, no: number, rows: readonly CopiedRow['seen_versions'][]): Promise<void> =>
  db.dialect.insertMany(
    db.sql,
    'seen_versions',
    rows.map((row) => ({ ...row, dataset_no: no })),
    { ignoreConflicts: true },
  )

/** The IDs of records here, by `seq`. */
const idsBySeq = async (db: Db, no: number, seqs: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  if (seqs.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('records')
    .select(['id', 'seq'])
    .where('dataset_no', '=', no)
    .where('seq', 'in', db.dialect.listed([...new Set(seqs)]))
    .execute()
  return new Map(rows.map(({ id, seq }) => [seq, id]))
}

/**
 * Returns the ID of the record to which a change belongs. If the row doesn't contain this ID, the earlier version of the answer
 * or final answers does.
 */
const recordOf = ({ record_id, subject, subject_id, image }: CopiedRow['history']): unknown =>
  record_id ?? (subject === 'record' ? subject_id : image['record_id'])

/**
 * Stores earlier versions with their times. Changes to deleted records keep their `seq`, unless another record has this `seq` on
 * this server.
 */
const adoptHistory = async (db: Db, dataset: ScopeDataset, rows: readonly CopiedRow['history'][]): Promise<void> => {
  const { no } = dataset
  const seqs = await lockedSeqs(
    db,
    no,
    rows.flatMap(({ record_id }) => record_id ?? []),
  )
  const deleted = rows.filter(({ record_id }) => record_id === null)
  const present = await idsBySeq(
    db,
    no,
    deleted.map(({ seq }) => seq),
  )
  const questionNos = new Map((await questionRows(db, dataset.id)).map((question) => [question.id, question.no]))
  const seqOf = (row: CopiedRow['history']): number | undefined => {
    if (row.record_id !== null) return seqs.get(row.record_id)
    const other = present.get(row.seq)
    if (other === undefined) return row.seq
    // If the record was deleted on the other server after it was copied, this server keeps it and leaves out the history row of
    // the deletion.
    return other === recordOf(row) && !(row.subject === 'record' && row.action === 'delete') ? row.seq : undefined
  }
  const changes = rows.flatMap((row) => {
    const { record_id: _, image, ...change } = row
    const seq = seqOf(row)
    if (seq === undefined) return []
    const { question_id, ...suggestion } = image
    const stored =
      change.subject === 'suggestion' ? { ...suggestion, question_no: questionNos.get(String(question_id)) ?? null } : image
    return [{ ...change, dataset_no: no, seq, image: json(stored) }]
  })
  await db.dialect.insertMany(db.sql, 'history', changes, { ignoreConflicts: true })
  await skipSeqs(db, no, Math.max(0, ...deleted.map(({ seq }) => seq)))
}

type AdoptArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly copied: CopiedRows
  /** Whether the dataset existed here before this run. */
  readonly isKnown: boolean
}

// The rows have the same structure as the tables. The contract's schemas validated the values before the other server stored
// them.
const goldOf = ({ seq, ...gold }: CopiedRow['gold']) => ({ seq, gold: gold satisfies StoredGold })
const testOf = ({ seq, ...test }: CopiedRow['test_items']) => ({ seq, test: test as StoredTest })

/**
 * Stores rows of another server. Rows that are stored here in the same or in a newer version stay unchanged.
 * @returns what was left out
 * @throws Problem not_found, unprocessable
 */
export const adoptRows = command(
  'transfer.adopt-rows',
  async (db, { user, dataset_id, copied, isKnown }: AdoptArgs): Promise<readonly RowLeftOut[]> => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: true })
    const { no } = dataset
    switch (copied.part) {
      case 'review':
        return adoptReview(db, dataset, copied.rows)
      case 'versions': {
        const left = await adoptVersions(db, no, copied.rows, isKnown)
        const reason = 'the labels or guidelines were also changed here'
        return left.map((version) => ({ record_id: null, part: `version ${version} of the labels and guidelines`, reason }))
      }
      case 'seen_versions':
        await adoptSeenVersions(db, no, copied.rows)
        return []
      case 'gold':
        await adoptGold(db, no, (await placed(db, no, copied.rows)).map(goldOf), user.id)
        return []
      case 'comments':
        await adoptComments(db, no, (await placed(db, no, copied.rows)) satisfies readonly AdoptedComment[])
        return []
      case 'test_items':
        await adoptTests(db, no, (await placed(db, no, copied.rows)).map(testOf))
        return []
      case 'test_people':
        await adoptTestPeople(db, no, copied.rows)
        return []
      case 'history':
        await adoptHistory(db, dataset, copied.rows)
        return []
      case 'snapshots': {
        const left = await adoptSnapshots(db, no, copied.rows)
        return left.map(({ name, reason }) => ({ record_id: null, part: `the snapshot '${name}'`, reason }))
      }
      default:
        throw unprocessable('unknown part')
    }
  },
)

type SeqsArgs = { readonly dataset_id: string; readonly records: readonly CopiedRow['records'][] }

/** Whether all these records exist here with the same `seq`s. */
export const hasSeqs = query('transfer.has-seqs', async (db, { dataset_id, records }: SeqsArgs): Promise<boolean> => {
  const dataset = await db.sql.selectFrom('datasets').select('no').where('id', '=', dataset_id).executeTakeFirst()
  const ids = await idsBySeq(
    db,
    dataset?.no ?? -1,
    records.map(({ seq }) => seq),
  )
  return records.every(({ seq, id }) => ids.get(seq) === id)
})

/** Counts the records with a smaller `seq`. */
export const countBefore = query(
  'transfer.count-before',
  async (db, { dataset_id, seq }: { readonly dataset_id: string; readonly seq: number }): Promise<number> => {
    const dataset = await db.sql.selectFrom('datasets').select('no').where('id', '=', dataset_id).executeTakeFirst()
    const { n } = await db.sql
      .selectFrom('records')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('dataset_no', '=', dataset?.no ?? -1)
      .where('seq', '<', seq)
      .executeTakeFirstOrThrow()
    return Number(n)
  },
)
