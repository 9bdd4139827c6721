import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { ResponseValues } from '#platform/db/tables.ts'
import type { Answered } from './counters/tally.ts'
import type { StoredResponse } from './rows.ts'
import { responseColumns } from './rows.ts'

/** `values` is null unless the answer is submitted. */
type AnsweredWith = Answered & Pick<StoredResponse, 'id' | 'version'> & { readonly values: ResponseValues | null }

const answeredWith = ({ id, user_id, status, version, values }: StoredResponse): AnsweredWith => ({
  id,
  user_id,
  status,
  version,
  values: status === 'submitted' ? values : null,
})

/** The version number of a deleted answer, and the total active time of all its versions. */
export type DeletedAnswer = { readonly version: number; readonly active_ms: number | null }

/** The stored data about a record's answers. */
export type AnswersOfRecord = {
  /** Everyone who answered the record, with their answers' statuses and submitted values. */
  readonly answered: readonly AnsweredWith[]
  /** The loaded answers with all columns, by author. */
  readonly responses: ReadonlyMap<string, StoredResponse>
  /** The deleted answers, by author. */
  readonly deleted: ReadonlyMap<string, DeletedAnswer>
  /** Whether anyone holds a lease on the record. */
  readonly leased: boolean
}

type ChangedAnswers = {
  readonly record: { readonly id: string; readonly seq: number }
  readonly stored: AnswersOfRecord
  /** The changed answers by author, as they are now. */
  readonly changed: ReadonlyMap<string, { readonly last: StoredResponse | null }>
}

/** A record with its submitted answers after the changes. */
export const submittedAfter = ({ record, stored, changed }: ChangedAnswers) => ({
  seq: record.seq,
  record_id: record.id,
  answers: [
    ...stored.answered.flatMap(({ values, ...answer }) =>
      values === null || changed.has(answer.user_id) ? [] : [{ ...answer, values }],
    ),
    ...[...changed.values()].flatMap(({ last }) => (last?.status === 'submitted' ? [last] : [])),
  ],
})

export const noAnswers: AnswersOfRecord = { answered: [], responses: new Map(), deleted: new Map(), leased: false }

type Key = { readonly dataset_no: number; readonly record_id: string; readonly is: string }
const answersWith = (column: 'user_id' | 'id') =>
  prepared((db, { dataset_no, record_id, is }: Key) =>
    db.sql
      .selectFrom('records')
      .leftJoin('responses', (join) =>
        join.onRef('responses.dataset_no', '=', 'records.dataset_no').onRef('responses.seq', '=', 'records.seq'),
      )
      .select(['responses.user_id', 'responses.status', 'responses.id', 'responses.record_id', 'responses.version'])
      .select(['responses.active_ms', 'responses.suggestion_view'])
      .select(['responses.last_mutation_id', 'responses.inserted_at', 'responses.updated_at'])
      .select((eb) => [
        eb
          .case()
          .when(eb.or([eb(`responses.${column}`, '=', is), eb('responses.status', '=', 'submitted')]))
          .then(eb.ref('responses.values'))
          .end()
          .as('values'),
        eb
          .case()
          .when(`responses.${column}`, '=', is)
          .then(eb.ref('responses.suggestion_outcomes'))
          .end()
          .as('suggestion_outcomes'),
        eb.case().when(`responses.${column}`, '=', is).then(eb.ref('responses.shown')).end().as('shown'),
        eb.case().when(`responses.${column}`, '=', is).then(eb.ref('responses.returned')).end().as('returned'),
        eb
          .selectFrom('response_tombstones')
          .select((tombstone) => tombstone.fn.max('response_tombstones.version').as('version'))
          .where('response_tombstones.dataset_no', '=', dataset_no)
          .whereRef('response_tombstones.seq', '=', 'records.seq')
          .where('response_tombstones.user_id', '=', is)
          .as('deletedVersion'),
        // Active time never decreases, so the largest value belongs to the last version.
        eb
          .selectFrom('response_tombstones')
          .select((tombstone) => tombstone.fn.max('response_tombstones.active_ms').as('active_ms'))
          .where('response_tombstones.dataset_no', '=', dataset_no)
          .whereRef('response_tombstones.seq', '=', 'records.seq')
          .where('response_tombstones.user_id', '=', is)
          .as('deletedActiveMs'),
        eb
          .exists(
            eb
              .selectFrom('leases')
              .select('leases.seq')
              .where('leases.dataset_no', '=', dataset_no)
              .whereRef('leases.seq', '=', 'records.seq'),
          )
          .as('leased'),
        eb
          .exists(
            eb
              .selectFrom('test_items')
              .select('test_items.seq')
              .where('test_items.dataset_no', '=', dataset_no)
              .whereRef('test_items.seq', '=', 'records.seq')
              .where('test_items.user_id', '=', is),
          )
          .as('isTest'),
      ])
      .where('records.dataset_no', '=', dataset_no)
      .where('records.id', '=', record_id),
  )
