import { currentAnswerValue } from '@postil/contract/question-types/index.ts'
import { withLabels } from '@postil/contract/question-types/with-labels.ts'
import { questionRowsAt } from '#features/schema/public.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'
import { storeGoldImages } from './changes.ts'
import type { StoredGold } from './rows.ts'

/** A change to a record's final answers. `before` is null if the record had none. */
export type GoldChange = {
  readonly seq: number
  readonly record_id: string
  readonly before: StoredGold | null
  readonly values: StoredGold['values']
  readonly final: boolean
  /** See `StoredGold`. */
  readonly basis: string
}

type Author = {
  readonly actor: string
  /** The request or job that makes the change. */
  readonly mutationId: string
  readonly at: Micros
}

const storedRow = ({ record_id, before, values, final, basis }: GoldChange, { actor, mutationId, at }: Author): StoredGold => ({
  record_id,
  values,
  final,
  stale: false,
  basis,
  version: (before?.version ?? 0) + 1,
  last_mutation_id: mutationId,
  user_id: actor,
  inserted_at: before?.inserted_at ?? at,
  updated_at: at,
})

/** Removes records from the index of the review queue, or adds them again. */
const markAgreements = async (db: Db, datasetNo: number, seqs: readonly number[], reviewed: boolean): Promise<void> => {
  if (seqs.length === 0) return
  await db.sql
    .updateTable('agreement_numbers')
    .set({ reviewed })
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .where('reviewed', '!=', reviewed)
    .execute()
}

/** Removes the final answers and the review leases of records. */
export const removeRows = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<void> => {
  if (seqs.length === 0) return
  for (const table of ['gold', 'review_leases'] as const) {
    await db.sql.deleteFrom(table).where('dataset_no', '=', datasetNo).where('seq', 'in', db.dialect.listed(seqs)).execute()
  }
}

/** Inserts final answers of records that have none. */
export const insertGold = async (
  db: Db,
  datasetNo: number,
  rows: readonly { readonly seq: number; readonly gold: StoredGold }[],
): Promise<void> => {
  if (rows.length === 0) return
  await db.dialect.insertMany(
    db.sql,
    'gold',
    rows.map(({ seq, gold }) => ({
      dataset_no: datasetNo,
      seq,
      ...gold,
      values: json(gold.values as unknown as { [question: string]: unknown }),
      answered: Object.keys(gold.values).length,
    })),
  )
  for (const isFinal of [true, false])
    await markAgreements(
      db,
      datasetNo,
      rows.flatMap(({ seq, gold }) => (gold.final === isFinal ? [seq] : [])),
      isFinal,
    )
}

/**
 * The only writer of final answers, except for `relabelGold` and `adoptGold`. Replaces renamed and merged labels with the current
 * ones. Each change raises the version by one and saves the previous version. Each change also removes the record's review
 * leases, so that other reviewers can reserve the record. The caller locks the records and validates the values.
 * @returns the stored rows, in the order of the changes
 */
export const writeGold = async (
  db: Db,
  datasetNo: number,
  changes: readonly GoldChange[],
  author: Author,
): Promise<readonly StoredGold[]> => {
  if (changes.length === 0) return []
  const questions = await questionRowsAt(db, datasetNo)
  const stored = changes.map((change) => {
    const values = withLabels(change.values, questions, currentAnswerValue)
    return { seq: change.seq, gold: storedRow({ ...change, values }, author) }
  })
  await storeGoldImages(
    db,
    changes.flatMap(({ seq, before }) => (before === null ? [] : [{ datasetNo, seq, gold: before }])),
    { action: 'update', actor: author.actor },
  )
  await removeRows(
    db,
    datasetNo,
    changes.map(({ seq }) => seq),
  )
  await insertGold(db, datasetNo, stored)
  return stored.map(({ gold }) => gold)
}

/** The submitted answers on which final answers are based, as `basis` stores them. */
export const basisOf = (answers: readonly { readonly id: string; readonly version: number }[]): string =>
  answers
    .map(({ id, version }) => `${id}:${version}`)
    .sort()
    .join(' ')
