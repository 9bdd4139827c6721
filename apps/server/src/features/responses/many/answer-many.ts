import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import { checkAnswerValue } from '@postil/contract/question-types/index.ts'
import { checkResponse } from '@postil/contract/record-rules.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { Reason } from '@postil/contract/wire/message.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { openOutbox } from '#platform/events/outbox.ts'
import { now } from '#platform/time.ts'
import type { Sent } from '../check.ts'
import { touchActivity } from '../counters/counts.ts'
import { emitChange } from '../events.ts'
import { responsePolicy } from '../policy.ts'
import { responsesOfRecords } from '../queries.ts'
import type { StoredResponse } from '../rows.ts'
import type { Scope, ScopeQuestion } from '../scope.ts'
import { loadQuestions, lockDataset, lockRecords } from '../scope.ts'
import { isUnchanged, type RecordWithResponses, type Settled, storeBulkResponses, tombstonesBySeq } from './bulk-store.ts'

export type AnswerManyArgs = {
  readonly user: Actor
  readonly dataset_no: number
  /** Distinct records, each with the version that the caller's answer must have; 0 if there must be no answer. */
  readonly items: readonly { readonly seq: number; readonly version: number }[]
  readonly sent: Sent
  /** Names of the questions whose values differ by record: see `ownValues`. */
  readonly own: readonly string[]
}

/**
 * The outcome of an item. `changed`: the caller's answer doesn't have the expected version. `version`: the stored answer's
 * version, which stays the same if the existing answer was already equal.
 */
export type ManyOutcome = { readonly seq: number } & (
  | { readonly outcome: 'stored'; readonly version: number }
  | { readonly outcome: 'changed' | 'gone' }
  | { readonly outcome: 'invalid'; readonly reason: Reason }
)

type Suggested = ReadonlyMap<string, AnswerValues[string]['value']>

