import { createHash } from 'node:crypto'
import type { FieldValues } from '@postil/contract/field-values.ts'
import type { StoredGold } from '#features/gold/public.ts'
import type { ScopeDataset } from '#features/records/public.ts'
import { fieldRows, type QuestionRow, questionRows } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import type { Example, PromptRecord, PromptSource } from './prompt.ts'
import type { RunSetup } from './setup.ts'

/** How many reviewed records are considered as examples. */
const MAX_REVIEWED = 2000

const hashOf = (recordId: string): string => createHash('sha256').update(recordId).digest('hex')

/**
 * Whether a record belongs to the half from which examples are taken. The other half stays unseen by prompts, so that it can show
 * how good they are. The halves depend only on the record's ID and so never change.
 */
export const isInDevHalf = (recordId: string): boolean => Number.parseInt(hashOf(recordId).slice(0, 2), 16) < 128

/** Records with final answers to all questions of the run, always in the same order. */
const examplesOf = async (
  db: Db,
  datasetNo: number,
  questions: readonly QuestionRow[],
  count: number,
): Promise<readonly Example[]> => {
  if (count === 0) return []
  const rows = await db.sql
    .selectFrom('gold')
    .select(['seq', 'record_id', 'values'])
    .where('dataset_no', '=', datasetNo)
    .where('final', '=', true)
    .where('stale', '=', false)
    .orderBy('seq')
    .limit(MAX_REVIEWED)
    .execute()
  const complete = rows.flatMap(({ seq, record_id, values }) => {
    const gold = values as unknown as StoredGold['values']
    const isComplete = questions.every(({ name, required }) => !required || gold[name] !== undefined)
    return isComplete && isInDevHalf(record_id) ? [{ seq, record_id, gold, hash: hashOf(record_id) }] : []
  })
  const chosen = complete.sort((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, count)
  const records = new Map(
    (
      await promptRecords(
        db,
        datasetNo,
        chosen.map(({ seq }) => seq),
      )
    ).map((one) => [one.id, one]),
  )
  return chosen.flatMap(({ record_id, gold }) => {
    const fields = records.get(record_id)?.fields
    const values = Object.fromEntries(Object.entries(gold).map(([name, { value }]) => [name, value]))
    return fields === undefined ? [] : [{ record_id, fields, values }]
  })
}

/** What the prompts of a run are made of. Questions that no longer exist are left out. */
export const promptSource = async (
  db: Db,
  dataset: Pick<ScopeDataset, 'id' | 'no'>,
  { questions: names, examples }: RunSetup,
): Promise<PromptSource> => {
  const { guidelines } = await db.sql
    .selectFrom('datasets')
    .select('guidelines')
    .where('id', '=', dataset.id)
    .executeTakeFirstOrThrow()
  const questions = (await questionRows(db, dataset.id)).filter(({ name }) => names.includes(name))
  return {
    guidelines,
    fields: await fieldRows(db, dataset.id),
    questions,
    // One more, because a record is never its own example.
    examples: await examplesOf(db, dataset.no, questions, examples === 0 ? 0 : examples + 1),
  }
}

/** Records in the order of `seqs`, without those that were deleted. */
export const promptRecords = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
): Promise<readonly (PromptRecord & { readonly seq: number })[]> => {
  if (seqs.length === 0) return []
  const rows = await db.sql
    .selectFrom('records')
    .select(['id', 'seq', 'fields'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .orderBy('seq')
    .execute()
  return rows.map(({ id, seq, fields }) => ({ id, seq, fields: fields as FieldValues }))
}
