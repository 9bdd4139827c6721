import { checksOf, recountScores } from '#features/test-items/public.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import type { RecordStatus, ResponseValues } from '#platform/db/tables.ts'
import { agreementFilledTo } from '../agreement/fill.ts'
import { agreementsOf } from '../agreement/record-agreement.ts'
import { indexRowsOf } from '../index-rows.ts'
import { responsesOfRecords } from '../queries.ts'
import type { StoredResponse } from '../rows.ts'
import type { ScopeQuestion } from '../scope.ts'
import { loadQuestions } from '../scope.ts'
import { shortActiveTimes } from './active-times.ts'
import { recordStatus, Tally } from './tally.ts'

/** A stored value that differs from a recount of the records and answers. */
export type Difference = {
  readonly dataset_no: number
  /** The kind of incorrect data, for example `user_counts`. */
  readonly what: string
  /** Identifies the incorrect value, in a form that people can look up. */
  readonly key: string
  readonly stored: unknown
  readonly counted: unknown
}
type Report = (difference: Omit<Difference, 'dataset_no'>) => void

const RECORDS_PER_BATCH = 500

const compare = (
  report: Report,
  what: string,
  stored: ReadonlyMap<string, unknown>,
  counted: ReadonlyMap<string, unknown>,
): void => {
  for (const key of new Set([...stored.keys(), ...counted.keys()])) {
    const [a, b] = [stored.get(key) ?? 0, counted.get(key) ?? 0]
    if (a !== b) report({ what, key, stored: a, counted: b })
  }
}

type IndexRow = { readonly seq: number; readonly user_id: string; readonly key: number }
const termKey = (row: IndexRow & { readonly value_key: string }) => `${row.seq} ${row.user_id} ${row.key} ${row.value_key}`
const numberKey = (row: IndexRow & { readonly number: number }) => `${row.seq} ${row.user_id} ${row.key} ${row.number}`

const countEach = (keys: readonly string[]): ReadonlyMap<string, number> => new Map(keys.map((key) => [key, 1]))

const compareIndex = async (
  db: Db,
  report: Report,
  datasetNo: number,
  range: readonly [number, number],
  expected: { readonly terms: readonly string[]; readonly numbers: readonly string[] },
): Promise<void> => {
  const rowsOf = <T extends 'response_terms' | 'response_numbers'>(table: T) =>
    db.sql
      .selectFrom(table as 'response_terms')
      .selectAll()
      .where('dataset_no', '=', datasetNo)
      .where('seq', '>', range[0])
      .where('seq', '<=', range[1])
      .execute()
  const terms = await rowsOf('response_terms')
  const numbers = (await rowsOf('response_numbers')) as unknown as readonly (IndexRow & { number: number })[]
  compare(report, 'response_terms', countEach(terms.map(termKey)), countEach(expected.terms))
  compare(report, 'response_numbers', countEach(numbers.map(numberKey)), countEach(expected.numbers))
}

type AgreementRow = { readonly seq: number; readonly key: number; readonly number: number }
type Submitted = { readonly seq: number; readonly values: readonly ResponseValues[] }

