import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import { notFound } from '@postil/contract/wire/errors.ts'
import { sql as raw } from 'kysely'
import { isMember } from '#platform/auth/membership.ts'
import { afterChanges } from '#platform/db/dataset-turn.ts'
import type { Db } from '#platform/db/db.ts'
import { inDatasetOf } from '#platform/db/keys/dataset-of-id.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import { together } from '#platform/db/statements/together.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import type { Answered } from './counters/tally.ts'
import type { StoredResponse } from './rows.ts'

export type ScopeDataset = { readonly id: string; readonly no: number; readonly min_submitted: number }
export type ScopeRecord = { readonly id: string; readonly seq: number; readonly status: RecordStatus; readonly submitted: number }
export type ScopeQuestion = {
  readonly no: number
  readonly name: string
  readonly required: boolean
  readonly settings: QuestionSettings
}

/** What an answer hangs on, held until the command ends: the record against everyone, the dataset's distribution against changes. */
export type Scope = {
  readonly dataset: ScopeDataset
  /** Whether the caller is linked to the dataset's workspace. */
  readonly member: boolean
  /** Whether the caller is known to have answered in the dataset before. */
  readonly remembered: boolean
  /** False when no webhook is enabled. */
  readonly told: boolean
  readonly record: ScopeRecord
  /** The record's fields by name, where a question of the dataset refers to one; they may be large. */
  readonly fields: { readonly [name: string]: unknown } | null
}
type Held = Omit<Scope, 'record' | 'fields'>

/**
 * NOTE: the user's row is held as well: who is being deleted answers nothing that the deletion would not see.
 */
const heldDataset = prepared((db, { no, userId }: { readonly no: number; readonly userId: string }) =>
  db.dialect.forShare(
    db.sql
      .selectFrom(['datasets', 'users'])
      .select(['datasets.id', 'datasets.no', 'datasets.min_submitted'])
      .select((eb) => [
        isMember(userId).as('member'),
        eb
          .exists(
            eb
              .selectFrom('dataset_users')
              .select('dataset_users.user_id')
              .where('dataset_users.dataset_no', '=', no)
              .where('dataset_users.user_id', '=', userId),
          )
          .as('remembered'),
        eb.exists(eb.selectFrom('webhooks').select('webhooks.id').where('webhooks.enabled', '=', true)).as('told'),
      ])
      .where('datasets.no', '=', no)
      .where('datasets.gone_at', 'is', null)
      .where('users.id', '=', userId)
      .where(afterChanges(db)),
  ),
)

/** The dataset with who answers, held against changes; null for either of them gone. */
export const holdDataset = async (db: Db, no: number, userId: string): Promise<Held | null> => {
  const [row] = await heldDataset(db, { no, userId })
  if (row === undefined) return null
  const { member, remembered, told, ...dataset } = row
  return { dataset, member: Boolean(member), remembered: Boolean(remembered), told: Boolean(told) }
}

/** What is found in the JSON of a question's settings that refer to a field; inside a text its quotes would be escaped. */
const REFERS_TO_FIELD = '%"field":%'

/** The record with its lock, and its fields where a question refers to one: then no answer needs to ask for them on its own. */
const lockedRecord = (db: Db, no: number) =>
  db.dialect.forUpdate(
    db.sql
      .selectFrom('records')
      .select(['id', 'seq', 'status', 'submitted'])
      .select((eb) =>
        eb
          .case()
          .when(
            eb.exists(
              eb
                .selectFrom('questions')
                .innerJoin('datasets', 'datasets.id', 'questions.dataset_id')
                .select('questions.id')
                .where('datasets.no', '=', no)
                .where(raw<boolean>`questions.settings like ${REFERS_TO_FIELD}`),
            ),
          )
          .then(eb.ref('records.fields'))
          .end()
          .as('fields'),
      )
      .where('dataset_no', '=', no),
  )
type OfDataset<T> = T & { readonly no: number }
const recordById = prepared((db, { no, id }: OfDataset<{ readonly id: string }>) => lockedRecord(db, no).where('id', '=', id))
const recordBySeq = prepared((db, { no, seq }: OfDataset<{ readonly seq: number }>) =>
  lockedRecord(db, no).where('seq', '=', seq),
)

type LockedRecord = ScopeRecord & { readonly fields: Scope['fields'] }

/** Locks records by `seq`, in its order; those that are gone are left out. */
export const lockRecords = async (db: Db, no: number, seqs: readonly number[]): Promise<readonly LockedRecord[]> =>
  lockedRecord(db, no).where('seq', 'in', db.dialect.listed(seqs)).orderBy('seq').execute()

type Place = { readonly no: number; readonly userId: string }

/** Locks a record of a dataset; null where it has none with this id. */
export const scopeOfRecord = async (db: Db, recordId: string, { no, userId }: Place): Promise<Scope | null> => {
  const [held, [record]] = await together([holdDataset(db, no, userId), recordById(db, { no, id: recordId })])
  if (held === null || record === undefined) return null
  const { fields, ...place } = record
  return { ...held, record: place, fields }
}

