import type { AnswerValue, AnswerValues } from '@postil/contract/answer-value.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import { checkAnswerValue } from '@postil/contract/question-types/index.ts'
import { SuggestionOutcomes } from '@postil/contract/suggestion-outcomes.ts'
import { type SuggestionUse, suggestionOutcome } from '@postil/contract/suggestion-use.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import type { Reason } from '@postil/contract/wire/message.ts'
import { autoGoldOf } from '#features/gold/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import { type AnswerChange, applyAnswers } from '../apply-answers.ts'
import { responsePolicy } from '../policy.ts'
import type { StoredResponse } from '../rows.ts'
import type { ScopeQuestion } from '../scope.ts'
import { loadQuestions, lockDataset, lockRecords } from '../scope.ts'
import type { SentAnswer } from '../sent-answer.ts'
import { loadAnswers } from '../stored-answers.ts'

export type AnswerManyArgs = {
  readonly user: Actor
  readonly dataset_no: number
  /** Distinct records, each with the version that the caller's answer must have; 0 if there must be no answer. */
  readonly items: readonly { readonly seq: number; readonly version: number }[]
  readonly sent: { readonly status: ResponseStatus; readonly values: AnswerValues }
  /** Names of the questions whose values differ by record: see `valueFor`. */
  readonly own: readonly string[]
  /** Names of the questions in `own` whose suggestions aren't accepted. */
  readonly skip: readonly string[]
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

type Suggested = { readonly value: AnswerValue; readonly agent: string | null }
type SuggestedValues = ReadonlyMap<string, Suggested>
const suggestionKey = (seq: number, questionNo: number): string => `${seq} ${questionNo}`

/** Returns the records' suggestions for some questions. */
const suggestionsFor = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
  questions: readonly ScopeQuestion[],
): Promise<SuggestedValues> => {
  if (questions.length === 0 || seqs.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('suggestions')
    .select(['seq', 'question_no', 'value', 'agent'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .where(
      'question_no',
      'in',
      questions.map(({ no }) => no),
    )
    .execute()
  // Suggestions were validated against their questions' rules when they were stored.
  return new Map(
    rows.map(({ seq, question_no, value, agent }) => [suggestionKey(seq, question_no), { value: value as AnswerValue, agent }]),
  )
}

type RecordInput = {
  readonly seq: number
  readonly fields: FieldValues
  readonly current: StoredResponse | null
  readonly suggestions: SuggestedValues
}
type Given = Pick<AnswerManyArgs, 'sent' | 'own' | 'skip'>
type OneValue = { readonly value: AnswerValue | null; readonly use: SuggestionUse | null }

/**
 * Returns the value for one question of a record. For a question in `own`, it is the value of the caller's existing answer or,
 * if there is none, the suggestion, which nobody has looked at.
 */
const valueFor = (question: ScopeQuestion, { sent, own, skip }: Given, record: RecordInput): OneValue => {
  const { no, name, settings } = question
  const { fields, current } = record
  const suggestion = record.suggestions.get(suggestionKey(record.seq, no))
  const judged = (value: AnswerValue | null, isSeen: boolean): SuggestionUse | null =>
    suggestion === undefined || value === null
      ? null
      : { outcome: suggestionOutcome(value, suggestion.value, { isSeen }), agent: suggestion.agent }
  if (own.includes(name)) {
    const fits = (value: AnswerValue) => checkAnswerValue(value, { settings, submitted: false, fields }) === null
    const earlier = (current?.values as AnswerValues | undefined)?.[name]?.value
    if (earlier !== undefined && fits(earlier)) return { value: earlier, use: current?.suggestion_outcomes?.[name] ?? null }
    const isOffered = current === null && suggestion !== undefined && fits(suggestion.value)
    if (isOffered && skip.includes(name)) return { value: null, use: null }
    if (isOffered) return { value: suggestion.value, use: judged(suggestion.value, false) }
  }
  const value = sent.values[name]?.value ?? null
  return { value, use: judged(value, true) }
}

/** Returns the answer to one record. */
const answerFor = (questions: readonly ScopeQuestion[], given: Given, record: RecordInput): SentAnswer => {
  const isKnown = (name: string): boolean => questions.some((question) => question.name === name)
  const values = Object.entries(given.sent.values).filter(([name]) => !isKnown(name))
  const uses: [string, SuggestionUse][] = []
  for (const question of questions) {
    const { value, use } = valueFor(question, given, record)
    if (value !== null) values.push([question.name, { value }])
    if (use !== null) uses.push([question.name, use])
  }
  const answer = { status: given.sent.status, values: Object.fromEntries(values) }
  const { current } = record
  const isUnknown = current?.suggestion_outcomes === null && jsonEquals(current.values, answer.values)
  return isUnknown ? answer : { ...answer, suggestion_outcomes: SuggestionOutcomes.parse(Object.fromEntries(uses)) }
}

type ManyArgs = Pick<AnswerManyArgs, 'user' | 'dataset_no'> & { readonly items: readonly { readonly seq: number }[] }

/**
 * Prepares a change to the caller's answers to many records: locks the dataset and the records, and loads the questions and
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
  const stored = await loadAnswers(db, dataset_no, seqs)
  return { lockedDataset, questions, records, stored }
}

type LockedMany = NonNullable<Awaited<ReturnType<typeof lockMany>>>

/** A change to the caller's answer to an item's record, or the reason why the answer can't be changed. */
export type ManyChange = { readonly seq: number } & (
  | { readonly change: Pick<AnswerChange, 'record' | 'after' | 'base' | 'fields'> }
  | { readonly outcome: 'changed' | 'gone' }
)

/** Applies the changes that can be made. @returns one outcome per item, in input order */
export const changeMany = async (
  db: Db,
  userId: string,
  { lockedDataset, questions, stored }: LockedMany,
  items: readonly ManyChange[],
): Promise<readonly ManyOutcome[]> => {
  const { outcomes } = await applyAnswers(db, {
    dataset: lockedDataset.dataset,
    questions,
    actor: userId,
    changes: items.flatMap((item) => ('change' in item ? [{ ...item.change, author: userId }] : [])),
    stored,
    keepsEqual: true,
    autoGold: autoGoldOf(lockedDataset.dataset),
    activity: lockedDataset,
    knowsAuthors: lockedDataset.hasAnsweredBefore,
  })
  const next = outcomes.values()
  return items.map((item): ManyOutcome => {
    const { seq } = item
    if ('outcome' in item) return item
    const applied = next.next().value
    if (applied === undefined) throw new Error('a change has no outcome')
    if (applied.outcome === 'changed') return { seq, outcome: 'changed' }
    if (applied.outcome === 'invalid') return { seq, outcome: 'invalid', reason: applied.reason }
    const { before, after } = applied
    return { seq, outcome: 'stored', version: after?.version ?? (before?.version ?? 0) + 1 }
  })
}

/**
 * Stores the caller's answer for many records of a dataset and applies all side effects, in the caller's transaction. Records
 * that can't be answered stay unchanged and are reported.
 * @returns one outcome per item, in input order; null if the dataset or the user has been deleted. @throws Problem forbidden
 */
export const answerMany = async (db: Db, args: AnswerManyArgs): Promise<readonly ManyOutcome[] | null> => {
  const { user, dataset_no, items } = args
  const locked = await lockMany(db, args)
  if (locked === null) return null
  const { questions, records, stored } = locked
  const seqs = items.map(({ seq }) => seq)
  const suggestions = await suggestionsFor(db, dataset_no, seqs, questions)
  const changes = items.map(({ seq, version }): ManyChange => {
    const record = records.get(seq)
    if (record === undefined) return { seq, outcome: 'gone' }
    const current = stored.get(seq)?.responses.get(user.id) ?? null
    // Fields were validated by the contract's schema when they were stored.
    const fields = (record.fields ?? {}) as FieldValues
    const after = answerFor(questions, args, { seq, fields, current, suggestions })
    return { seq, change: { record, fields, after, base: version === 0 ? null : version } }
  })
  return changeMany(db, user.id, locked, changes)
}
