import type { RelabelCounts } from '@postil/contract/jobs.ts'
import { message } from '@postil/contract/wire/message.ts'
import { schemaVersion } from '#features/datasets/public.ts'
import { lockNextRecords, Tally, writeTally } from '#features/responses/public.ts'
import { carryColours, labelSettings, questionRowsAt, settingsWith, settled } from '#features/schema/public.ts'
import { checksOf } from '#features/test-items/public.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { holdDataset, lockDatasetChanges } from '#platform/db/locks.ts'
import { jobKind, type StepOutcome, startStepTimer } from '#platform/jobs/kinds.ts'
import { now } from '#platform/time.ts'
import { relabelRecords } from './relabel.ts'

/** `RECORDS_PER_BATCH` records are locked at a time. One step processes at most `RECORDS_PER_STEP` records. */
const RECORDS_PER_BATCH = 50
const RECORDS_PER_STEP = 500

export type RelabelJobArgs = {
  /** The `seq` of the last record that is done. */
  readonly after: number
  readonly version: number
  /** The version that is reverted; null if none is. */
  readonly reverts: number | null
  readonly relabeled: RelabelCounts
  /** Whether the version is copied from another server. */
  readonly isCopied?: boolean
  /** Whether the job has processed all records. Only the labels of the questions are then left to change. */
  readonly isScanned: boolean
}
export const noCounts: RelabelCounts = { answers: 0, due: 0, suggestions: 0, gold: 0, kept: 0, kept_records: [] }
/** The maximum number of records that the job lists in `kept_records`. */
const MAX_KEPT_RECORDS = 200

const plus = (a: RelabelCounts, b: RelabelCounts): RelabelCounts => ({
  answers: a.answers + b.answers,
  due: a.due + b.due,
  suggestions: a.suggestions + b.suggestions,
  gold: a.gold + b.gold,
  kept: a.kept + b.kept,
  kept_records: [...a.kept_records, ...b.kept_records].slice(0, MAX_KEPT_RECORDS),
})

const liveDataset = (db: Db, datasetNo: number) =>
  db.sql.selectFrom('datasets').select(['id', 'review']).where('no', '=', datasetNo).where('gone_at', 'is', null)

/** Removes labels that remained valid only because stored answers might still contain them. */
const settleLabels = async (db: Db, datasetNo: number): Promise<void> => {
  await lockDatasetChanges(db, datasetNo)
  for (const { id, settings } of await questionRowsAt(db, datasetNo)) {
    const labels = labelSettings(settings)
    if (labels === null) continue
    const after = settled(labels)
    if (after.options.length === labels.options.length) continue
    await db.sql
      .updateTable('questions')
      .set({ settings: json(settingsWith(labels, after)), updated_at: now() })
      .where('id', '=', id)
      .execute()
    await carryColours(db, id, after)
  }
}

/**
 * Replaces labels in a dataset's answers, suggestions and final answers after the labels of its questions have changed. Values
 * that are stored while the job runs already get the new labels. Every run replaces all labels that have ever been replaced, so
 * it also completes the work of an earlier job that failed.
 */
export const relabel = jobKind('schema.relabel', async (db, job): Promise<StepOutcome> => {
  const { dataset_no } = job
  // The arguments were written by a command of this feature or by this function.
  const args = job.args as RelabelJobArgs
  if (dataset_no === null) throw new Error('a label change requires a dataset')
  if (args.isScanned) {
    await settleLabels(db, dataset_no)
    return { finished: true, done: job.total ?? job.done }
  }
  await holdDataset(db, dataset_no)
  const dataset = await liveDataset(db, dataset_no).executeTakeFirst()
  if (dataset === undefined) return { finished: false, failed: message('datasetGone') }
  const questions = await questionRowsAt(db, dataset_no)
  const reverted = args.reverts === null ? null : await schemaVersion(db, dataset_no, args.reverts)
  const version = await schemaVersion(db, dataset_no, args.version)
  if (version === null) throw new Error(`version ${args.version} does not exist`)
  const tolerance = checksOf(dataset)?.tolerance ?? 0
  const tally = new Tally()
  // The counters are written last, because locks on them make other writers wait.
  const end = async (outcome: StepOutcome): Promise<StepOutcome> => {
    await writeTally(db, dataset_no, version.user_id, tally)
    return outcome
  }
  const hasTime = startStepTimer(job.ms)
  let { after } = args
  let relabeled = { ...noCounts, ...args.relabeled }
  let processed = 0
  while (processed < RECORDS_PER_STEP && hasTime()) {
    const seqs = await lockNextRecords(db, dataset_no, { after, limit: RECORDS_PER_BATCH })
    const last = seqs.at(-1)
    if (last === undefined)
      return end({ finished: false, args: { ...args, after, relabeled, isScanned: true }, done: job.done + processed })
    const isCopied = args.isCopied === true
    const of = { dataset_no, questions, seqs, actor: job.user_id, version, reverted, tally, tolerance, isCopied }
    relabeled = plus(relabeled, await relabelRecords(db, of))
    tally.addChangedAll()
    after = last
    processed += seqs.length
  }
  return end({ finished: false, args: { ...args, after, relabeled }, done: job.done + processed })
})
