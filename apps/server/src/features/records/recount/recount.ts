import { compareGold } from '#features/gold/public.ts'
import { isTextIndexed, unfilledProperties } from '#features/jobs/public.ts'
import type { Difference } from '#features/responses/public.ts'
import { recordTokens } from '#field-types/record-tokens.ts'
import type { Db } from '#platform/db/db.ts'
import { forEachSeq } from '#platform/db/keys/seq-list.ts'
import { query } from '#platform/db/operations.ts'
import { blockOf } from '../rows/record-rows.ts'
import { loadSchema, type Schema } from '../schema.ts'
import { compareAssignments } from './recount-assignments.ts'
import { addTo, type Counts, compareChunk, compareCounts, type Report } from './recount-rows.ts'

const RECORDS_PER_BATCH = 500

/** The largest possible `seq`, limited by the embedded database's text index. */
const MAX_SEQ = 2 ** 40 - 1

type Dataset = { readonly id: string; readonly no: number }

const nextRecords = (db: Db, { no }: Dataset, after: number) =>
  db.sql
    .selectFrom('records')
    .select(['seq', 'fields', 'metadata'])
    .where('dataset_no', '=', no)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(RECORDS_PER_BATCH)
    .execute()

const compareTokens = async (db: Db, report: Report, datasetNo: number, tokens: Counts | null): Promise<void> => {
  if (tokens === null) return
  const stored = await db.sql.selectFrom('dataset_tokens').select(['token', 'df']).where('dataset_no', '=', datasetNo).execute()
  compareCounts(report, 'dataset_tokens', new Map(stored.map(({ token, df }) => [token, df])), tokens)
}

const compareTotals = async (
  db: Db,
  report: Report,
  { no }: Dataset,
  { blocks, tokens, last }: { readonly blocks: Counts; readonly tokens: Counts | null; readonly last: number },
): Promise<void> => {
  const storedBlocks = await db.sql.selectFrom('record_blocks').select(['block', 'n']).where('dataset_no', '=', no).execute()
  // A block keeps its row after all its records are deleted.
  const filled = storedBlocks.filter(({ n }) => n !== 0)
  compareCounts(report, 'record_blocks', new Map(filled.map(({ block, n }) => [String(block), n])), blocks)
  await compareTokens(db, report, no, tokens)
  const state = await db.sql.selectFrom('dataset_state').select('next_seq').where('dataset_no', '=', no).executeTakeFirst()
  const next = state?.next_seq ?? 0
  if (next <= last) report({ what: 'dataset_state', key: 'next_seq', stored: next, counted: last + 1 })
}

/**
 * Returns the `seq` below which the text index contains all records. Null during a rebuild, when the index is incomplete and not
 * used.
 */
const textIndexEnd = async (db: Db, { no }: Dataset): Promise<number | null> => {
  const state = await db.sql
    .selectFrom('dataset_state')
    .select(['text_version', 'text_rebuilt_to', 'text_due_from'])
    .where('dataset_no', '=', no)
    .executeTakeFirst()
  return state !== undefined && isTextIndexed(state) ? (state.text_due_from ?? Number.MAX_SAFE_INTEGER) : null
}

type Texts = {
  readonly dataset: Dataset
  readonly schema: Schema
  readonly after: number
  readonly last: number
  readonly records: Awaited<ReturnType<typeof nextRecords>>
}

/**
 * Checks the text index against some records. Also adds the records' tokens to `tokens`, the expected token counts of the
 * dataset.
 */
const compareTexts = async (
  db: Db,
  report: Report,
  tokens: Counts,
  { dataset, schema, after, last, records }: Texts,
): Promise<void> => {
  const counted: Counts = new Map()
  for (const { seq, fields } of records) {
    const found = recordTokens(schema.fields, fields).flatMap((field) => field.tokens)
    for (const token of new Set(found)) addTo(tokens, token)
    if (found.length > 0) addTo(counted, `record number ${seq}`)
  }
  const stored: Counts = new Map()
  const end = Math.min(last, MAX_SEQ)
  forEachSeq(await db.dialect.text.listed(db.sql, dataset.no, after + 1, end), (seq) => addTo(stored, `record number ${seq}`))
  compareCounts(report, 'record_text', stored, counted)
}

const recountDataset = async (db: Db, dataset: Dataset, report: Report): Promise<void> => {
  const schema = await loadSchema(db, dataset.id)
  const unfilled = await unfilledProperties(db, dataset.no)
  const indexed = new Set([...schema.questions, ...schema.properties].map(({ no }) => no).filter((no) => !unfilled.has(no)))
  const blocks: Counts = new Map()
  const textEnd = await textIndexEnd(db, dataset)
  const tokens: Counts | null = textEnd === null ? null : new Map()
  let after = -1
  for (;;) {
    const records = await nextRecords(db, dataset, after)
    const last = records.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER
    await compareChunk(db, report, { dataset, schema, indexed, after, last, records })
    for (const { seq } of records) addTo(blocks, String(blockOf(seq)))
    if (tokens !== null) {
      const indexed = records.filter(({ seq }) => seq < (textEnd ?? 0))
      await compareTexts(db, report, tokens, { dataset, schema, after, last, records: indexed })
    }
    if (records.length === 0) break
    after = last
  }
  await compareTotals(db, report, dataset, { blocks, tokens, last: after })
  await compareAssignments(db, report, dataset.no)
  await compareGold(db, report, dataset.no)
}

/**
 * Recounts the data that is normally updated with each change (index rows, blocks, tokens). Reads all records, suggestions,
 * vectors and final answers. Without `dataset_no`, reads every dataset that isn't being deleted. Doesn't recount data that
 * depends on answers, because `responses.recount` does so.
 * @returns the differences; none unless the database is damaged
 */
export const recountRecords = query(
  'records.recount',
  async (db, { dataset_no }: { readonly dataset_no?: number }): Promise<readonly Difference[]> => {
    let datasets = db.sql.selectFrom('datasets').select(['id', 'no']).where('gone_at', 'is', null)
    if (dataset_no !== undefined) datasets = datasets.where('no', '=', dataset_no)
    const differences: Difference[] = []
    for (const dataset of await datasets.orderBy('no').execute()) {
      await recountDataset(db, dataset, (found) => differences.push({ dataset_no: dataset.no, ...found }))
    }
    return differences
  },
)
