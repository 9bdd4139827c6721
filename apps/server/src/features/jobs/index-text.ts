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

/** Indexes the texts that were put off, from what is stored of their records. */
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
  // NOTE: an index that is to be made again comes to these records too
  if (dataset === undefined || !isTextIndexed(state)) return
  const fields = await fieldsOf(db, dataset.id)
  const end = state.next_seq - 1
  let after = state.text_due_from - 1
  while (after < end) after = await indexNext(db, datasetNo, fields, { after, end })
}

/** Indexes in every dataset the texts that were put off. */
export const catchUp = command(CATCH_UP, async (db, _: object): Promise<void> => {
  const due = await db.sql.selectFrom('dataset_state').select('dataset_no').where('text_due_from', 'is not', null).execute()
  for (const { dataset_no } of due) await indexDue(db, dataset_no)
})

/**
 * Indexes what changes of the text of records. While the index is being made again that is only what it has already come to: the
 * rest is met later. The caller holds the row of `dataset_state`, by `allocateSeqs` or `contentChanged`, at which rebuilding queues up too.
 * @throws TextDue when texts that were put off are still to come
 */
export const indexText = async (
  db: Db,
  datasetNo: number,
  changes: readonly TextChange[],
  counts?: readonly TokenCount[] | undefined,
): Promise<void> => {
  if (changes.length === 0) return
  const { text_version, text_rebuilt_to, text_due_from } = await stateOf(db, datasetNo)
  // NOTE: another version is met when a process of another version works on the same database
  if (text_version !== TOKENIZER_VERSION) return beginTextRebuild(db, datasetNo)
  // NOTE: what was put off is made of the records as they are stored, before they change
  if (text_due_from !== null) throw new TextDue()
  const met = text_rebuilt_to === null ? changes : changes.filter(({ seq }) => seq <= text_rebuilt_to)
  await db.dialect.text.index(db.sql, datasetNo, met, met.length === changes.length ? counts : undefined)
}

export type ChangedTexts = { readonly changes: readonly TextChange[]; readonly counts: readonly TokenCount[] | undefined }

/**
 * Indexes the texts of new records, the last ones of their dataset, when the command is answered: a search by words that comes before
 * waits for it. A command does so once, and no other text after it.
 * @returns false where they have to be indexed at once
 */
const putOffTexts = async (db: Db, datasetNo: number, from: number, texts: () => Promise<ChangedTexts>): Promise<boolean> => {
  const state = await stateOf(db, datasetNo)
  const work = async () => {
    const { text_due_from } = await stateOf(db, datasetNo)
    // NOTE: a tool beside the server may have come before
    if (text_due_from !== from) return
    await markDue(db, datasetNo, null)
    const { changes, counts } = await texts()
    await db.dialect.text.index(db.sql, datasetNo, changes, counts)
  }
  if (!isTextIndexed(state) || state.text_due_from !== null || !(await db.dialect.putOff(work))) return false
  await markDue(db, datasetNo, from)
  return true
}

/**
 * Indexes what a bulk changes. The caller holds the row of `dataset_state`.
 * @param from the first one's `seq` where all records are new; otherwise null
 * @param texts what to index, made when it is needed
 * @throws TextDue as `indexText`
 */
export const indexTexts = async (
  db: Db,
  datasetNo: number,
  from: number | null,
  texts: () => Promise<ChangedTexts>,
): Promise<void> => {
  if (from !== null && (await putOffTexts(db, datasetNo, from, texts))) return
  const { changes, counts } = await texts()
  await indexText(db, datasetNo, changes, counts)
}
