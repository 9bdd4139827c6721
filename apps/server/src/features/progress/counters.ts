import type { ResponseMetrics } from '@postil/contract/progress.ts'
import { datasetsWithTests, noTests, type TestCounts, testCounts } from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import type { CountKind, RecordStatus, ResponseStatus } from '#platform/db/tables.ts'
import { assignedToOthers } from './assigned-to-others.ts'

type RecordCounts = { readonly total: number; readonly completed: number; readonly pending: number }

const totals = (rows: readonly { readonly kind: CountKind; readonly n: number }[]): RecordCounts => {
  const of = (wanted: RecordStatus) => rows.filter(({ kind }) => kind === wanted).reduce((sum, { n }) => sum + n, 0)
  const [completed, pending] = [of('completed'), of('pending')]
  return { total: completed + pending, completed, pending }
}

/** How many answers have been requested in addition to the minimum, by the status of the records. */
type ExtraAnswers = { readonly [S in RecordStatus]: number }

const extraIn = (rows: readonly { readonly kind: CountKind; readonly n: number }[]): ExtraAnswers => {
  const of = (status: RecordStatus) =>
    rows.filter(({ kind }) => kind === `extra_${status}`).reduce((sum, { n }) => sum + Number(n), 0)
  return { pending: of('pending'), completed: of('completed') }
}

const extraAnswers = async (db: Db, datasetNo: number): Promise<ExtraAnswers> =>
  extraIn(
    await db.sql
      .selectFrom('dataset_counts')
      .select(['kind', 'n'])
      .where('dataset_no', '=', datasetNo)
      .where('kind', 'in', ['extra_pending', 'extra_completed'])
      .execute(),
  )

/** The number of records by status. Reads at most 16 slots of a counter, regardless of the dataset's size. */
export const recordCounts = async (db: Db, datasetNo: number): Promise<RecordCounts> =>
  totals(await db.sql.selectFrom('dataset_counts').select(['kind', 'n']).where('dataset_no', '=', datasetNo).execute())

/** Progress, counted in submitted answers. A record is completed when it has `min_submitted` of them. */
export type AnswerCounts = { readonly answers: number; readonly answers_needed: number }

type AnswersOfDataset = {
  /** The answers that records need in addition to the minimum. */
  readonly extra: ExtraAnswers
  readonly submittedToPending: number
  readonly minSubmitted: number
}

/**
 * Returns how many answers count toward the minimum, and how many answers are needed. A completed record counts as having exactly
 * the answers that it needs. In a pending record, every submitted answer counts.
 */
const answerCounts = (
  { total, completed }: RecordCounts,
  { extra, submittedToPending, minSubmitted }: AnswersOfDataset,
): AnswerCounts => ({
  answers: completed * minSubmitted + extra.completed + submittedToPending,
  answers_needed: total * minSubmitted + extra.completed + extra.pending,
})

/**
 * Counts the submitted answers. `surplus` is the number of answers that completed records have beyond the required number. Each
 * completed record has at least the required number.
 */
export const submittedCounts = async (
  db: Db,
  datasetNo: number,
  records: RecordCounts,
  minSubmitted: number,
): Promise<AnswerCounts & { readonly surplus: number }> => {
  const rows = await db.sql
    .selectFrom('user_counts')
    .select(['record_status', (eb) => eb.fn.sum<number>('n').as('n')])
    .where('dataset_no', '=', datasetNo)
    .where('response_status', '=', 'submitted')
    .groupBy('record_status')
    .execute()
  const extra = await extraAnswers(db, datasetNo)
  const of = (wanted: RecordStatus) => rows.find(({ record_status }) => record_status === wanted)?.n ?? 0
  return {
    ...answerCounts(records, { extra, submittedToPending: of('pending'), minSubmitted }),
    surplus: of('completed') - records.completed * minSubmitted - extra.completed,
  }
}

/** A dataset that the user can see. */
type CountedDataset = Parameters<typeof assignedToOthers>[2][number] & {
  readonly review: { readonly [key: string]: unknown } | null
}

/** Treats every admin as a lead, because admins see only datasets of their workspaces. */
const personOf = ({ id, role }: Actor) => ({ id, isLead: role !== 'annotator' })

