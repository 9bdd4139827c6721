import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import { checkAnswerValue } from '@postil/contract/question-types/rules.ts'
import { checkResponse } from '@postil/contract/record-rules.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { Db } from '#platform/db/db.ts'
import { openOutbox } from '#platform/events/outbox.ts'
import { now } from '#platform/time.ts'
import type { Sent } from '../check.ts'
import { touchActivity } from '../counters/counts.ts'
import { emitChange } from '../events.ts'
import type { Actor } from '../policy.ts'
import { responsePolicy } from '../policy.ts'
import { responsesOfRecords } from '../queries.ts'
import type { StoredResponse } from '../rows.ts'
import type { Scope, ScopeQuestion } from '../scope.ts'
import { holdDataset, loadQuestions, lockRecords } from '../scope.ts'
import { gravesBySeq, isStanding, type RecordWithResponses, type Settled, storeBulkResponses } from './bulk-store.ts'

export type AnswerMany = {
  readonly user: Actor
  readonly dataset_no: number
  /** Records, each once, and the version that the caller's answer to it must have; 0 where there must be none. */
  readonly items: readonly { readonly seq: number; readonly version: number }[]
  readonly sent: Sent
  /** Names of questions that each record answers for itself: see `ownValues`. */
  readonly own: readonly string[]
}
/**
 * What became of an item: `changed` where the answer is not the one that was expected, `version` that of what was stored, which stays as it was
 * where it stood already.
 */
export type ManyOutcome = { readonly seq: number } & (
  | { readonly outcome: 'stored'; readonly version: number }
  | { readonly outcome: 'changed' | 'gone' }
  | { readonly outcome: 'invalid'; readonly reason: string }
)

type Suggested = ReadonlyMap<string, AnswerValues[string]['value']>

/** What is suggested for some questions of records, by `seq` and number of the question. */
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
  // Suggestions are stored as they passed the rules of their questions.
  return new Map(rows.map(({ seq, question_no, value }) => [`${seq} ${question_no}`, value as AnswerValues[string]['value']]))
}

type OfRecord = {
  readonly seq: number
  readonly fields: FieldValues
  readonly standing: StoredResponse | null
  readonly suggested: Suggested
}

/** The values for one record: of a question that it answers for itself what the caller's answer says, or where there is no answer yet what is suggested. */
const ownValues = (
  sent: AnswerValues,
  own: readonly ScopeQuestion[],
  { seq, fields, standing, suggested }: OfRecord,
): AnswerValues => {
  const given = own.flatMap(({ no, name, settings }) => {
    const value = standing === null ? suggested.get(`${seq} ${no}`) : (standing.values as AnswerValues)[name]?.value
    const fits = value !== undefined && checkAnswerValue(value, { settings, submitted: false, fields }) === null
    return fits ? [[name, { value }] as const] : []
  })
  return { ...sent, ...Object.fromEntries(given) }
}

type Told = {
  readonly userId: string
  readonly stored: readonly RecordWithResponses[]
  readonly settled: ReadonlyMap<number, Settled>
  /** Whose records had an answer of the user. */
  readonly before: ReadonlyMap<number, unknown>
}

/** Tells webhooks of the answers, as if each had been given alone. */
export const emitMany = async (
  db: Db,
  held: Omit<Scope, 'record' | 'fields'>,
  { userId, stored, settled, before }: Told,
): Promise<void> => {
  const outbox = await openOutbox(db)
  const seqs = stored.map(({ record }) => record.seq)
  const answers = await responsesOfRecords(db, held.dataset.no, seqs, userId)
  for (const { record } of stored) {
    const response = answers.get(record.seq)?.[0]
    if (response === undefined) continue
    const { status, submitted } = settled.get(record.seq) ?? record
    const scope: Scope = { ...held, record: { ...record, status, submitted }, fields: null }
    const event = before.has(record.seq) ? 'response.updated' : 'response.created'
    await emitChange(db, outbox, { scope, status, response, event, at: response.updated_at })
  }
}

type Many = Pick<AnswerMany, 'user' | 'dataset_no'> & { readonly items: readonly { readonly seq: number }[] }

/**
 * What changing the caller's answers to many records begins with: the dataset, held, its questions, the records, locked, and the answers, both by
 * `seq`. @returns null when the dataset or the user is gone. @throws Problem forbidden
 */
export const holdMany = async (db: Db, { user, dataset_no, items }: Many) => {
  const held = await holdDataset(db, dataset_no, user.id)
  if (held === null) return null
  if (!responsePolicy.create(user, held)) throw forbidden()
  const questions = await loadQuestions(db, dataset_no)
  const seqs = items.map(({ seq }) => seq)
  const records = new Map((await lockRecords(db, dataset_no, seqs)).map((record) => [record.seq, record]))
  const standing = await responsesOfRecords(db, dataset_no, seqs, user.id)
  return { held, questions, seqs, records, standing }
}

/**
 * Gives many records of a dataset the caller's answer, in the caller's transaction, with everything that follows from it. What cannot be
 * answered is left as it is, and told.
 * @returns one outcome for each item, in their order; null when the dataset or the user is gone. @throws Problem forbidden
 */
export const answerMany = async (db: Db, args: AnswerMany): Promise<readonly ManyOutcome[] | null> => {
  const { user, dataset_no, items, sent, own } = args
  const ground = await holdMany(db, args)
  if (ground === null) return null
  const { held, questions, seqs, records, standing } = ground
  const unanswered = seqs.filter((seq) => !standing.has(seq))
  const graves = await gravesBySeq(db, dataset_no, unanswered)
  const ownQuestions = questions.filter(({ name }) => own.includes(name))
  const suggested = await suggestionsFor(db, dataset_no, seqs, ownQuestions)

  const stored: RecordWithResponses[] = []
  const outcomes = items.map(({ seq, version }): ManyOutcome => {
    const record = records.get(seq)
    if (record === undefined) return { seq, outcome: 'gone' }
    const before = standing.get(seq)?.[0] ?? null
    if ((before?.version ?? 0) !== version) return { seq, outcome: 'changed' }
    // Fields are stored as they passed the contract's own schema.
    const fields = (record.fields ?? {}) as FieldValues
    const values = ownValues(sent.values, ownQuestions, { seq, fields, standing: before, suggested })
    const reason = checkResponse(values, sent.status, questions, fields)
    if (reason !== null) return { seq, outcome: 'invalid', reason }
    stored.push({ record, responses: [{ user_id: user.id, status: sent.status, values }] })
    if (isStanding(before, { status: sent.status, values })) return { seq, outcome: 'stored', version }
    return { seq, outcome: 'stored', version: (before?.version ?? graves.get(`${seq} ${user.id}`) ?? 0) + 1 }
  })
  const { dataset } = held
  const settled = await storeBulkResponses(db, { dataset, questions, actor: user.id, items: stored })
  if (stored.length > 0) await touchActivity(db, dataset_no, user.id, now())
  if (held.told && stored.length > 0) await emitMany(db, held, { userId: user.id, stored, settled, before: standing })
  return outcomes
}
