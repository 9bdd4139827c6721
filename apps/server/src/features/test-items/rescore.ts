import { goldOfRecords } from '#features/gold/public.ts'
import { questionRowsAt } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import { heldDataset } from '#platform/db/keys/held-dataset.ts'
import { enqueueJob, jobKind, startStepTimer } from '#platform/jobs/kinds.ts'
import { testsOfRecords } from './rows.ts'
import { type ScoredQuestion, scoreOf } from './score.ts'
import { checksOf } from './settings.ts'

const RECORDS_PER_BATCH = 50

type Rescored = {
  readonly seq: number
  readonly user_id: string
  readonly stored: number | null
  readonly counted: number | null
}
type Batch = { readonly tests: number; readonly rescored: readonly Rescored[] }
type Scoring = { readonly questions: readonly ScoredQuestion[]; readonly tolerance: number }

/** The next records that have test items, starting after a `seq`. */
const nextSeqs = async (db: Db, datasetNo: number, after: number): Promise<readonly number[]> => {
  const rows = await db.sql
    .selectFrom('test_items')
    .select('seq')
    .distinct()
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(RECORDS_PER_BATCH)
    .execute()
  return rows.map(({ seq }) => seq)
}

/**
 * The scores of submitted test answers to the given records. Leaves out test answers that were compared with an earlier version
 * of the final answers, because their scores are computed on each read.
 */
const scoresOf = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
  { questions, tolerance }: Scoring,
): Promise<Batch> => {
  const tests = await testsOfRecords(db, datasetNo, seqs, null)
  const golds = await goldOfRecords(db, datasetNo, seqs)
  const rescored = [...tests].flatMap(([seq, all]) => {
    const gold = golds.get(seq)
    if (gold === undefined) return []
    const current = all.filter(({ status, gold_version }) => status === 'submitted' && gold_version === gold.version)
    return current.map(({ user_id, values, rightness }) => ({
      seq,
      user_id,
      stored: rightness,
      counted: scoreOf(questions, values, gold, tolerance),
    }))
  })
  return { tests: [...tests.values()].reduce((sum, { length }) => sum + length, 0), rescored }
}

/** For each submitted test answer, the stored score and the score that it should have. */
export async function* recountScores(db: Db, datasetNo: number, tolerance: number): AsyncGenerator<readonly Rescored[]> {
  const questions = await questionRowsAt(db, datasetNo)
  for (let after = -1; ; ) {
    const seqs = await nextSeqs(db, datasetNo, after)
    const last = seqs.at(-1)
    if (last === undefined) return
    after = last
    yield (await scoresOf(db, datasetNo, seqs, { questions, tolerance })).rescored
  }
}

/**
 * Recomputes the scores of test answers to the given records after labels, final answers or the tolerance have changed. The
 * caller has locked the records.
 * @returns the number of test items
 */
export const rescoreRecords = async (db: Db, datasetNo: number, seqs: readonly number[], scoring: Scoring): Promise<number> => {
  const { tests, rescored } = await scoresOf(db, datasetNo, seqs, scoring)
  for (const { seq, user_id, counted } of rescored.filter(({ stored, counted }) => stored !== counted))
    await db.sql
      .updateTable('test_items')
      .set({ rightness: counted })
      .where('dataset_no', '=', datasetNo)
      .where('seq', '=', seq)
      .where('user_id', '=', user_id)
      .execute()
  return tests
}

type RescoreArgs = {
  /** The `seq` of the last processed record. */
  readonly after: number
}

const rescoreTests = jobKind('tests.rescore', async (db, { dataset_no, args, done, ms }) => {
  if (dataset_no === null) throw new Error('scoring test items requires a dataset')
  const dataset = await heldDataset(db, dataset_no)
  const checks = dataset === undefined ? null : checksOf(dataset)
  // If test items are turned off, no answers are scored. Turning test items on starts a new job.
  if (checks === null) return { finished: true }
  const scoring = { questions: await questionRowsAt(db, dataset_no), tolerance: checks.tolerance }
  const hasTime = startStepTimer(ms)
  // The arguments were written by `startRescoring` or by this function.
  let { after } = args as RescoreArgs
  let processed = 0
  while (hasTime()) {
    const seqs = await nextSeqs(db, dataset_no, after)
    const last = seqs.at(-1)
    if (last === undefined) return { finished: true, done: done + processed }
    const records = db.sql.selectFrom('records').select('seq').where('dataset_no', '=', dataset_no)
    await db.dialect.forUpdate(records.where('seq', 'in', db.dialect.listed(seqs)).orderBy('seq')).execute()
    processed += await rescoreRecords(db, dataset_no, seqs, scoring)
    after = last
  }
  return { finished: false, args: { after }, done: done + processed }
})

/** Adds a job that recomputes the scores of all test answers in a dataset after the tolerance has changed. */
export const startRescoring = async (db: Db, datasetNo: number, user_id: string): Promise<void> => {
  const { n } = await db.sql
    .selectFrom('test_items')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('dataset_no', '=', datasetNo)
    .executeTakeFirstOrThrow()
  const args: RescoreArgs = { after: -1 }
  if (Number(n) > 0) await enqueueJob(db, rescoreTests, { dataset_no: datasetNo, user_id, args, total: Number(n) })
}
