import { notFound } from '@postil/contract/errors.ts'
import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import type { Db } from '#platform/db/db.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import { together } from '#platform/db/together.ts'
import { datasetNoOf } from '#platform/ids.ts'
import type { StoredResponse } from './rows.ts'
import type { Answered } from './tally.ts'

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
}
type Held = Omit<Scope, 'record'>

/**
 * NOTE: the user's row is held as well: who is being deleted answers nothing that the deletion would not see.
 */
const holdDataset = async (db: Db, no: number, userId: string): Promise<Held | null> => {
  const row = await db.dialect
    .forShare(
      db.sql
        .selectFrom(['datasets', 'users'])
        .select(['datasets.id', 'datasets.no', 'datasets.min_submitted'])
        .select((eb) => [
          eb
            .exists(
              eb
                .selectFrom('memberships')
                .select('memberships.user_id')
                .whereRef('memberships.workspace_id', '=', 'datasets.workspace_id')
                .where('memberships.user_id', '=', userId),
            )
            .as('member'),
          eb
            .exists(
              eb
                .selectFrom('dataset_users')
                .select('dataset_users.user_id')
                .whereRef('dataset_users.dataset_no', '=', 'datasets.no')
                .where('dataset_users.user_id', '=', userId),
            )
            .as('remembered'),
          eb.exists(eb.selectFrom('webhooks').select('webhooks.id').where('webhooks.enabled', '=', true)).as('told'),
        ])
        .where('datasets.no', '=', no)
        .where('datasets.gone_at', 'is', null)
        .where('users.id', '=', userId),
    )
    .executeTakeFirst()
  if (row === undefined) return null
  const { member, remembered, told, ...dataset } = row
  return { dataset, member: Boolean(member), remembered: Boolean(remembered), told: Boolean(told) }
}

const recordColumns = ['id', 'seq', 'status', 'submitted'] as const

/** Locks a record. @throws Problem not_found */
export const scopeOfRecord = async (db: Db, recordId: string, userId: string): Promise<Scope> => {
  const no = datasetNoOf(recordId)
  const [held, record] = await together([
    holdDataset(db, no, userId),
    db.dialect
      .forUpdate(db.sql.selectFrom('records').select(recordColumns).where('dataset_no', '=', no).where('id', '=', recordId))
      .executeTakeFirst(),
  ])
  if (held === null || record === undefined) throw notFound('record', recordId)
  return { ...held, record }
}

/** Locks the record that a response belongs to. @throws Problem not_found, naming the response */
export const scopeOfResponse = async (db: Db, responseId: string, userId: string): Promise<Scope> => {
  const held = await holdDataset(db, datasetNoOf(responseId), userId)
  if (held === null) throw notFound('response', responseId)
  const place = await db.sql
    .selectFrom('responses')
    .select('seq')
    .where('dataset_no', '=', held.dataset.no)
    .where('id', '=', responseId)
    .executeTakeFirst()
  if (place === undefined) throw notFound('response', responseId)
  const record = await db.dialect
    .forUpdate(
      db.sql.selectFrom('records').select(recordColumns).where('dataset_no', '=', held.dataset.no).where('seq', '=', place.seq),
    )
    .executeTakeFirst()
  if (record === undefined) throw notFound('response', responseId)
  return { ...held, record }
}

export type Answers = {
  /** The answer that is asked for, whole. */
  readonly standing: StoredResponse | null
  /** Who answered the record, and how. */
  readonly answers: readonly Answered[]
  /** Whether an answer of this user to this record was ever deleted. */
  readonly buried: boolean
}

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
  const rows = await db.sql
    .selectFrom('records')
    .leftJoin('responses', (join) =>
      join.onRef('responses.dataset_no', '=', 'records.dataset_no').onRef('responses.seq', '=', 'records.seq'),
    )
    .select(['responses.user_id', 'responses.status', 'responses.id', 'responses.record_id', 'responses.version'])
    .select(['responses.last_mutation_id', 'responses.inserted_at', 'responses.updated_at'])
    .select((eb) => [
      eb.case().when(`responses.${wanted.column}`, '=', wanted.is).then(eb.ref('responses.values')).end().as('values'),
      eb
        .exists(
          eb
            .selectFrom('response_tombstones')
            .select('response_tombstones.id')
            .whereRef('response_tombstones.dataset_no', '=', 'records.dataset_no')
            .whereRef('response_tombstones.seq', '=', 'records.seq')
            .where('response_tombstones.user_id', '=', wanted.is),
        )
        .as('buried'),
    ])
    .where('records.dataset_no', '=', record.dataset_no)
    .where('records.id', '=', record.id)
    .execute()
  // NOTE: the record's own row comes alone when there is no answer
  const found = rows.filter(({ id }) => id !== null) as unknown as readonly (StoredResponse & { readonly buried: unknown })[]
  const whole = found.find((row) => row[wanted.column] === wanted.is)
  const { buried: _, ...standing } = whole ?? { buried: null }
  return {
    standing: whole === undefined ? null : (standing as StoredResponse),
    answers: found.map(({ user_id, status }) => ({ user_id, status })),
    buried: Boolean(rows[0]?.buried),
  }
}

/** The dataset's questions in creation order. */
export const loadQuestions = async (db: Db, datasetNo: number): Promise<readonly ScopeQuestion[]> => {
  const rows = await db.sql
    .selectFrom('questions')
    .select(['no', 'name', 'required', 'settings'])
    .where('dataset_id', '=', (eb) => eb.selectFrom('datasets').select('datasets.id').where('datasets.no', '=', datasetNo))
    .orderBy('no')
    .execute()
  // Settings were made by the schemas of their types when they were stored.
  return rows as unknown as readonly ScopeQuestion[]
}

/** The record's fields by name. They may be large: read only when a value refers to them. */
export const loadFields = async (db: Db, datasetNo: number, seq: number): Promise<{ readonly [name: string]: unknown }> => {
  const row = await db.sql
    .selectFrom('records')
    .select('fields')
    .where('dataset_no', '=', datasetNo)
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow()
  return row.fields
}