type OwnCount = { readonly record_status: RecordStatus; readonly response_status: ResponseStatus; readonly n: number }

const metricsFrom = (
  records: RecordCounts,
  rows: readonly OwnCount[],
  { assignedToOthers, tests }: { readonly assignedToOthers: number; readonly tests: TestCounts },
): ResponseMetrics => {
  const { total } = records
  const of = (wanted: ResponseStatus) =>
    rows.filter(({ response_status }) => response_status === wanted).reduce((sum, { n }) => sum + n, tests[wanted])
  const [submitted, discarded, draft] = [of('submitted'), of('discarded'), of('draft')]
  const answered = rows.filter(({ record_status }) => record_status === 'pending').reduce((sum, { n }) => sum + n, 0)
  const left = records.pending - answered - assignedToOthers + tests.open
  return { total, submitted, discarded, draft, pending: total - submitted - discarded - draft, left }
}

/** The number of one user's answers by status, and the number of records that the user hasn't answered. */
export const ownMetrics = async (db: Db, dataset: CountedDataset, user: Actor): Promise<ResponseMetrics> => {
  const { no: datasetNo } = dataset
  const records = await recordCounts(db, datasetNo)
  const rows = await db.sql
    .selectFrom('user_counts')
    .select(['record_status', 'response_status', 'n'])
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', user.id)
    .execute()
  const others = await assignedToOthers(db, user, [dataset])
  return metricsFrom(records, rows, {
    assignedToOthers: others.get(datasetNo) ?? 0,
    tests: await testCounts(db, dataset, personOf(user)),
  })
}

type DatasetCounts = { readonly progress: RecordCounts & AnswerCounts; readonly metrics: ResponseMetrics }
type Counted = CountedDataset & { readonly min_submitted: number }

/** Record and answer counts for many datasets at once. @param user the user whose own answers are counted by status */
export const countsOfDatasets = async (
  db: Db,
  datasets: readonly Counted[],
  user: Actor,
): Promise<(dataset: Counted) => DatasetCounts> => {
  const among = datasets.length === 0 ? [-1] : datasets.map(({ no }) => no)
  const records = await db.sql
    .selectFrom('dataset_counts')
    .select(['dataset_no', 'kind', (eb) => eb.fn.sum<number>('n').as('n')])
    .where('dataset_no', 'in', among)
    .groupBy(['dataset_no', 'kind'])
    .execute()
  const own = await db.sql
    .selectFrom('user_counts')
    .select(['dataset_no', 'record_status', 'response_status', 'n'])
    .where('dataset_no', 'in', among)
    .where('user_id', '=', user.id)
    .execute()
  const partial = await db.sql
    .selectFrom('user_counts')
    .select(['dataset_no', (eb) => eb.fn.sum<number>('n').as('n')])
    .where('dataset_no', 'in', among)
    .where('record_status', '=', 'pending')
    .where('response_status', '=', 'submitted')
    .groupBy('dataset_no')
    .execute()
  const others = await assignedToOthers(db, user, datasets)
  const tests = new Map<number, TestCounts>()
  const withTests = new Set(await datasetsWithTests(db, among, user.id))
  for (const dataset of datasets)
    if (withTests.has(dataset.no)) tests.set(dataset.no, await testCounts(db, dataset, personOf(user)))
  const recordsOf = Map.groupBy(records, ({ dataset_no }) => dataset_no)
  const ownOf = Map.groupBy(own, ({ dataset_no }) => dataset_no)
  const partialOf = new Map(partial.map(({ dataset_no, n }) => [dataset_no, n]))
  return ({ no, min_submitted }) => {
    const rows = recordsOf.get(no) ?? []
    const counts = totals(rows)
    const submitted = { extra: extraIn(rows), submittedToPending: partialOf.get(no) ?? 0, minSubmitted: min_submitted }
    return {
      progress: { ...counts, ...answerCounts(counts, submitted) },
      metrics: metricsFrom(counts, ownOf.get(no) ?? [], {
        assignedToOthers: others.get(no) ?? 0,
        tests: tests.get(no) ?? noTests,
      }),
    }
  }
}