const scopeWithResponse = async (db: Db, responseId: string, { no, userId }: Place): Promise<Scope | null> => {
  const held = await holdDataset(db, no, userId)
  if (held === null) return null
  const place = await db.sql
    .selectFrom('responses')
    .select('seq')
    .where('dataset_no', '=', no)
    .where('id', '=', responseId)
    .executeTakeFirst()
  if (place === undefined) return null
  const [locked] = await recordBySeq(db, { no, seq: place.seq })
  if (locked === undefined) return null
  const { fields, ...record } = locked
  return { ...held, record, fields }
}

/** Locks the record that a response belongs to. @throws Problem not_found, naming the response */
export const scopeOfResponse = async (db: Db, responseId: string, userId: string): Promise<Scope> => {
  const scope = await inDatasetOf(db, 'responses', responseId, (no) => scopeWithResponse(db, responseId, { no, userId }))
  if (scope === null) throw notFound('response', responseId)
  return scope
}

export type Answers = {
  /** The answer that is asked for, whole. */
  readonly standing: StoredResponse | null
  /** Who answered the record, and how. */
  readonly answers: readonly Answered[]
  /** Whether an answer of this user to this record was ever deleted. */
  readonly buried: boolean
  /** Whether anybody holds a lease on the record. */
  readonly leased: boolean
}

type Wanted = { readonly dataset_no: number; readonly record_id: string; readonly is: string }
const answersWith = (column: 'user_id' | 'id') =>
  prepared((db, { dataset_no, record_id, is }: Wanted) =>
    db.sql
      .selectFrom('records')
      .leftJoin('responses', (join) =>
        join.onRef('responses.dataset_no', '=', 'records.dataset_no').onRef('responses.seq', '=', 'records.seq'),
      )
      .select(['responses.user_id', 'responses.status', 'responses.id', 'responses.record_id', 'responses.version'])
      .select(['responses.last_mutation_id', 'responses.inserted_at', 'responses.updated_at'])
      .select((eb) => [
        eb.case().when(`responses.${column}`, '=', is).then(eb.ref('responses.values')).end().as('values'),
        eb
          .exists(
            eb
              .selectFrom('response_tombstones')
              .select('response_tombstones.id')
              .where('response_tombstones.dataset_no', '=', dataset_no)
              .whereRef('response_tombstones.seq', '=', 'records.seq')
              .where('response_tombstones.user_id', '=', is),
          )
          .as('buried'),
        eb
          .exists(
            eb
              .selectFrom('leases')
              .select('leases.seq')
              .where('leases.dataset_no', '=', dataset_no)
              .whereRef('leases.seq', '=', 'records.seq'),
          )
          .as('leased'),
      ])
      .where('records.dataset_no', '=', dataset_no)
      .where('records.id', '=', record_id),
  )
const answersWithThat = { user_id: answersWith('user_id'), id: answersWith('id') }

type Marks = { readonly buried: unknown; readonly leased: unknown }

/**
 * The answers to a record that the caller has locked. NOTE: read by a statement of its own, because one that waits for the lock sees
 * other tables as they were before the wait.
 * @param wanted which answer to give whole: that of a user, or one by its id
 */
export const loadAnswers = async (
  db: Db,
  record: { readonly dataset_no: number; readonly id: string },
  wanted: { readonly column: 'user_id' | 'id'; readonly is: string },
): Promise<Answers> => {
  const { dataset_no, id: record_id } = record
  const rows = await answersWithThat[wanted.column](db, { dataset_no, record_id, is: wanted.is })
  // NOTE: the record's own row comes alone when there is no answer
  const found = rows.filter(({ id }) => id !== null) as unknown as readonly (StoredResponse & Marks)[]
  const whole = found.find((row) => row[wanted.column] === wanted.is)
  const { buried, leased, ...standing } = whole ?? { buried: rows[0]?.buried, leased: rows[0]?.leased }
  return {
    standing: whole === undefined ? null : (standing as StoredResponse),
    answers: found.map(({ user_id, status }) => ({ user_id, status })),
    buried: Boolean(buried),
    leased: Boolean(leased),
  }
}

const questionsOf = prepared((db, { no }: { readonly no: number }) =>
  db.sql
    .selectFrom('questions')
    .select(['no', 'name', 'required', 'settings'])
    .where('dataset_id', '=', (eb) => eb.selectFrom('datasets').select('datasets.id').where('datasets.no', '=', no))
    .orderBy('no'),
)

/** The dataset's questions in creation order. */
export const loadQuestions = async (db: Db, datasetNo: number): Promise<readonly ScopeQuestion[]> =>
  // Settings were made by the schemas of their types when they were stored.
  (await questionsOf(db, { no: datasetNo })) as unknown as readonly ScopeQuestion[]
