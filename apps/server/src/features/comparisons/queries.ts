import type { Sides } from '@postil/contract/comparison-sides.ts'
import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { datasetFor } from '#features/datasets/public.ts'
import { metadataPropertyRows, type QuestionRow, questionRows } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { type Comparison, ComparisonCounts } from './counts.ts'
import { comparisonPolicy } from './policy.ts'

const RECORDS_AT_ONCE = 1000

export type ReportArgs = {
  readonly user: Actor
  readonly dataset_id: string
  /** The metadata properties that name the models of the compared fields, or null. */
  readonly properties: Sides | null
}

const isComparison = (question: QuestionRow): question is QuestionRow & Comparison => 'compare' in question.settings

const nameIn = (metadata: JsonObject | null, property: string): string | null => {
  const value = metadata && Object.hasOwn(metadata, property) ? metadata[property] : null
  return typeof value === 'string' && value !== '' ? value : null
}

/** The `seq` that the next record of a dataset gets. All records have lower `seq`s. */
const sizeOf = async (db: Db, datasetNo: number): Promise<number> => {
  const state = await db.sql.selectFrom('dataset_state').select('next_seq').where('dataset_no', '=', datasetNo).executeTakeFirst()
  return state?.next_seq ?? 1
}

/**
 * Counts the submitted answers to all comparison questions of a dataset. Reads them in batches.
 * @throws Problem not_found, forbidden, unprocessable
 */
export const countComparisons = query(
  'comparisons.count',
  async (db, { user, dataset_id, properties }: ReportArgs): Promise<readonly ComparisonCounts[]> => {
    const dataset = await datasetFor(db, dataset_id, user)
    if (!comparisonPolicy.see(user, dataset)) throw forbidden()
    const known = new Set((await metadataPropertyRows(db, dataset.id)).map(({ name }) => name))
    const unknown = properties?.find((name) => !known.has(name))
    if (unknown !== undefined) throw unprocessable(message('notInDataset', { part: 'Metadata property', name: unknown }))
    const counts = (await questionRows(db, dataset.id)).filter(isComparison).map((question) => new ComparisonCounts(question))
    const size = counts.length === 0 ? 0 : await sizeOf(db, dataset.no)
    for (let from = 0; from < size; from += RECORDS_AT_ONCE) {
      const rows = await db.sql
        .selectFrom('responses')
        .innerJoin('records', (join) =>
          join.onRef('records.dataset_no', '=', 'responses.dataset_no').onRef('records.seq', '=', 'responses.seq'),
        )
        .select(['responses.values', 'responses.shown', 'records.metadata'])
        .where('responses.dataset_no', '=', dataset.no)
        .where('responses.seq', '>=', from)
        .where('responses.seq', '<', from + RECORDS_AT_ONCE)
        .where('responses.status', '=', 'submitted')
        .execute()
      for (const { values, shown, metadata } of rows) {
        for (const count of counts) {
          const { name } = count.question
          if (!Object.hasOwn(values, name)) continue
          const models = (properties ?? []).map((property) => nameIn(metadata as JsonObject | null, property))
          count.add(values[name]?.value, shown, [models[0] ?? null, models[1] ?? null])
        }
      }
      await db.dialect.flush()
    }
    return counts
  },
)
