import { recordTokens, type SearchableField } from '#field-types/record-tokens.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import type { TextChange, TokenCount } from '#platform/db/text/text-index.ts'
import { enqueueJob, jobKind, stepTime } from '#platform/jobs/kinds.ts'
import { TOKENIZER_VERSION } from '#platform/text/tokens.ts'
import { purgeTokens } from './purge-dataset.ts'

/** So many `seq`s, or records of so many tokens, are indexed at once. */
const SEQS_AT_ONCE = 20
const TOKENS_AT_ONCE = 2000

type TextState = { readonly text_version: number; readonly text_rebuilt_to: number | null }

/** Whether the text index can be asked: it is made with this program's tokenizer, and complete. */
export const isTextIndexed = ({ text_version, text_rebuilt_to }: TextState): boolean =>
  text_version === TOKENIZER_VERSION && text_rebuilt_to === null

const stateOf = (db: Db, datasetNo: number) =>
  db.sql.selectFrom('dataset_state').select(['text_version', 'text_rebuilt_to', 'next_seq']).where('dataset_no', '=', datasetNo)

/** From here on the index counts as empty; results that were kept are not handed out any more. */
const empty = (db: Db) =>
  db.sql.updateTable('dataset_state').set((eb) => ({
    text_version: TOKENIZER_VERSION,
    text_rebuilt_to: 0,
    content_version: eb('content_version', '+', 1),
  }))

const enqueueMissing = async (db: Db, datasetNos: readonly number[]): Promise<void> => {
  const live = await db.sql
    .selectFrom('jobs')
    .select('dataset_no')
    .where('state', 'in', ['queued', 'scheduled', 'started'])
    .where('kind', '=', rebuildText.kind)
    .execute()
  const underway = new Set(live.map(({ dataset_no }) => dataset_no))
  for (const no of datasetNos) if (!underway.has(no)) await enqueueJob(db, rebuildText, { dataset_no: no })
}

/** Has the text of a dataset indexed again from its first record on, in the background; searches stay exact meanwhile. */
export const beginTextRebuild = async (db: Db, datasetNo: number): Promise<void> => {
  await empty(db).where('dataset_no', '=', datasetNo).execute()
  await enqueueMissing(db, [datasetNo])
}

/**
 * Indexes what changes of the text of records. While the index is being made again that is only what it has already come to: the
 * rest is met later. The caller holds the row of `dataset_state`, by `allocateSeqs` or `contentChanged`, at which rebuilding queues up too.
 */
export const indexText = async (
  db: Db,
  datasetNo: number,
  changes: readonly TextChange[],
  counts?: readonly TokenCount[] | undefined,
): Promise<void> => {
  if (changes.length === 0) return
  const { text_version, text_rebuilt_to } = await stateOf(db, datasetNo).executeTakeFirstOrThrow()
  // NOTE: another version is met when a process of another version works on the same database
  if (text_version !== TOKENIZER_VERSION) return beginTextRebuild(db, datasetNo)
  const met = text_rebuilt_to === null ? changes : changes.filter(({ seq }) => seq <= text_rebuilt_to)
  await db.dialect.text.index(db.sql, datasetNo, met, met.length === changes.length ? counts : undefined)
}

const fieldsOf = (db: Db, datasetId: string): Promise<readonly SearchableField[]> =>
  db.sql
    .selectFrom('fields')
    .select(['name', 'settings'])
    .where('dataset_id', '=', datasetId)
    .orderBy('no')
    // Settings were made by the schema of their type when they were stored.
    .$castTo<SearchableField>()
    .execute()

/** Indexes some records after a `seq`. @returns the `seq` up to which the index is right now */
const indexNext = async (
  db: Db,
  datasetNo: number,
  fields: readonly SearchableField[],
  { after, end }: { readonly after: number; readonly end: number },
): Promise<number> => {
  let last = Math.min(end, after + SEQS_AT_ONCE)
  const records = await db.sql
    .selectFrom('records')
    .select(['seq', 'fields'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .orderBy('seq')
    .execute()
  const changes: TextChange[] = []
  let tokens = 0
  for (const { seq, fields: values } of records) {
    if (tokens > TOKENS_AT_ONCE) {
      last = seq - 1
      break
    }
    const made = recordTokens(fields, values)
    tokens += made.reduce((sum, field) => sum + field.tokens.length, 0)
    changes.push({ seq, before: null, after: made })
  }
  await db.dialect.text.purge(db.sql, datasetNo, after + 1, last)
  await db.dialect.text.index(db.sql, datasetNo, changes)
  return last
}

/** Drops the counts of tokens that were there before. @returns false when the time was over before the last of them */
const clearTokens = async (db: Db, datasetNo: number, inTime: () => boolean): Promise<boolean> => {
  while (inTime()) if ((await purgeTokens(db, datasetNo)) === 0) return true
  return false
}

/** The last `seq` that a text may be of; a record beyond the next number is there in a damaged store only, and is not left out either. */
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
 * Makes the text index of a dataset again, record by record in their order. How far it came is in `dataset_state`, in the same
 * transaction as what was indexed: a second job of the same dataset goes on where the first one is.
 */
export const rebuildText = jobKind('text.rebuild', async (db, { dataset_no }) => {
  if (dataset_no === null) throw new Error('a text index belongs to a dataset')
  const inTime = stepTime()
  const dataset = await db.dialect
    .forShare(db.sql.selectFrom('datasets').select('id').where('no', '=', dataset_no).where('gone_at', 'is', null))
    .executeTakeFirst()
  if (dataset === undefined) return { finished: true }
  const state = await db.dialect.forUpdate(stateOf(db, dataset_no)).executeTakeFirstOrThrow()
  if (isTextIndexed(state)) return { finished: true }
  if (state.text_version !== TOKENIZER_VERSION) await empty(db).where('dataset_no', '=', dataset_no).execute()
  let to = state.text_version === TOKENIZER_VERSION ? (state.text_rebuilt_to ?? 0) : 0
  const end = await endOf(db, dataset_no, state.next_seq)
  if (to === 0 && !(await clearTokens(db, dataset_no, inTime))) return { finished: false, done: 0, total: end }
  const fields = await fieldsOf(db, dataset.id)
  while (to < end && inTime()) to = await indexNext(db, dataset_no, fields, { after: to, end })
  if (to >= end) {
    await complete(db, dataset_no)
    return { finished: true, done: end, total: end }
  }
  await db.sql.updateTable('dataset_state').set({ text_rebuilt_to: to }).where('dataset_no', '=', dataset_no).execute()
  return { finished: false, done: to, total: end }
})

/** Datasets whose index another tokenizer made, or that is half made. */
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

/** Goes on with what is half made, and begins again with what another tokenizer made. */
export const resumeTextRebuild = command('text.resume-rebuild', async (db, { no }: { no: number }): Promise<void> => {
  await empty(db).where('dataset_no', '=', no).where('text_version', '!=', TOKENIZER_VERSION).execute()
  await enqueueMissing(db, [no])
})
