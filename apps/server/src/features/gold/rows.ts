import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { GoldReason, GoldSource } from '@postil/contract/gold.ts'
import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'

/** The final answer to one question, as it is stored. */
export type StoredGoldAnswer = {
  readonly value: AnswerValue
  readonly source: GoldSource
  readonly reason: GoldReason | null
  readonly note: string | null
  readonly by: string
  readonly at: Micros
}

export type StoredGold = {
  readonly record_id: string
  /** By question name. */
  readonly values: { readonly [question: string]: StoredGoldAnswer }
  readonly final: boolean
  readonly stale: boolean
  /** The submitted answers that the reviewer has seen, as `id:version` pairs separated by spaces. */
  readonly basis: string
  readonly version: number
  readonly last_mutation_id: string | null
  readonly user_id: string
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

const goldColumns = [
  'record_id',
  'values',
  'final',
  'stale',
  'basis',
  'version',
  'last_mutation_id',
  'user_id',
  'inserted_at',
  'updated_at',
] as const

/** The final answers of records, by `seq`. Records without any are left out. */
export const goldOfRecords = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, StoredGold>> => {
  if (seqs.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('gold')
    .select(['seq', ...goldColumns])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .execute()
  // The contract's schema validated the values before they were stored.
  return new Map(rows.map(({ seq, ...gold }) => [seq, gold as unknown as StoredGold]))
}
