import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { ResponseStatus, ResponseValues } from '#platform/db/tables.ts'
import { newDatasetId } from '#platform/ids.ts'
import { type Micros, now } from '#platform/time.ts'

/** A test item, as the database returns it. Before the first answer, the values are empty and the status is null. */
export type StoredTest = {
  readonly id: string
  readonly record_id: string
  readonly user_id: string
  readonly values: ResponseValues
  readonly suggestion_outcomes: SuggestionOutcomes | null
  readonly status: ResponseStatus | null
  readonly active_ms: number | null
  readonly version: number
  readonly last_mutation_id: string | null
  readonly rightness: number | null
  readonly gold_version: number | null
  readonly inserted_at: Micros
  readonly updated_at: Micros
}
/** A test item with an answer. */
export type AnsweredTest = StoredTest & { readonly status: ResponseStatus }

/** The columns of a `StoredTest`. */
export const testColumns = [
  'id',
  'record_id',
  'user_id',
  'values',
  'suggestion_outcomes',
  'status',
  'active_ms',
  'version',
  'last_mutation_id',
  'rightness',
  'gold_version',
  'inserted_at',
  'updated_at',
] as const

export const isAnswered = (test: StoredTest): test is AnsweredTest => test.status !== null

type Place = { readonly dataset_no: number; readonly seqs: unknown }
const selectTests = (db: Db, { dataset_no, seqs }: Place) =>
  db.sql
    .selectFrom('test_items')
    .select(['seq', ...testColumns])
    .where('dataset_no', '=', dataset_no)
    .where('seq', 'in', db.dialect.listedBy(seqs))
    .orderBy('inserted_at')
    .orderBy('id')
const testsIn = prepared((db, place: Place) => selectTests(db, place))
const testsOfUser = prepared((db, place: Place & { readonly userId: string }) =>
  selectTests(db, place).where('user_id', '=', place.userId),
)

/**
 * The test items of records, keyed by `seq`, in the order in which they were answered.
 * @param userId if set, only this person's test items
 */
export const testsOfRecords = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
  userId: string | null,
): Promise<ReadonlyMap<number, readonly StoredTest[]>> => {
  if (seqs.length === 0) return new Map()
  const place = { dataset_no: datasetNo, seqs: db.dialect.listValue(seqs) }
  const rows = await (userId === null ? testsIn(db, place) : testsOfUser(db, { ...place, userId }))
  const found = new Map<number, StoredTest[]>()
  for (const { seq, ...row } of rows) {
    const known = found.get(seq)
    if (known === undefined) found.set(seq, [row])
    else known.push(row)
  }
  return found
}

type TestId = { readonly datasetNo: number; readonly userId: string; readonly id: string }

/** The ID of the record to which a person's answer to a test item belongs; null if the person has no such answer. */
export const recordOfTest = async (db: Db, { datasetNo, userId, id }: TestId): Promise<string | null> => {
  const test = await db.sql
    .selectFrom('test_items')
    .select('record_id')
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('status', 'is not', null)
    .executeTakeFirst()
  return test?.record_id ?? null
}

/**
 * Stores the earlier version of a test answer when the answer is replaced or deleted. Repeated requests, undo and label reverts
 * read this version.
 */
export const storeTestImage = (
  db: Db,
  { datasetNo, seq }: { readonly datasetNo: number; readonly seq: number },
  test: StoredTest,
  {
    action,
    schemaVersion,
  }: {
    readonly action: 'update' | 'delete'
    /** The schema version whose labels replace the labels in the answer. */
    readonly schemaVersion?: number
  },
): Promise<void> =>
  db.dialect.insertMany(db.sql, 'history', [
    {
      dataset_no: datasetNo,
      seq,
      id: newDatasetId(datasetNo),
      subject: 'test' as const,
      subject_id: test.id,
      action,
      user_id: test.user_id,
      at: now(),
      image: json({ ...test, ...(schemaVersion !== undefined && { schema_version: schemaVersion }) }),
    },
  ])

/** Replaces a test item. The caller has locked its record. */
export const replaceTest = async (
  db: Db,
  { datasetNo, seq }: { readonly datasetNo: number; readonly seq: number },
  { id: _, record_id: __, user_id, values, suggestion_outcomes, ...rest }: StoredTest,
): Promise<void> => {
  await db.sql
    .updateTable('test_items')
    .set({ ...rest, values: json(values), suggestion_outcomes: suggestion_outcomes && json(suggestion_outcomes) })
    .where('dataset_no', '=', datasetNo)
    .where('seq', '=', seq)
    .where('user_id', '=', user_id)
    .execute()
}