const answersByColumn = { user_id: answersWith('user_id'), id: answersWith('id') }

type Marks = {
  readonly deletedVersion: number | null
  readonly deletedActiveMs: number | null
  readonly leased: unknown
  readonly isTest: unknown
}

/** One answer and the record's other answers. */
export type OwnAnswer = {
  /** The requested answer. */
  readonly current: StoredResponse | null
  /**
   * The highest version among the answers to this record that the author has deleted; null if there are none. Always null if the
   * answer is looked up by its ID.
   */
  readonly deletedVersion: number | null
  /** Whether the record was assigned to the author as a test item. Always false if the answer is looked up by its ID. */
  readonly isTest: boolean
  /** The record's answers. `responses` contains only the requested answer. */
  readonly record: AnswersOfRecord
}

/**
 * Returns the answers to a record that the caller has locked. Uses a separate statement, because a statement that waits for a
 * lock sees other tables as they were before the wait.
 * @param selector the answer to return with all columns: either a user's answer, or the answer with a given ID
 */
export const loadOwnAnswer = async (
  db: Db,
  record: { readonly dataset_no: number; readonly id: string },
  selector: { readonly column: 'user_id' | 'id'; readonly is: string },
): Promise<OwnAnswer> => {
  const { dataset_no, id: record_id } = record
  const rows = await answersByColumn[selector.column](db, { dataset_no, record_id, is: selector.is })
  const { deletedVersion = null, deletedActiveMs = null, leased = false, isTest = false } = (rows[0] ?? {}) as Partial<Marks>
  // If the record has no answers, the result is a single row without an answer.
  const found = rows.filter(({ id }) => id !== null) as unknown as readonly (StoredResponse & Marks)[]
  const selected = found.find((row) => row[selector.column] === selector.is)
  const current = selected === undefined ? null : withoutMarks(selected)
  return {
    current,
    deletedVersion,
    isTest: Boolean(isTest),
    record: {
      answered: found.map(answeredWith),
      responses: new Map(current === null ? [] : [[current.user_id, current]]),
      deleted: new Map(deletedVersion === null ? [] : [[selector.is, { version: deletedVersion, active_ms: deletedActiveMs }]]),
      leased: Boolean(leased),
    },
  }
}

const withoutMarks = ({
  deletedVersion: _,
  deletedActiveMs: __,
  leased: ___,
  isTest: ____,
  ...response
}: StoredResponse & Marks): StoredResponse => response

/** Returns all answers to records that the caller has locked, keyed by `seq`. */
export const loadAnswers = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, AnswersOfRecord>> => {
  if (seqs.length === 0) return new Map()
  const [responses, tombstones, leases] = await pipeline([
    db.sql
      .selectFrom('responses')
      .select(['seq', ...responseColumns])
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', seqs)
      .execute(),
    db.sql
      .selectFrom('response_tombstones')
      .select(['seq', 'user_id', 'version', 'active_ms'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', seqs)
      .orderBy('version')
      .execute(),
    db.sql
      .selectFrom('leases')
      .select('seq')
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', db.dialect.listed(seqs))
      .execute(),
  ])
  const responsesBySeq = Map.groupBy(responses, ({ seq }) => seq)
  const tombstonesBySeq = Map.groupBy(tombstones, ({ seq }) => seq)
  const leased = new Set(leases.map(({ seq }) => seq))
  return new Map(
    seqs.map((seq) => {
      const own = (responsesBySeq.get(seq) ?? []).map(({ seq: _, ...response }): StoredResponse => response)
      return [
        seq,
        {
          answered: own.map(answeredWith),
          responses: new Map(own.map((response) => [response.user_id, response])),
          deleted: new Map((tombstonesBySeq.get(seq) ?? []).map(({ user_id, ...deleted }) => [user_id, deleted])),
          leased: leased.has(seq),
        },
      ]
    }),
  )
}