/** Returns the records' suggestions for some questions, by `seq` and question number. */
const suggestionsFor = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
  questions: readonly ScopeQuestion[],
): Promise<Suggested> => {
  if (questions.length === 0 || seqs.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('suggestions')
    .select(['seq', 'question_no', 'value'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .where(
      'question_no',
      'in',
      questions.map(({ no }) => no),
    )
    .execute()
  // Suggestions were validated against their questions' rules when they were stored.
  return new Map(rows.map(({ seq, question_no, value }) => [`${seq} ${question_no}`, value as AnswerValues[string]['value']]))
}

type RecordInput = {
  readonly seq: number
  readonly fields: FieldValues
  readonly current: StoredResponse | null
  readonly suggested: Suggested
}

/**
 * Returns the values for one record. For a question in `own`, uses the value from the caller's existing answer or, if there is
 * none, the suggestion.
 */
const ownValues = (
  sent: AnswerValues,
  own: readonly ScopeQuestion[],
  { seq, fields, current, suggested }: RecordInput,
): AnswerValues => {
  const ownEntries = own.flatMap(({ no, name, settings }) => {
    const value = current === null ? suggested.get(`${seq} ${no}`) : (current.values as AnswerValues)[name]?.value
    const fits = value !== undefined && checkAnswerValue(value, { settings, submitted: false, fields }) === null
    return fits ? [[name, { value }] as const] : []
  })
  return { ...sent, ...Object.fromEntries(ownEntries) }
}

type StoredAnswers = {
  readonly userId: string
  readonly stored: readonly RecordWithResponses[]
  readonly settled: ReadonlyMap<number, Settled>
  /** Records to which the user already had an answer. */
  readonly before: ReadonlyMap<number, unknown>
}

/** Emits the same webhook events as if each answer had been submitted separately. */
export const emitMany = async (
  db: Db,
  lockedDataset: Omit<Scope, 'record' | 'fields'>,
  { userId, stored, settled, before }: StoredAnswers,
): Promise<void> => {
  const outbox = await openOutbox(db)
  const seqs = stored.map(({ record }) => record.seq)
  const answers = await responsesOfRecords(db, lockedDataset.dataset.no, seqs, userId)
  for (const { record } of stored) {
    const response = answers.get(record.seq)?.[0]
    if (response === undefined) continue
    const { status, submitted } = settled.get(record.seq) ?? record
    const scope: Scope = { ...lockedDataset, record: { ...record, status, submitted }, fields: null }
    const event = before.has(record.seq) ? 'response.updated' : 'response.created'
    await emitChange(db, outbox, { scope, status, response, event, at: response.updated_at })
  }
}

type ManyArgs = Pick<AnswerManyArgs, 'user' | 'dataset_no'> & { readonly items: readonly { readonly seq: number }[] }

/**
 * Prepares a change of the caller's answers to many records: locks the dataset and the records, and loads the questions and
 * answers. Records and answers are keyed by `seq`. @returns null if the dataset or the user has been deleted. @throws Problem
 * forbidden
 */
export const lockMany = async (db: Db, { user, dataset_no, items }: ManyArgs) => {
  const lockedDataset = await lockDataset(db, dataset_no, user.id)
  if (lockedDataset === null) return null
  if (!responsePolicy.create(user, lockedDataset)) throw forbidden()
  const questions = await loadQuestions(db, dataset_no)
  const seqs = items.map(({ seq }) => seq)
  const records = new Map((await lockRecords(db, dataset_no, seqs)).map((record) => [record.seq, record]))
  const current = await responsesOfRecords(db, dataset_no, seqs, user.id)
  return { lockedDataset, questions, seqs, records, current }
}

/**
 * Stores the caller's answer for many records of a dataset and applies all side effects, in the caller's transaction. Records
 * that can't be answered stay unchanged and are reported.
 * @returns one outcome per item, in input order; null if the dataset or the user has been deleted. @throws Problem forbidden
 */
export const answerMany = async (db: Db, args: AnswerManyArgs): Promise<readonly ManyOutcome[] | null> => {
  const { user, dataset_no, items, sent, own } = args
  const locked = await lockMany(db, args)
  if (locked === null) return null
  const { lockedDataset, questions, seqs, records, current } = locked
  const unanswered = seqs.filter((seq) => !current.has(seq))
  const tombstones = await tombstonesBySeq(db, dataset_no, unanswered)
  const ownQuestions = questions.filter(({ name }) => own.includes(name))
  const suggested = await suggestionsFor(db, dataset_no, seqs, ownQuestions)

  const stored: RecordWithResponses[] = []
  const outcomes = items.map(({ seq, version }): ManyOutcome => {
    const record = records.get(seq)
    if (record === undefined) return { seq, outcome: 'gone' }
    const before = current.get(seq)?.[0] ?? null
    if ((before?.version ?? 0) !== version) return { seq, outcome: 'changed' }
    // Fields were validated by the contract's schema when they were stored.
    const fields = (record.fields ?? {}) as FieldValues
    const values = ownValues(sent.values, ownQuestions, { seq, fields, current: before, suggested })
    const reason = checkResponse(values, sent.status, questions, fields)
    if (reason !== null) return { seq, outcome: 'invalid', reason }
    stored.push({ record, responses: [{ user_id: user.id, status: sent.status, values }] })
    if (isUnchanged(before, { status: sent.status, values })) return { seq, outcome: 'stored', version }
    return { seq, outcome: 'stored', version: (before?.version ?? tombstones.get(`${seq} ${user.id}`) ?? 0) + 1 }
  })
  const { dataset } = lockedDataset
  const settled = await storeBulkResponses(db, { dataset, questions, actor: user.id, items: stored })
  if (stored.length > 0) await touchActivity(db, dataset_no, user.id, now())
  if (lockedDataset.hasWebhooks && stored.length > 0)
    await emitMany(db, lockedDataset, { userId: user.id, stored, settled, before: current })
  return outcomes
}
