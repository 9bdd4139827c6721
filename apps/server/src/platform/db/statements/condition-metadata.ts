import { type Condition, type ConditionMetadata, flatRules } from '@postil/contract/conditions.ts'
import type { Db } from '../db.ts'

type Question = { readonly shown_when: Condition | null }

/** Whether the condition of any question refers to metadata. */
export const readsMetadata = (questions: readonly Question[]): boolean =>
  questions.some(({ shown_when }) => shown_when !== null && flatRules(shown_when).some(({ rule }) => 'metadata' in rule))

/** Reads the metadata of records, keyed by `seq`. If no condition refers to metadata, returns null for every record. */
export const metadataForConditions = async (
  db: Db,
  datasetNo: number,
  questions: readonly Question[],
  seqs: readonly number[],
): Promise<(seq: number) => ConditionMetadata> => {
  if (seqs.length === 0 || !readsMetadata(questions)) return () => null
  const rows = await db.sql
    .selectFrom('records')
    .select(['seq', 'metadata'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .execute()
  const found = new Map(rows.map(({ seq, metadata }) => [seq, metadata]))
  return (seq) => found.get(seq) ?? null
}
