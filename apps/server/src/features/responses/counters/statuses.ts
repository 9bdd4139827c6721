import type { Db } from '#platform/db/db.ts'
import { heldDataset } from '#platform/db/keys/held-dataset.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import type { EventName } from '#platform/events/outbox.ts'
import { openOutbox } from '#platform/events/outbox.ts'
import { datasetEventData, recordEventData } from '#platform/events/payloads.ts'
import { enqueueJob, jobKind, startStepTimer } from '#platform/jobs/kinds.ts'
import type { Micros } from '#platform/time.ts'
import { now } from '#platform/time.ts'
import { writeTally } from './counts.ts'
import type { StatusInput } from './settle.ts'
import { settleRecords } from './settle.ts'
import { recordStatus, Tally } from './tally.ts'

const RECORDS_PER_BATCH = 100

/** A record whose status has changed. */
type StatusChange = { readonly seq: number; readonly status: RecordStatus }

/** Emits the events of records whose statuses have changed although none of their answers has changed. */
export const emitStatusChanges = async (
  db: Db,
  datasetNo: number,
  changedRecords: readonly StatusChange[],
  at: Micros,
): Promise<void> => {
  const outbox = await openOutbox(db)
  if (changedRecords.length === 0 || !outbox.isSubscribed('record.updated', 'record.completed')) return
  const dataset = await datasetEventData(db, datasetNo)
  for (const { seq, status } of changedRecords) {
    const row = await db.sql
      .selectFrom('records')
      .select(['id', 'status', 'fields', 'metadata', 'external_id', 'inserted_at', 'updated_at'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', '=', seq)
      .executeTakeFirstOrThrow()
    const names: EventName[] = status === 'completed' ? ['record.updated', 'record.completed'] : ['record.updated']
    const data = recordEventData(row, dataset)
    await outbox.emit(
      datasetNo,
      names.map((event) => ({ event, subject_id: row.id, at, data })),
    )
  }
}

/**
 * Recomputes the status and the number of submitted answers for the next records after a `seq`. They depend on the records'
 * answers and on how many answers the dataset requires for each record.
 * @returns the last `seq` of the batch; null at the end
 */
export const recomputeStatuses = async (
  db: Db,
  datasetNo: number,
  after: number,
  limit = RECORDS_PER_BATCH,
): Promise<number | null> => {
  const dataset = await heldDataset(db, datasetNo)
  if (dataset === undefined) return null
  const records = await db.dialect
    .forUpdate(
      db.sql
        .selectFrom('records')
        .select(['seq', 'status', 'submitted', 'extra_answers'])
        .where('dataset_no', '=', datasetNo)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit),
    )
    .execute()
  const last = records.at(-1)
  if (last === undefined) return null
  const answers = await db.sql
    .selectFrom('responses')
    .select(['seq', 'user_id', 'status'])
    .where('dataset_no', '=', datasetNo)
    .where(
      'seq',
      'in',
      records.map(({ seq }) => seq),
    )
    .execute()
  const bySeq = Map.groupBy(answers, ({ seq }) => seq)
  const at = now()
  const tally = new Tally()
  const changedRecords: StatusChange[] = []
  const statusInputs: StatusInput[] = []
  for (const record of records) {
    const own = bySeq.get(record.seq) ?? []
    const extra = record.extra_answers
    const submitted = own.filter((answer) => answer.status === 'submitted').length
    const status = recordStatus(submitted, dataset.min_submitted, extra)
    if (status === record.status && submitted === record.submitted) continue
    tally.addChange({ status: record.status, extra, answers: own }, { status, extra, answers: own })
    tally.addChanged(record.seq)
    const moves = status !== record.status
    if (moves) changedRecords.push({ seq: record.seq, status })
    const endsLeases = moves && status === 'completed'
    statusInputs.push({ seq: record.seq, from: record, to: { submitted, status }, movesTime: moves, endsLeases })
  }
  await settleRecords(db, datasetNo, statusInputs, at)
  await emitStatusChanges(db, datasetNo, changedRecords, at)
  await writeTally(db, datasetNo, null, tally)
  return last.seq
}

const recompute = jobKind('dataset.recompute-statuses', async (db, { dataset_no, args }) => {
  if (dataset_no === null) throw new Error('recomputing statuses requires a dataset')
  const hasTime = startStepTimer()
  let after = Number(args.after_seq ?? -1)
  while (hasTime()) {
    const last = await recomputeStatuses(db, dataset_no, after)
    if (last === null) return { finished: true }
    after = last
  }
  return { finished: false, args: { after_seq: after } }
})

/**
 * Recomputes the statuses of all records in the background. Must be called in the command that changes the distribution and
 * locks the dataset with `lockDatasetChanges`. Concurrent answers then either wait for that command or are included in the
 * recount.
 */
export const enqueueStatusRecount = (db: Db, datasetNo: number): Promise<string> =>
  enqueueJob(db, recompute, { dataset_no: datasetNo })
