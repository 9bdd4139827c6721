import type { ResponseMetrics } from '@postil/contract/progress.ts'
import type { Db } from '#platform/db/db.ts'
import type { CountKind, RecordStatus, ResponseStatus } from '#platform/db/tables.ts'

export type RecordCounts = { readonly total: number; readonly completed: number; readonly pending: number }

const totals = (rows: readonly { readonly kind: CountKind; readonly n: number }[]): RecordCounts => {
  const of = (wanted: RecordStatus) => rows.filter(({ kind }) => kind === wanted).reduce((sum, { n }) => sum + n, 0)
  const [completed, pending] = [of('completed'), of('pending')]
  return { total: completed + pending, completed, pending }
}

/** The number of records by status. Reads at most 16 slots of a counter, regardless of the dataset's size. */
export const recordCounts = async (db: Db, datasetNo: number): Promise<RecordCounts> =>
  totals(await db.sql.selectFrom('dataset_counts').select(['kind', 'n']).where('dataset_no', '=', datasetNo).execute())

/** The number of submitted answers that exceed the required minimum. Each completed record has at least the minimum. */
export const surplusOf = async (db: Db, datasetNo: number, completed: number, minSubmitted: number): Promise<number> => {
  const row = await db.sql
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number | null>('n').as('n'))
    .where('dataset_no', '=', datasetNo)
    .where('record_status', '=', 'completed')
    .where('response_status', '=', 'submitted')
    .executeTakeFirst()
  return (row?.n ?? 0) - completed * minSubmitted
}

type OwnCount = { readonly record_status: RecordStatus; readonly response_status: ResponseStatus; readonly n: number }

const metricsFrom = (records: RecordCounts, rows: readonly OwnCount[]): ResponseMetrics => {
  const { total } = records
  const of = (wanted: ResponseStatus) =>
    rows.filter(({ response_status }) => response_status === wanted).reduce((sum, { n }) => sum + n, 0)
  const [submitted, discarded, draft] = [of('submitted'), of('discarded'), of('draft')]
  const answered = rows.filter(({ record_status }) => record_status === 'pending').reduce((sum, { n }) => sum + n, 0)
  const left = records.pending - answered
  return { total, submitted, discarded, draft, pending: total - submitted - discarded - draft, left }
}

/** The number of one user's answers by status, and the number of records that the user hasn't answered. */
export const ownMetrics = async (db: Db, datasetNo: number, userId: string): Promise<ResponseMetrics> => {
  const records = await recordCounts(db, datasetNo)
  const rows = await db.sql
    .selectFrom('user_counts')
    .select(['record_status', 'response_status', 'n'])
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', userId)
    .execute()
  return metricsFrom(records, rows)
}

export type DatasetCounts = { readonly progress: RecordCounts; readonly metrics: ResponseMetrics }

/** Record counts and answer metrics for many datasets at once. @param userId the user whose answers are counted */
export const countsOfDatasets = async (
  db: Db,
  datasetNos: readonly number[],
  userId: string,
): Promise<(datasetNo: number) => DatasetCounts> => {
  const among = datasetNos.length === 0 ? [-1] : datasetNos
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
    .where('user_id', '=', userId)
    .execute()
  const recordsOf = Map.groupBy(records, ({ dataset_no }) => dataset_no)
  const ownOf = Map.groupBy(own, ({ dataset_no }) => dataset_no)
  return (datasetNo) => {
    const progress = totals(recordsOf.get(datasetNo) ?? [])
    return { progress, metrics: metricsFrom(progress, ownOf.get(datasetNo) ?? []) }
  }
}
