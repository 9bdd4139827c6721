import type { Db } from '#platform/db/db.ts'
import { heldDataset } from '#platform/db/keys/held-dataset.ts'
import { command, query } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import { enqueueJob, jobKind, startStepTimer } from '#platform/jobs/kinds.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'
import { loadQuestions, lockNextRecords, type ScopeQuestion } from '../scope.ts'
import { rebuildAgreement } from './rebuild.ts'

/* Datasets from before migration 0037 have no stored agreement. A job computes it, in record order. Until the job is finished,
   `dataset_state.agreement_filled_to` is the last `seq` that is done. If answers change, the agreement on their record is updated
   regardless of how far the job has come. */

const RECORDS_PER_BATCH = 50

/**
 * Computes the agreement on the next batch of records after a `seq`.
 * @returns the `seq` of the last record in the batch; null if no records are left
 */
const fillNext = async (
  db: Db,
  datasetNo: number,
  questions: readonly ScopeQuestion[],
  after: number,
): Promise<number | null> => {
  const seqs = await lockNextRecords(db, datasetNo, { after, limit: RECORDS_PER_BATCH })
  const last = seqs.at(-1)
  if (last === undefined) return null
  await rebuildAgreement(db, datasetNo, questions, { after, last, seqs })
  return last
}

const stateOf = (db: Db, datasetNo: number) =>
  db.sql.selectFrom('dataset_state').select(['agreement_filled_to', 'next_seq']).where('dataset_no', '=', datasetNo)

/** Fills in the agreement on a dataset's records. A second job for the same dataset continues where the first job stopped. */
export const fillAgreement = jobKind('agreement.fill', async (db, { dataset_no, ms }) => {
  if (dataset_no === null) throw new Error('filling in the agreement requires a dataset')
  const hasTime = startStepTimer(ms)
  const dataset = await heldDataset(db, dataset_no)
  const state = await stateOf(db, dataset_no).executeTakeFirst()
  let filledTo = state?.agreement_filled_to ?? null
  if (dataset === undefined || filledTo === null) return { finished: true }
  const questions = await loadQuestions(db, dataset_no)
  while (filledTo !== null && hasTime()) filledTo = await fillNext(db, dataset_no, questions, filledTo)
  await db.atCommit.sql
    .updateTable('dataset_state')
    .set({ agreement_filled_to: filledTo })
    .where('dataset_no', '=', dataset_no)
    .execute()
  const total = (state?.next_seq ?? 1) - 1
  return { finished: filledTo === null, done: filledTo ?? total, total }
})

const unfilledDatasets = query('agreement.unfilled', async (db, _: object): Promise<readonly number[]> => {
  const rows = await db.sql
    .selectFrom('dataset_state')
    .innerJoin('datasets', 'datasets.no', 'dataset_state.dataset_no')
    .select('dataset_no')
    .where('agreement_filled_to', 'is not', null)
    .where('gone_at', 'is', null)
    .orderBy('dataset_no')
    .execute()
  return rows.map(({ dataset_no }) => dataset_no)
})

const startFill = command('agreement.start-fill', async (db, { no }: { readonly no: number }): Promise<void> => {
  const live = await db.sql
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', UNFINISHED)
    .where('kind', '=', fillAgreement.kind)
    .where('dataset_no', '=', no)
    .executeTakeFirst()
  if (live === undefined) await enqueueJob(db, fillAgreement, { dataset_no: no })
})

/** For each dataset whose records lack agreement values, starts or resumes the job that computes these values. */
export const resumeAgreementFills = async ({ store }: { readonly store: Store }): Promise<void> => {
  // One dataset at a time, because a transaction must not change two datasets.
  for (const no of await store.read(unfilledDatasets, {})) await store.write(startFill, { no })
}

/** The `seq` up to which a dataset's agreement is complete. */
export const agreementFilledTo = async (db: Db, datasetNo: number): Promise<number> =>
  (await stateOf(db, datasetNo).executeTakeFirst())?.agreement_filled_to ?? Number.MAX_SAFE_INTEGER
