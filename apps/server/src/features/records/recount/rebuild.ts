import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { SuggestionScore } from '@postil/contract/suggestions.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { metadataIndexRows, suggestionIndexRows } from '#question-types/index-rows.ts'
import { Derived } from '../rows/derived.ts'
import { BLOCK } from '../rows/record-rows.ts'
import type { Schema } from '../schema.ts'

/** Records with `after` < `seq` ≤ `last`. Index rows in this range that don't belong to a record are dropped. */
type RecordRange = { readonly after: number; readonly last: number }

const addMetadata = async (
  db: Db,
  derived: Derived,
  datasetNo: number,
  { properties }: Schema,
  { after, last }: RecordRange,
): Promise<ReadonlySet<number>> => {
  const records = await db.sql
    .selectFrom('records')
    .select(['seq', 'metadata'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .execute()
  for (const { seq, metadata } of records) {
    for (const property of properties) {
      if (metadata === null || !Object.hasOwn(metadata, property.name)) continue
      derived.add(seq, metadataIndexRows(property, metadata[property.name] as JsonValue))
    }
  }
  return new Set(records.map(({ seq }) => seq))
}

const addSuggestions = async (
  db: Db,
  derived: Derived,
  datasetNo: number,
  { questions }: Schema,
  { after, last, seqs }: RecordRange & { readonly seqs: ReadonlySet<number> },
): Promise<void> => {
  const byNo = new Map(questions.map((question) => [question.no, question]))
  const rows = await db.sql
    .selectFrom('suggestions')
    .select(['seq', 'question_no', 'value', 'type', 'agent', 'score'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .execute()
  for (const { seq, question_no, value, type, agent, score } of rows) {
    const question = byNo.get(question_no)
    if (question === undefined || !seqs.has(seq)) continue
    // Values were validated by the contract's schemas when they were stored.
    const stored = { value: value as AnswerValue, type, agent, score: score as SuggestionScore | null }
    derived.add(seq, suggestionIndexRows(question, stored))
  }
}

/** Rebuilds the metadata and suggestion index rows of some records. The caller must lock the records. */
export const rebuildRecordRows = async (db: Db, datasetNo: number, schema: Schema, range: RecordRange): Promise<void> => {
  for (const table of ['record_terms', 'record_numbers'] as const) {
    await db.sql
      .deleteFrom(table)
      .where('dataset_no', '=', datasetNo)
      .where('seq', '>', range.after)
      .where('seq', '<=', range.last)
      .execute()
  }
  const derived = new Derived(datasetNo)
  const seqs = await addMetadata(db, derived, datasetNo, schema, range)
  await addSuggestions(db, derived, datasetNo, schema, { ...range, seqs })
  await derived.insert(db)
}

/** Recounts every block's records. The caller must block all writers of records. */
export const rebuildBlocks = async (db: Db, datasetNo: number): Promise<void> => {
  await db.sql.deleteFrom('record_blocks').where('dataset_no', '=', datasetNo).execute()
  const block = sql<number>`seq / ${sql.lit(BLOCK)}`
  await db.sql
    .insertInto('record_blocks')
    .columns(['dataset_no', 'block', 'n'])
    .expression((eb) =>
      eb
        .selectFrom('records')
        .select(({ fn }) => ['dataset_no', block.as('block'), fn.countAll<number>().as('n')])
        .where('dataset_no', '=', datasetNo)
        .groupBy(['dataset_no', block]),
    )
    .execute()
}
