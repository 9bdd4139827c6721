import type { AnswerValue, AnswerValues } from '@postil/contract/answer-value.ts'
import { refusedQuestions, shownValues } from '@postil/contract/conditions.ts'
import { checkAnswerValue } from '@postil/contract/question-types/index.ts'
import type { AnsweredRecord } from '@postil/contract/record-rules.ts'
import { SuggestionOutcomes } from '@postil/contract/suggestion-outcomes.ts'
import { type SuggestionUse, suggestionOutcome } from '@postil/contract/suggestion-use.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { autoGoldOf } from '#features/gold/public.ts'
import { shownSuggestions } from '#features/suggestion-visibility/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import { type AnswerChange, applyAnswers } from '../apply-answers.ts'
import { answerToTest, type StoredResponse } from '../rows.ts'
import { contentOf, type ScopeQuestion } from '../scope.ts'
import type { SentAnswer } from '../sent-answer.ts'
import { type LockedMany, lockMany, type ManyOutcome } from './lock-many.ts'
import { changeTestAnswer, testsAmong } from './test-answers.ts'

type AnswerManyArgs = {
  readonly user: Actor
  readonly dataset_no: number
  /** Distinct records, each with the version that the caller's answer must have; 0 if there must be no answer. */
  readonly items: readonly { readonly seq: number; readonly version: number }[]
  readonly sent: { readonly status: ResponseStatus; readonly values: AnswerValues }
  /** Names of the questions for which each record gets a value of its own. `valueFor` describes which value. */
  readonly own: readonly string[]
  /** Names of the questions in `own` whose suggestions must not be used as answers. */
  readonly skip: readonly string[]
  /** A label to add to every answer. If it is set, submitted answers stay submitted. */
  readonly label?: LabelToSet | undefined
}

/** `value`: one label replaces the earlier label; a list of labels is added to the earlier labels. */
export type LabelToSet = { readonly question: string; readonly value: string | readonly string[] }

type Suggested = { readonly value: AnswerValue; readonly agent: string | null }
type SuggestedValues = ReadonlyMap<string, Suggested>
const suggestionKey = (seq: number, questionNo: number): string => `${seq} ${questionNo}`

/** Returns the records' suggestions that the user sees. */
const suggestionsFor = async (
  db: Db,
  { lockedDataset, questions }: LockedMany,
  userId: string,
  seqs: readonly number[],
): Promise<SuggestedValues> => {
  const datasetNo = lockedDataset.dataset.no
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
  const rule = lockedDataset.hidingRule
  const shown = await shownSuggestions(db, rule && { rule, userId }, { datasetNo, suggestions: rows })
  // The cast is safe, because suggestions were validated against their questions' rules when they were stored.
  return new Map(
    shown.map(({ seq, question_no, value, agent }) => [suggestionKey(seq, question_no), { value: value as AnswerValue, agent }]),
  )
}

type RecordInput = {
  readonly seq: number
  readonly content: AnsweredRecord
  readonly current: StoredResponse | null
  readonly suggestions: SuggestedValues
}
type Given = Pick<AnswerManyArgs, 'sent' | 'own' | 'skip' | 'label'>
type OneValue = { readonly value: AnswerValue | null; readonly use: SuggestionUse | null }

/** Returns the label or, if labels are added, the earlier labels together with the new ones. */
const withLabel = (earlier: AnswerValue | undefined, { value }: LabelToSet): AnswerValue => {
  if (typeof value === 'string') return value
  const labels = Array.isArray(earlier) ? earlier.filter((label) => typeof label === 'string') : []
  return [...new Set([...labels, ...value])]
}

/**
 * Returns the value for one question of a record. For a question in `own`, it is the first of these values that exists and is
 * valid:
 * - the value in the caller's answer to the record
 * - if the caller hasn't answered the record: the suggestion, which counts as unseen. If the question is in `skip`, null is
 *   returned instead
 * - the sent value
 */
