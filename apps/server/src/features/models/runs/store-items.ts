import type { Reason } from '@postil/contract/wire/message.ts'
import { partsOf, renderMessage } from '@postil/contract/wire/render-message.ts'
import { json } from '#platform/db/codecs.ts'
import { command } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { now } from '#platform/time.ts'
import type { Answered } from './read-answer.ts'

/** The result of asking a model about a record. */
export type NewItem = {
  readonly seq: number
  readonly record_id: string
  readonly answered: Answered | null
  readonly fault: Reason | null
  readonly input_tokens: number
  readonly output_tokens: number
  readonly ms: number
}
type StoreArgs = {
  readonly run_id: string
  readonly job_id: string
  readonly dataset_no: number
  readonly items: readonly NewItem[]
  /** Tokens of requests for which no item is stored. */
  readonly extra: { readonly input: number; readonly output: number }
}

/**
 * Stores a model's answers and updates the run's counts. Tokens are always counted, because they have been paid for. All answers
 * are ignored if the run no longer belongs to the job. Answers about records that were deleted or already have an answer are
 * ignored, too.
 */
export const storeItems = command(
  'models.store-items',
  async (db, { run_id, job_id, dataset_no, items, extra }: StoreArgs): Promise<void> => {
    const seqs = items.map(({ seq }) => seq)
    const ofItems = seqs.length > 0
    const [run, existing, records] = await pipeline([
      db.dialect.forUpdate(db.sql.selectFrom('model_runs').select('job_id').where('id', '=', run_id)).executeTakeFirst(),
      ofItems
        ? db.sql
            .selectFrom('run_items')
            .select(['seq', 'results'])
            .where('dataset_no', '=', dataset_no)
            .where('run_id', '=', run_id)
            .where('seq', 'in', db.dialect.listed(seqs))
            .execute()
        : [],
      ofItems
        ? db.sql
            .selectFrom('records')
            .select('seq')
            .where('dataset_no', '=', dataset_no)
            .where('seq', 'in', db.dialect.listed(seqs))
            .execute()
        : [],
    ])
    if (run === undefined) return
    const answered = new Set(existing.filter(({ results }) => results !== null).map(({ seq }) => seq))
    const present = new Set(records.map(({ seq }) => seq))
    const stored = run.job_id === job_id ? items.filter(({ seq }) => present.has(seq) && !answered.has(seq)) : []
    const replaced = existing.filter(({ seq, results }) => results === null && stored.some((one) => one.seq === seq))
    if (replaced.length > 0) {
      await db.sql
        .deleteFrom('run_items')
        .where('dataset_no', '=', dataset_no)
        .where('run_id', '=', run_id)
        .where('seq', 'in', db.dialect.listed(replaced.map(({ seq }) => seq)))
        .execute()
    }
    const rows = stored.map(({ answered: given, fault, ...item }) => ({
      ...item,
      dataset_no,
      run_id,
      results: given === null ? null : json(given.values),
      rationale: given?.rationale ?? null,
      reason: fault === null ? null : renderMessage(fault),
      reason_parts: fault === null ? null : json(partsOf(fault)),
      earlier: null,
    }))
    await db.dialect.insertMany(db.atCommit.sql, 'run_items', rows)
    const good = stored.filter(({ answered: given }) => given !== null).length
    const sum = (of: (item: NewItem) => number): number => items.reduce((total, item) => total + of(item), 0)
    await db.atCommit.sql
      .updateTable('model_runs')
      .set((eb) => ({
        answered: eb('answered', '+', good),
        failed: eb('failed', '+', stored.length - good - replaced.length),
        input_tokens: eb('input_tokens', '+', sum((item) => item.input_tokens) + extra.input),
        output_tokens: eb('output_tokens', '+', sum((item) => item.output_tokens) + extra.output),
        updated_at: now(),
      }))
      .where('id', '=', run_id)
      .execute()
  },
)
