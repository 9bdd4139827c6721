import { recordTokens, type SearchableField } from '#field-types/record-tokens.ts'
import type { Db } from '#platform/db/db.ts'
import type { TextChange } from '#platform/db/text/text-index.ts'

/** Limits of an indexing batch: number of `seq`s, and number of tokens in the records. */
const SEQS_PER_BATCH = 20
const TOKENS_PER_BATCH = 2000

export const fieldsOf = (db: Db, datasetId: string): Promise<readonly SearchableField[]> =>
  db.sql
    .selectFrom('fields')
    .select(['name', 'settings'])
    .select((eb) => eb.selectFrom('datasets').select('ignores_accents').where('id', '=', datasetId).as('ignores_accents'))
    .where('dataset_id', '=', datasetId)
    .orderBy('no')
    // Settings were validated by the schema of their type when they were stored.
    .$castTo<SearchableField>()
    .execute()

/** Indexes some records after a `seq`. @returns the `seq` up to which the index is now correct */
export const indexNext = async (
  db: Db,
  datasetNo: number,
  fields: readonly SearchableField[],
  { after, end }: { readonly after: number; readonly end: number },
): Promise<number> => {
  let last = Math.min(end, after + SEQS_PER_BATCH)
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
    if (tokens > TOKENS_PER_BATCH) {
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
