import { createHash } from 'node:crypto'
import type { FieldValues } from '@postil/contract/field-values.ts'
import type { StoredGold } from '#features/gold/public.ts'
import { fieldBytes, type ScopeDataset } from '#features/records/public.ts'
import { fieldRows, questionRows } from '#features/schema/public.ts'
import { serverFieldType } from '#field-types/registry.ts'
import { batchesOf } from '#platform/db/batches.ts'
import type { Db } from '#platform/db/db.ts'
import type { Example, PromptRecord, PromptSource } from './prompt.ts'
import type { RunSetup } from './setup.ts'

/** The maximum number of reviewed records that are considered as examples. */
const MAX_REVIEWED = 2000

const hashOf = (recordId: string): string => createHash('sha256').update(recordId).digest('hex')

/**
 * Whether a record belongs to the half from which examples are taken. Prompts never contain records of the other half, so results
 * on that half show how good the prompts are. The halves depend only on the record's ID and so never change.
 */
export const isInDevHalf = (recordId: string): boolean => Number.parseInt(hashOf(recordId).slice(0, 2), 16) < 128

/** Removes the images from examples, because prompts don't contain images. */
const withoutImages = (values: FieldValues, fields: PromptSource['fields']): FieldValues => {
  const images = new Set(fields.filter(({ settings }) => serverFieldType(settings).holdsImages).map(({ name }) => name))
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value && images.has(name) ? '' : value]))
}

/** Records with final answers to all questions of the run, always in the same order. */
const examplesOf = async (
  db: Db,
  datasetNo: number,
  { fields: shown, questions, count }: Pick<PromptSource, 'fields' | 'questions'> & { readonly count: number },
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
    const isComplete = questions.every(
      ({ name, required, shown_when }) => !required || shown_when !== null || gold[name] !== undefined,
    )
    return isComplete && isInDevHalf(record_id) ? [{ seq, record_id, gold, hash: hashOf(record_id) }] : []
  })
  const chosen = complete.sort((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, count)
  const fieldsOf = new Map<string, FieldValues>()
  const seqs = chosen.map(({ seq }) => seq)
  for (const batch of await promptBatches(db, datasetNo, seqs))
    for (const { id, fields } of await promptRecords(db, datasetNo, batch)) fieldsOf.set(id, withoutImages(fields, shown))
  return chosen.flatMap(({ record_id, gold }) => {
    const fields = fieldsOf.get(record_id)
    const values = Object.fromEntries(Object.entries(gold).map(([name, { value }]) => [name, value]))
    return fields === undefined ? [] : [{ record_id, fields, values }]
  })
}

/** Returns the content from which the prompts of a run are built. Questions that no longer exist are left out. */
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
  const fields = await fieldRows(db, dataset.id)
  // Loads one more example than a prompt shows, because a record is never used as its own example.
  const count = examples === 0 ? 0 : examples + 1
  return { guidelines, fields, questions, examples: await examplesOf(db, dataset.no, { fields, questions, count }) }
}

/** Splits records into groups that are small enough for one read. */
export const promptBatches = async (db: Db, datasetNo: number, seqs: readonly number[]) =>
  seqs.length === 0 ? [] : batchesOf(seqs, await fieldBytes(db, datasetNo, seqs))

/** Returns the records with these `seq`s, in ascending order of `seq`. Deleted records are left out. */
export const promptRecords = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
): Promise<readonly (PromptRecord & { readonly seq: number })[]> => {
  if (seqs.length === 0) return []
  const rows = await db.sql
    .selectFrom('records')
    .select(['id', 'seq', 'fields', 'metadata'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .orderBy('seq')
    .execute()
  return rows.map(({ id, seq, fields, metadata }) => ({ id, seq, fields: fields as FieldValues, metadata }))
}
