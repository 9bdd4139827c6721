import type { Db } from '#platform/db/db.ts'
import { heldDataset } from '#platform/db/keys/held-dataset.ts'
import { command, query } from '#platform/db/operations.ts'
import { enqueueJob, jobKind, startStepTimer } from '#platform/jobs/kinds.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'
import { TOKENIZER_VERSION } from '#platform/text/tokens.ts'
import { fieldsOf, indexNext } from './index-records.ts'
import { purgeTokens } from './purge-dataset.ts'

type TextState = { readonly text_version: number; readonly text_rebuilt_to: number | null }

/** Whether the text index can be used: it must be complete and built with this program's tokenizer. */
export const isTextIndexed = ({ text_version, text_rebuilt_to }: TextState): boolean =>
  text_version === TOKENIZER_VERSION && text_rebuilt_to === null

const stateOf = (db: Db, datasetNo: number) =>
  db.sql.selectFrom('dataset_state').select(['text_version', 'text_rebuilt_to', 'next_seq']).where('dataset_no', '=', datasetNo)

/** Marks the index as empty, and invalidates cached search results. */
const empty = (db: Db) =>
  db.sql.updateTable('dataset_state').set((eb) => ({
    text_version: TOKENIZER_VERSION,
    text_rebuilt_to: 0,
    text_due_from: null,
    content_version: eb('content_version', '+', 1),
  }))

const enqueueMissing = async (db: Db, datasetNos: readonly number[]): Promise<void> => {
  const live = await db.sql
    .selectFrom('jobs')
    .select('dataset_no')
    .where('state', 'in', UNFINISHED)
    .where('kind', '=', rebuildText.kind)
    .execute()
  const underway = new Set(live.map(({ dataset_no }) => dataset_no))
  for (const no of datasetNos) if (!underway.has(no)) await enqueueJob(db, rebuildText, { dataset_no: no })
}

/**
 * Starts rebuilding a dataset's text index in the background, from the first record. Searches stay exact during the rebuild.
 */
export const beginTextRebuild = async (db: Db, datasetNo: number): Promise<void> => {
  await empty(db).where('dataset_no', '=', datasetNo).execute()
  await enqueueMissing(db, [datasetNo])
}

/** Deletes the previous token counts. @returns false if the time ran out first */
const clearTokens = async (db: Db, datasetNo: number): Promise<boolean> => {
  const hasTime = startStepTimer()
  while (hasTime()) if ((await purgeTokens(db, datasetNo)) === 0) return true
  return false
}

/** The last `seq` to index, usually `nextSeq - 1`. A damaged store can have later records, which must be indexed too. */
const endOf = async (db: Db, datasetNo: number, nextSeq: number): Promise<number> => {
  const { last } = await db.sql
    .selectFrom('records')
    .select((eb) => eb.fn.max<number | null>('seq').as('last'))
    .where('dataset_no', '=', datasetNo)
    .executeTakeFirstOrThrow()
  return Math.max(nextSeq - 1, last ?? 0)
}

const complete = (db: Db, datasetNo: number) =>
  db.sql
    .updateTable('dataset_state')
    .set((eb) => ({ text_rebuilt_to: null, content_version: eb('content_version', '+', 1) }))
    .where('dataset_no', '=', datasetNo)
    .execute()

/**
 * Rebuilds a dataset's text index in record order. Progress is stored in `dataset_state`, in the same transaction as the index,
 * so a second job for the same dataset continues from there.
 */
export const rebuildText = jobKind('text.rebuild', async (db, { dataset_no }) => {
  if (dataset_no === null) throw new Error('a text index rebuild requires a dataset')
  const dataset = await heldDataset(db, dataset_no)
  if (dataset === undefined) return { finished: true }
  const state = await db.dialect.forUpdate(stateOf(db, dataset_no)).executeTakeFirstOrThrow()
  if (isTextIndexed(state)) return { finished: true }
  if (state.text_version !== TOKENIZER_VERSION) await empty(db).where('dataset_no', '=', dataset_no).execute()
  let to = state.text_version === TOKENIZER_VERSION ? (state.text_rebuilt_to ?? 0) : 0
  const end = await endOf(db, dataset_no, state.next_seq)
  if (to === 0 && !(await clearTokens(db, dataset_no))) return { finished: false, done: 0, total: end }
  const fields = await fieldsOf(db, dataset.id)
  const hasTime = startStepTimer()
  while (to < end && hasTime()) to = await indexNext(db, dataset_no, fields, { after: to, end })
  if (to >= end) {
    await complete(db, dataset_no)
    return { finished: true, done: end, total: end }
  }
  await db.sql.updateTable('dataset_state').set({ text_rebuilt_to: to }).where('dataset_no', '=', dataset_no).execute()
  return { finished: false, done: to, total: end }
})

/** Datasets whose index is incomplete or was built with another tokenizer. */
export const unfinishedTexts = query('text.unfinished', async (db, _: object): Promise<readonly number[]> => {
  const rows = await db.sql
    .selectFrom('dataset_state')
    .innerJoin('datasets', 'datasets.no', 'dataset_state.dataset_no')
    .select('dataset_no')
    .where((eb) => eb.or([eb('text_rebuilt_to', 'is not', null), eb('text_version', '!=', TOKENIZER_VERSION)]))
    .where('gone_at', 'is', null)
    .orderBy('dataset_no')
    .execute()
  return rows.map(({ dataset_no }) => dataset_no)
})

/** Resumes an incomplete rebuild, or restarts it if the index was built with another tokenizer. */
export const resumeTextRebuild = command('text.resume-rebuild', async (db, { no }: { no: number }): Promise<void> => {
  await empty(db).where('dataset_no', '=', no).where('text_version', '!=', TOKENIZER_VERSION).execute()
  await enqueueMissing(db, [no])
})
