import type { Condition, ConditionMetadata } from '@postil/contract/conditions.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import type { AnsweredRecord } from '@postil/contract/record-rules.ts'
import { sql as raw } from 'kysely'
import { hidingRuleFor, type SuggestionRule } from '#features/suggestion-visibility/public.ts'
import { refuseAgent } from '#platform/auth/actor.ts'
import { isMember } from '#platform/auth/membership.ts'
import type { Db } from '#platform/db/db.ts'
import { withDatasetOf } from '#platform/db/keys/find-dataset.ts'
import { holdDatasetAndUser } from '#platform/db/locks.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { RecordStatus } from '#platform/db/tables.ts'

export type ScopeDataset = {
  readonly id: string
  readonly no: number
  readonly min_submitted: number
  /** The review settings as saved; null for the defaults. */
  readonly review: { readonly [key: string]: unknown } | null
}
export type ScopeRecord = {
  readonly id: string
  readonly seq: number
  readonly status: RecordStatus
  readonly submitted: number
  /** The number of answers that the record needs in addition to the dataset's minimum. */
  readonly extra_answers: number
}
export type ScopeQuestion = {
  readonly no: number
  readonly name: string
  readonly required: boolean
  readonly settings: QuestionSettings
  /** Null if the question is always shown. */
  readonly shown_when: Condition | null
}

/**
 * The parts of a record on which the rules for answers depend. Parts may be large, so a part that no question refers to is null.
 */
type RecordContent = {
  readonly fields: { readonly [name: string]: unknown } | null
  readonly metadata: ConditionMetadata
}

/** What the query that locks a record reads in addition to the record's place and status. */
type BesideRecord = RecordContent & {
  /** Whether the caller has ever answered in the dataset. Still true if the answers were deleted. */
  readonly hasAnsweredBefore: boolean
}

/** Returns the parts of a locked record that the rules for answers need. */
export const contentOf = ({ fields, metadata }: RecordContent): AnsweredRecord =>
  // Fields were validated by the contract's schema when they were stored.
  ({ fields: (fields ?? {}) as FieldValues, metadata })

/**
 * The context of an answer, locked until the command ends. The record is locked exclusively. The dataset's distribution
 * settings are locked against changes.
 */
export type Scope = {
  readonly dataset: ScopeDataset
  readonly member: boolean
  /** The rule by which suggestions are hidden from the caller; null if the caller sees all of them. */
  readonly hidingRule: SuggestionRule | null
  /** False when no webhook is enabled. */
  readonly hasWebhooks: boolean
  readonly record: ScopeRecord
} & BesideRecord
type LockedDataset = Omit<Scope, 'record' | keyof BesideRecord>

/** Reads only small tables, so that the coordinator of a cluster can answer without asking the dataset's node. */
const datasetAndUser = prepared((db, { no, userId }: { readonly no: number; readonly userId: string }) =>
  db.sql
    .selectFrom(['datasets', 'users'])
    .select([
      'datasets.id',
      'datasets.no',
      'datasets.min_submitted',
      'datasets.review',
      'datasets.suggestion_rule',
      'users.role',
      'users.is_agent',
    ])
    .select((eb) => [
      isMember(userId).as('member'),
      eb.exists(eb.selectFrom('webhooks').select('webhooks.id').where('webhooks.enabled', '=', true)).as('hasWebhooks'),
    ])
    .where('datasets.no', '=', no)
    .where('datasets.gone_at', 'is', null)
    .where('users.id', '=', userId),
)

/**
 * Locks the dataset and the answering user. Without the lock, a user could add answers while another command deletes the user or
 * turns the user into an agent. That command would miss these answers. Returns null if the dataset or the user has been deleted.
 * @throws Problem forbidden for an agent
 */
export const lockDataset = async (db: Db, no: number, userId: string): Promise<LockedDataset | null> => {
  const [, [row]] = await pipeline([holdDatasetAndUser(db, no, userId), datasetAndUser(db, { no, userId })])
  if (row === undefined) return null
  const { member, hasWebhooks, suggestion_rule, role, is_agent, ...dataset } = row
  refuseAgent({ is_agent })
  return {
    dataset,
    member: Boolean(member),
    hidingRule: hidingRuleFor({ role }, { suggestion_rule }),
    hasWebhooks: Boolean(hasWebhooks),
  }
}

/**
 * Patterns that match the JSON of question settings that refer to a field (`answerFieldOf`). Text inside a JSON string can't
 * match, because its quotes are escaped.
 */
const REFERS_TO_FIELD = ['%"field":%', '%"choose_from":%']

/** Pattern that matches the JSON of conditions that refer to metadata. */
const REFERS_TO_METADATA = ['%"metadata":%']

