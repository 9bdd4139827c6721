import type { Db } from '#platform/db/db.ts'
import { CATCH_UP, command } from '#platform/db/operations.ts'
import { TextDue } from '#platform/db/text/text-due.ts'
import type { TextChange, TokenCount } from '#platform/db/text/text-index.ts'
import { TOKENIZER_VERSION } from '#platform/text/tokens.ts'
import { fieldsOf, indexNext } from './index-records.ts'
import { beginTextRebuild, isTextIndexed } from './rebuild-text.ts'

const stateOf = (db: Db, datasetNo: number) =>
  db.sql
    .selectFrom('dataset_state')
    .select(['text_version', 'text_rebuilt_to', 'text_due_from', 'next_seq'])
    .where('dataset_no', '=', datasetNo)
    .executeTakeFirstOrThrow()

const markDue = async (db: Db, datasetNo: number, from: number | null): Promise<void> => {
  await db.sql.updateTable('dataset_state').set({ text_due_from: from }).where('dataset_no', '=', datasetNo).execute()
}

/** Indexes deferred texts from the stored records. */
const indexDue = async (db: Db, datasetNo: number): Promise<void> => {
  const state = await stateOf(db, datasetNo)
  if (state.text_due_from === null) return
  await markDue(db, datasetNo, null)
  const dataset = await db.sql
    .selectFrom('datasets')
    .select('id')
    .where('no', '=', datasetNo)
    .where('gone_at', 'is', null)
    .executeTakeFirst()
  // A pending rebuild of the index includes these records
  if (dataset === undefined || !isTextIndexed(state)) return
  const fields = await fieldsOf(db, dataset.id)
  const end = state.next_seq - 1
  let after = state.text_due_from - 1
  while (after < end) after = await indexNext(db, datasetNo, fields, { after, end })
}

/** Indexes the deferred texts of every dataset. */
export const catchUp = command(CATCH_UP, async (db, _: object): Promise<void> => {
  const due = await db.sql.selectFrom('dataset_state').select('dataset_no').where('text_due_from', 'is not', null).execute()
  for (const { dataset_no } of due) await indexDue(db, dataset_no)
})

/**
 * Indexes changes to the texts of records. During a rebuild, skips records that the rebuild hasn't reached, because the rebuild
 * will index them later. The caller must hold the lock on the `dataset_state` row, through `allocateSeqs` or `contentChanged`.
 * The rebuild waits for the same lock.
 * @throws TextDue when deferred texts must be indexed first
 */
export const indexText = async (
  db: Db,
  datasetNo: number,
  changes: readonly TextChange[],
  counts?: readonly TokenCount[] | undefined,
): Promise<void> => {
  if (changes.length === 0) return
  const { text_version, text_rebuilt_to, text_due_from } = await stateOf(db, datasetNo)
  // Occurs when a process of another version uses the same database
  if (text_version !== TOKENIZER_VERSION) return beginTextRebuild(db, datasetNo)
  // Deferred texts are indexed from the stored records. They must therefore be indexed before the records change.
  if (text_due_from !== null) throw new TextDue()
  const changesToIndex = text_rebuilt_to === null ? changes : changes.filter(({ seq }) => seq <= text_rebuilt_to)
  await db.dialect.text.index(db.sql, datasetNo, changesToIndex, changesToIndex.length === changes.length ? counts : undefined)
}

export type ChangedTexts = { readonly changes: readonly TextChange[]; readonly counts: readonly TokenCount[] | undefined }

/**
 * Defers the indexing of new records until after the command. The records must be the last ones of their dataset. Until they
 * are indexed, text searches wait. A command may defer only once and must not index other texts afterwards.
 * @returns false when the texts must be indexed immediately
 */
const deferTexts = async (db: Db, datasetNo: number, from: number, texts: () => Promise<ChangedTexts>): Promise<boolean> => {
  const state = await stateOf(db, datasetNo)
  const work = async () => {
    const { text_due_from } = await stateOf(db, datasetNo)
    // Another process may have indexed them already
    if (text_due_from !== from) return
    await markDue(db, datasetNo, null)
    const { changes, counts } = await texts()
    await db.dialect.text.index(db.sql, datasetNo, changes, counts)
  }
  if (!isTextIndexed(state) || state.text_due_from !== null || !(await db.dialect.defer(work))) return false
  await markDue(db, datasetNo, from)
  return true
}

/**
 * Indexes the changes from a bulk write. The caller must hold the lock on the `dataset_state` row.
 * @param from the first `seq` if all records are new; otherwise null
 * @param texts computes the texts to index, when needed
 * @throws TextDue as `indexText` does
 */
export const indexTexts = async (
  db: Db,
  datasetNo: number,
  from: number | null,
  texts: () => Promise<ChangedTexts>,
): Promise<void> => {
  if (from !== null && (await deferTexts(db, datasetNo, from, texts))) return
  const { changes, counts } = await texts()
  await indexText(db, datasetNo, changes, counts)
}
