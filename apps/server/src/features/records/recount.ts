import { unfilledProperties } from '#features/jobs/service.ts'
import type { Difference } from '#features/responses/service.ts'
import { recordTokens } from '#field-types/record-tokens.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { blockOf } from './record-rows.ts'
import { addTo, type Counts, compareChunk, compareCounts, type Report } from './recount-rows.ts'
import { loadSchema } from './schema.ts'

const RECORDS_AT_ONCE = 500

type Dataset = { readonly id: string; readonly no: number }

const nextRecords = (db: Db, { no }: Dataset, after: number) =>
  db.sql
    .selectFrom('records')
    .select(['seq', 'fields', 'metadata'])
    .where('dataset_no', '=', no)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(RECORDS_AT_ONCE)
    .execute()

const compareTotals = async (
  db: Db,
  report: Report,
  { no }: Dataset,
  { blocks, tokens, last }: { readonly blocks: Counts; readonly tokens: Counts; readonly last: number },
): Promise<void> => {
  const storedBlocks = await db.sql.selectFrom('record_blocks').select(['block', 'n']).where('dataset_no', '=', no).execute()
  // NOTE: a block whose records are all deleted keeps its row
  const filled = storedBlocks.filter(({ n }) => n !== 0)
  compareCounts(report, 'record_blocks', new Map(filled.map(({ block, n }) => [String(block), n])), blocks)
  const storedTokens = await db.sql.selectFrom('dataset_tokens').select(['token', 'df']).where('dataset_no', '=', no).execute()
  compareCounts(report, 'dataset_tokens', new Map(storedTokens.map(({ token, df }) => [token, df])), tokens)
  const state = await db.sql.selectFrom('dataset_state').select('next_seq').where('dataset_no', '=', no).executeTakeFirst()
  const next = state?.next_seq ?? 0
  if (next <= last) report({ what: 'dataset_state', key: 'next_seq', stored: next, counted: last + 1 })
}

const recountDataset = async (db: Db, dataset: Dataset, report: Report): Promise<void> => {
  const schema = await loadSchema(db, dataset.id)
  const unfilled = await unfilledProperties(db, dataset.no)
  const indexed = new Set([...schema.questions, ...schema.properties].map(({ no }) => no).filter((no) => !unfilled.has(no)))
  const blocks: Counts = new Map()
  const tokens: Counts = new Map()
  let after = -1
  for (;;) {
    const records = await nextRecords(db, dataset, after)
    const last = records.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER
    await compareChunk(db, report, { dataset, schema, indexed, after, last, records })
    for (const { seq, fields } of records) {
      addTo(blocks, String(blockOf(seq)))
      const found = recordTokens(schema.fields, fields).flatMap((field) => field.tokens)
      for (const token of new Set(found)) addTo(tokens, token)
    }
    if (records.length === 0) break
    after = last
  }
  await compareTotals(db, report, dataset, { blocks, tokens, last: after })
}

/**
 * Counts from records, suggestions and vectors what is otherwise kept with each change: narrow rows, blocks, tokens. Reads all of them;
 * `dataset_no` left out: of every dataset that is not being deleted. What hangs on answers is recounted by
 * `responses.recount`.
 * @returns what differs; nothing, unless the store is damaged
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