const isReferred = (no: number, column: 'settings' | 'shown_when', patterns: readonly string[]) =>
  raw<boolean>`exists (select 1 from questions inner join datasets on datasets.id = questions.dataset_id
    where datasets.no = ${no} and (${raw.join(
      patterns.map((pattern) => raw`${raw.ref(`questions.${column}`)} like ${pattern}`),
      raw` or `,
    )}))`

type Place = { readonly no: number; readonly userId: string }

/**
 * Locks the record. The same query also reads:
 * - the record's fields, if a question refers to a field
 * - the record's metadata, if a condition refers to metadata
 * - whether the user has answered in the dataset before
 */
const lockedRecord = (db: Db, { no, userId }: Place) =>
  db.dialect.forUpdate(
    db.sql
      .selectFrom('records')
      .select(['id', 'seq', 'status', 'submitted', 'extra_answers'])
      .select((eb) => [
        eb
          .case()
          .when(isReferred(no, 'settings', REFERS_TO_FIELD))
          .then(eb.ref('records.fields'))
          .end()
          .as('fields'),
        eb
          .case()
          .when(isReferred(no, 'shown_when', REFERS_TO_METADATA))
          .then(eb.ref('records.metadata'))
          .end()
          .as('metadata'),
        eb
          .exists(
            eb
              .selectFrom('dataset_users')
              .select('dataset_users.user_id')
              .where('dataset_users.dataset_no', '=', no)
              .where('dataset_users.user_id', '=', userId),
          )
          .as('hasAnsweredBefore'),
      ])
      .where('dataset_no', '=', no),
  )
// `wanted` is passed on as a whole, because a placeholder object can't be spread.
const recordById = prepared((db, wanted: Place & { readonly id: string }) => lockedRecord(db, wanted).where('id', '=', wanted.id))
const recordBySeq = prepared((db, wanted: Place & { readonly seq: number }) =>
  lockedRecord(db, wanted).where('seq', '=', wanted.seq),
)

/** Locks the next records after a `seq`, for jobs that change all records of a dataset. @returns their `seq`s in order */
export const lockNextRecords = async (
  db: Db,
  datasetNo: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly number[]> => {
  const next = db.sql
    .selectFrom('records')
    .select('seq')
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
  return (await db.dialect.forUpdate(next).execute()).map(({ seq }) => seq)
}

/** Locks records in `seq` order. Deleted records are left out. */
export const lockRecords = (db: Db, place: Place, seqs: readonly number[]) =>
  lockedRecord(db, place).where('seq', 'in', db.dialect.listed(seqs)).orderBy('seq').execute()

/** The parts of a `Scope` that come from the query that locks a record. */
export const recordScope = ({
  fields,
  metadata,
  hasAnsweredBefore,
  ...record
}: Awaited<ReturnType<typeof lockRecords>>[number]) => ({
  record,
  fields,
  metadata,
  hasAnsweredBefore: Boolean(hasAnsweredBefore),
})

/** Locks a record of a dataset. Returns null if the dataset has no record with this ID. */
export const scopeOfRecord = async (db: Db, recordId: string, { no, userId }: Place): Promise<Scope | null> => {
  const [lockedDataset, [record]] = await pipeline([lockDataset(db, no, userId), recordById(db, { no, userId, id: recordId })])
  if (lockedDataset === null || record === undefined) return null
  return { ...lockedDataset, ...recordScope(record) }
}

type ResponseKey = { readonly no: number; readonly id: string }
const placeOfResponse = prepared((db, { no, id }: ResponseKey) =>
  db.sql.selectFrom('responses').select('seq').where('dataset_no', '=', no).where('id', '=', id),
)

const scopeWithResponse = async (db: Db, responseId: string, { no, userId }: Place): Promise<Scope | null> => {
  const [lockedDataset, [place]] = await pipeline([lockDataset(db, no, userId), placeOfResponse(db, { no, id: responseId })])
  if (lockedDataset === null || place === undefined) return null
  const [locked] = await recordBySeq(db, { no, userId, seq: place.seq })
  if (locked === undefined) return null
  return { ...lockedDataset, ...recordScope(locked) }
}

/** Locks the record to which a response belongs; null if there is no such response. */
export const scopeOfResponse = (db: Db, responseId: string, userId: string): Promise<Scope | null> =>
  withDatasetOf(db, 'responses', responseId, (no) => scopeWithResponse(db, responseId, { no, userId }))

const selectQuestions = prepared((db, { no }: { readonly no: number }) =>
  db.sql
    .selectFrom('questions')
    .select(['no', 'name', 'required', 'settings', 'shown_when'])
    .where('dataset_id', '=', (eb) => eb.selectFrom('datasets').select('datasets.id').where('datasets.no', '=', no))
    .orderBy('no'),
)

/** Returns the dataset's questions in creation order. */
export const loadQuestions = async (db: Db, datasetNo: number): Promise<readonly ScopeQuestion[]> =>
  // Settings were validated by their types' schemas when they were stored.
  (await selectQuestions(db, { no: datasetNo })) as unknown as readonly ScopeQuestion[]