const valueFor = (question: ScopeQuestion, { sent, own, skip, label }: Given, record: RecordInput): OneValue => {
  const { no, name, settings } = question
  const { content, current } = record
  const suggestion = record.suggestions.get(suggestionKey(record.seq, no))
  const judged = (value: AnswerValue | null, isSeen: boolean): SuggestionUse | null =>
    suggestion === undefined || value === null
      ? null
      : { outcome: suggestionOutcome(value, suggestion.value, { isSeen }), agent: suggestion.agent }
  if (label?.question === name) {
    const value = withLabel((current?.values as AnswerValues | undefined)?.[name]?.value, label)
    return { value, use: judged(value, true) }
  }
  if (own.includes(name)) {
    const fits = (value: AnswerValue) => checkAnswerValue(value, { settings, submitted: false, fields: content.fields }) === null
    const earlier = (current?.values as AnswerValues | undefined)?.[name]?.value
    if (earlier !== undefined && fits(earlier)) return { value: earlier, use: current?.suggestion_outcomes?.[name] ?? null }
    const isOffered = current === null && suggestion !== undefined && fits(suggestion.value)
    if (isOffered && skip.includes(name)) return { value: null, use: null }
    if (isOffered) return { value: suggestion.value, use: judged(suggestion.value, false) }
  }
  const value = sent.values[name]?.value ?? null
  return { value, use: judged(value, true) }
}

/** Returns the answer to one record. Values of questions that are hidden on this record are left out of a submitted answer. */
const answerFor = (questions: readonly ScopeQuestion[], given: Given, record: RecordInput): SentAnswer => {
  const isKnown = (name: string): boolean => questions.some((question) => question.name === name)
  const values = Object.entries(given.sent.values).filter(([name]) => !isKnown(name))
  const uses: [string, SuggestionUse][] = []
  for (const question of questions) {
    const { value, use } = valueFor(question, given, record)
    if (value !== null) values.push([question.name, { value }])
    if (use !== null) uses.push([question.name, use])
  }
  const all: AnswerValues = Object.fromEntries(values)
  const { current } = record
  const status = given.label !== undefined && current?.status === 'submitted' ? current.status : given.sent.status
  const hidden = status === 'submitted' ? refusedQuestions(questions, all, record.content.metadata) : new Set<string>()
  const answer = { status, values: shownValues(all, hidden) }
  const isUnknown = current?.suggestion_outcomes === null && jsonEquals(current.values, answer.values)
  return isUnknown
    ? answer
    : { ...answer, suggestion_outcomes: SuggestionOutcomes.parse(shownValues(Object.fromEntries(uses), hidden)) }
}

/**
 * Either the change that an item makes to the caller's regular answer or, if the item doesn't make such a change, the item's
 * outcome.
 */
export type ManyChange =
  | ManyOutcome
  | { readonly seq: number; readonly change: Pick<AnswerChange, 'record' | 'after' | 'base' | 'content'> }

/** Applies the changes that can be made. @returns one outcome per item, in input order */
export const changeMany = async (
  db: Db,
  userId: string,
  { lockedDataset, questions, records, stored }: LockedMany,
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
    hidingRule: lockedDataset.hidingRule,
    activity: lockedDataset,
    knowsAuthors: records.values().some(({ hasAnsweredBefore }) => Boolean(hasAnsweredBefore)),
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
  const { user, items } = args
  const locked = await lockMany(db, args)
  if (locked === null) return null
  const { questions, records, stored } = locked
  const seqs = items.map(({ seq }) => seq)
  const suggestions = await suggestionsFor(db, locked, user.id, seqs)
  const tests = await testsAmong(db, user, locked)
  const changes: ManyChange[] = []
  for (const { seq, version } of items) {
    const record = records.get(seq)
    if (record === undefined) {
      changes.push({ seq, outcome: 'gone' })
      continue
    }
    const test = tests.get(seq)
    const current = test === undefined ? (stored.get(seq)?.responses.get(user.id) ?? null) : answerToTest(test)
    const content = contentOf(record)
    const after = answerFor(questions, args, { seq, content, current, suggestions })
    const base = version === 0 ? null : version
    changes.push(
      test === undefined
        ? { seq, change: { record, content, after, base } }
        : await changeTestAnswer(db, locked, { user, seq, current: test, base, after }),
    )
  }
  return changeMany(db, user.id, locked, changes)
}