/** Compares the agreement on some records with their submitted answers. Each number must match exactly. */
const compareAgreement = async (
  db: Db,
  report: Report,
  datasetNo: number,
  [after, last]: readonly [number, number],
  { questions, submitted }: { readonly questions: readonly ScopeQuestion[]; readonly submitted: readonly Submitted[] },
): Promise<void> => {
  const stored: readonly AgreementRow[] = await db.sql
    .selectFrom('agreement_numbers')
    .select(['seq', 'key', 'number'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .execute()
  const counted = submitted.flatMap(({ seq, values }) =>
    [...agreementsOf(questions, values)].map(([key, number]) => ({ seq, key, number })),
  )
  const asKeys = (rows: readonly AgreementRow[]) => countEach(rows.map(({ seq, key, number }) => `${seq} ${key} ${number}`))
  compare(report, 'agreement_numbers', asKeys(stored), asKeys(counted))
}

const indexKeysOf = (datasetNo: number, seq: number, questions: readonly ScopeQuestion[], response: StoredResponse) => {
  const { terms, numbers } = indexRowsOf({ dataset_no: datasetNo, seq, user_id: response.user_id }, questions, response.values)
  return { terms: terms.map(termKey), numbers: numbers.map(numberKey) }
}

type Counted = { readonly submitted: number; readonly status: RecordStatus }

const compareRecord = (report: Report, { id, ...stored }: Counted & { readonly id: string }, counted: Counted): void => {
  for (const key of ['submitted', 'status'] as const)
    if (stored[key] !== counted[key]) report({ what: `records.${key}`, key: id, stored: stored[key], counted: counted[key] })
}

const recountDataset = async (
  db: Db,
  dataset: { id: string; no: number; min_submitted: number },
  report: Report,
): Promise<void> => {
  const questions = await loadQuestions(db, dataset.no)
  const filledTo = await agreementFilledTo(db, dataset.no)
  const tally = new Tally()
  let answers = 0
  let after = -1
  for (;;) {
    const records = await db.sql
      .selectFrom('records')
      .select(['id', 'seq', 'status', 'submitted', 'extra_answers'])
      .where('dataset_no', '=', dataset.no)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(RECORDS_PER_BATCH)
      .execute()
    const last = records.at(-1)
    const bySeq = await responsesOfRecords(
      db,
      dataset.no,
      records.map(({ seq }) => seq),
    )
    const expected: { terms: string[]; numbers: string[] } = { terms: [], numbers: [] }
    const submitted: Submitted[] = []
    for (const record of records) {
      const own = bySeq.get(record.seq) ?? []
      answers += own.length
      const values = own.filter((response) => response.status === 'submitted').map((response) => response.values)
      if (record.seq <= filledTo) submitted.push({ seq: record.seq, values })
      const status = recordStatus(values.length, dataset.min_submitted, record.extra_answers)
      compareRecord(report, record, { submitted: values.length, status })
      tally.addRecord(status, 1, record.extra_answers)
      for (const response of own) {
        tally.addAnswer(response, status, 1)
        const keys = indexKeysOf(dataset.no, record.seq, questions, response)
        expected.terms.push(...keys.terms)
        expected.numbers.push(...keys.numbers)
        if (response.record_id !== record.id) {
          report({ what: 'responses.record_id', key: response.id, stored: response.record_id, counted: record.id })
        }
      }
    }
    const range = [after, last?.seq ?? Number.MAX_SAFE_INTEGER] as const
    await compareIndex(db, report, dataset.no, range, expected)
    const filledRange = [after, Math.min(range[1], filledTo)] as const
    await compareAgreement(db, report, dataset.no, filledRange, { questions, submitted })
    for (const { id, stored, least } of await shortActiveTimes(db, dataset.no, bySeq))
      report({ what: 'responses.active_ms', key: id, stored, counted: least })
    if (last === undefined) break
    after = last.seq
  }
  await compareCounters(db, report, dataset.no, tally, answers)
}

const compareCounters = async (db: Db, report: Report, datasetNo: number, tally: Tally, answers: number): Promise<void> => {
  const records = await db.sql
    .selectFrom('dataset_counts')
    .select(['kind', (eb) => eb.fn.sum<number>('n').as('n')])
    .where('dataset_no', '=', datasetNo)
    .where('kind', '!=', 'reopened')
    .groupBy('kind')
    .execute()
  compare(
    report,
    'dataset_counts',
    new Map(records.map(({ kind, n }) => [kind, n])),
    new Map(tally.records().map(({ kind, n }) => [kind, n])),
  )
  const users = await db.sql
    .selectFrom('user_counts')
    .select(['user_id', 'record_status', 'response_status', 'n'])
    .where('dataset_no', '=', datasetNo)
    .execute()
  const userKey = (row: { user_id: string; record_status: string; response_status: string }) =>
    `${row.user_id} ${row.record_status} ${row.response_status}`
  compare(
    report,
    'user_counts',
    new Map(users.map((row) => [userKey(row), row.n])),
    new Map(tally.users().map((row) => [userKey(row), row.n])),
  )
  const { n } = await db.sql
    .selectFrom('responses')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('dataset_no', '=', datasetNo)
    .executeTakeFirstOrThrow()
  if (n !== answers) report({ what: 'responses', key: 'without a record', stored: n, counted: answers })
  const missingUsers = await db.sql
    .selectFrom('responses')
    .select('user_id')
    .distinct()
    .where('dataset_no', '=', datasetNo)
    .where('user_id', 'not in', (eb) => eb.selectFrom('dataset_users').select('user_id').where('dataset_no', '=', datasetNo))
    .execute()
  for (const { user_id } of missingUsers) report({ what: 'dataset_users', key: user_id, stored: 0, counted: 1 })
}

type CheckedDataset = { readonly no: number; readonly review: { readonly [key: string]: unknown } | null }

/** Reports the stored scores of test answers that differ from the scores recomputed from the final answers. */
const recountTests = async (db: Db, dataset: CheckedDataset, report: Report): Promise<void> => {
  const checks = checksOf(dataset)
  // The tolerance isn't known while test items are turned off.
  if (checks === null) return
  for await (const batch of recountScores(db, dataset.no, checks.tolerance))
    for (const { seq, user_id, stored, counted } of batch)
      if (stored !== counted) report({ what: 'test_items', key: `${seq} ${user_id}`, stored, counted })
}

/**
 * Recounts the data that is normally updated with each change (statuses, counters, answer index rows and agreement). Reads all
 * records and answers. Without `dataset_no`, reads every dataset that isn't being deleted.
 * @returns the differences; none unless the database is damaged
 */
export const recountResponses = query(
  'responses.recount',
  async (db, { dataset_no }: { readonly dataset_no?: number }): Promise<readonly Difference[]> => {
    let datasets = db.sql.selectFrom('datasets').select(['id', 'no', 'min_submitted', 'review']).where('gone_at', 'is', null)
    if (dataset_no !== undefined) datasets = datasets.where('no', '=', dataset_no)
    const differences: Difference[] = []
    for (const dataset of await datasets.orderBy('no').execute()) {
      const report: Report = (found) => differences.push({ dataset_no: dataset.no, ...found })
      await recountDataset(db, dataset, report)
      await recountTests(db, dataset, report)
    }
    return differences
  },
)
