import { currentAnswerValue } from '@postil/contract/question-types/index.ts'
import { withLabels } from '@postil/contract/question-types/with-labels.ts'
import { type AnsweredRecord, checkResponse } from '@postil/contract/record-rules.ts'
import type { Reason } from '@postil/contract/wire/message.ts'
import { type AutoGold, outdateGoldOfAnswers, storeAutoGold } from '#features/gold/public.ts'
import { type SuggestionRule, viewOfAnswer } from '#features/suggestion-visibility/public.ts'
import { type Json, json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { prepared, preparedForRows } from '#platform/db/statements/prepared.ts'
import type { RecordStatus, ResponseStatus } from '#platform/db/tables.ts'
import { newDatasetId } from '#platform/ids.ts'
import { type Micros, now } from '#platform/time.ts'
import { writeAgreement } from './agreement/record-agreement.ts'
import { rememberUsers, touchActivity, writeTally } from './counters/counts.ts'
import { settleRecords } from './counters/settle.ts'
import { recordStatus, submittedDelta, Tally } from './counters/tally.ts'
import { emitChanges } from './events.ts'
import { replaceIndexRows } from './index-rows.ts'
import { isUnchanged, outcomesAfter, returnedAfter, shownAfter, withRetiredValues } from './kept-parts.ts'
import { endLease } from './leases.ts'
import { type Answer, activeTimeAfter, type Made, type SplitMark, writeHistory, writeTombstones } from './made-changes.ts'
import type { StoredResponse } from './rows.ts'
import type { ScopeQuestion, ScopeRecord } from './scope.ts'
import type { SentAnswer } from './sent-answer.ts'
import { dueIfSplit } from './split-labels.ts'
import { type AnswersOfRecord, type DeletedAnswer, noAnswers, submittedAfter } from './stored-answers.ts'

export type AnswerChange = {
  /** The record before the first change. The caller must have locked the record or created it in the same command. */
  readonly record: ScopeRecord
  readonly author: string
  /** The new answer; null removes the stored answer, if there is one. */
  readonly after: SentAnswer | null
  /** The version that the stored answer must have; null if there must be no answer. Omit it to change any version. */
  readonly base?: number | null | undefined
  /** The content of the record, to validate the answer. Omit it if the caller has validated it. */
  readonly content?: AnsweredRecord | undefined
  /** ID of the idempotent request that makes the change. */
  readonly mutationId?: string | undefined
  /** The active time that is sent with a removal. If the answer is created again, its active time includes this time. */
  readonly activeMs?: number | null | undefined
}

export type AnswerList = {
  readonly dataset: { readonly no: number; readonly min_submitted: number }
  /** All questions of the dataset. May be empty if the command deletes the records. */
  readonly questions: readonly ScopeQuestion[]
  /** The user who makes the changes; null if that user has already been deleted. */
  readonly actor: string | null
  /** Applied in order. An answer may be changed more than once. */
  readonly changes: readonly AnswerChange[]
  /** The answers, tombstones and leases that are stored before the changes, by `seq`. Records that have none may be missing. */
  readonly stored: ReadonlyMap<number, AnswersOfRecord>
  /** The rules by which completed records get final answers. If omitted or null, no record gets any. */
  readonly autoGold?: AutoGold | null
  /** The rule that hides suggestions from the actor. Null if none are hidden. Needed only if the actor gives the answers. */
  readonly hidingRule?: SuggestionRule | null
  /** Whether an answer that equals the stored one leaves its row, version and time unchanged. */
  readonly keepsEqual: boolean
  /**
   * Set if users give the answers. Then the dataset's last activity is updated, and events are emitted. Null for answers that are
   * imported with records, and for answers that are deleted with their record or author.
   */
  readonly activity: { readonly hasWebhooks: boolean } | null
  /** Whether all authors are known to have answered in the dataset before. */
  readonly knowsAuthors?: boolean
  /** Whether the records are copied from another server. If so, they keep their times when their statuses change. */
  readonly keepsTimes?: boolean
  /** New records, keyed by `seq`, with their status after these answers. In `changes`, `record` has the status before them. */
  readonly inserted?: ReadonlyMap<number, { readonly status: RecordStatus; readonly submitted: number }>
  /** Set if the command returns the answers to their authors because a label was split. */
  readonly mark?: SplitMark
  /** Whether the command deletes the records. The caller then updates their rows and their part of `dataset_counts`. */
  readonly deletesRecords?: boolean
  /** Collects the changes to the counters, which the caller must write last. If omitted, they are written here. */
  readonly tally?: Tally
}

/**
 * The outcome of a change to an answer:
 * - `stored`: The change was made. `before` or `after` is null if there is no answer at that time. They are identical if the new
 *   answer equals the stored one.
 * - `changed`: The change was not made, because the stored answer doesn't have the base version.
 * - `invalid`: The change was not made, for the given reason.
 */
export type AnswerOutcome =
  | { readonly outcome: 'stored'; readonly before: StoredResponse | null; readonly after: StoredResponse | null }
  | { readonly outcome: 'changed'; readonly current: StoredResponse | null }
  | { readonly outcome: 'invalid'; readonly reason: Reason }

/** A record after a list of changes. `updated_at` is null if it didn't change. */
export type Settled = { readonly status: RecordStatus; readonly submitted: number; readonly updated_at: Micros | null }

type AppliedAnswers = {
  /** One outcome per change, in input order. */
  readonly outcomes: readonly AnswerOutcome[]
  /** The changed records, by `seq`. */
  readonly records: ReadonlyMap<number, Settled>
}

const answeredBy = (user_id: string, answer: Answer) => (answer === null ? [] : [{ user_id, status: answer.status }])

/** A record with answers to change. Applies the changes in memory, so that each change builds on the previous ones. */
class ChangedRecord {
  readonly record: ScopeRecord
  readonly leased: boolean
  /** The changed answers by author. `first` is the answer before all changes, and `last` is the current answer. */
  readonly changed = new Map<string, { readonly first: Answer; readonly last: Answer }>()
  status: RecordStatus
  submitted: number
  /** Whether the status changed at any point, even if it changed back. */
  hasMoved = false
  /** Whether the record was completed, even if a later change reopened it. */
  wasCompleted = false
  /** Authors whose leases end because they submitted or discarded an answer. */
  readonly answerers = new Set<string>()
  readonly stored: AnswersOfRecord
  readonly #statuses: Map<string, ResponseStatus>
  readonly #deleted: Map<string, DeletedAnswer>

  constructor(record: ScopeRecord, stored: AnswersOfRecord) {
    this.record = record
    this.leased = stored.leased
    this.status = record.status
    this.submitted = record.submitted
    this.stored = stored
    this.#statuses = new Map(stored.answered.map(({ user_id, status }) => [user_id, status]))
    this.#deleted = new Map(stored.deleted)
  }

  current(author: string): Answer {
    const changed = this.changed.get(author)
    return changed === undefined ? (this.stored.responses.get(author) ?? null) : changed.last
  }

  /** Returns the row of a new or replaced answer. */
  rowFor(
    { dataset, actor, questions, hidingRule = null }: AnswerList,
    { author, mutationId }: AnswerChange,
    sent: SentAnswer,
    at: Micros,
  ): StoredResponse {
    const before = this.current(author)
    const viewed = { recordId: this.record.id, userId: author }
    const earlier = before ?? this.#deleted.get(author)
    const { status, values, original } = sent
    const times = original ?? sent.times
    return {
      id: before?.id ?? original?.id ?? newDatasetId(dataset.no),
      record_id: this.record.id,
      user_id: author,
      values: (values ?? {}) as StoredResponse['values'],
      suggestion_outcomes: outcomesAfter(before, sent),
      shown: shownAfter(before, sent, questions),
      suggestion_view: author === actor ? viewOfAnswer(hidingRule, viewed, before) : (before?.suggestion_view ?? null),
      returned: returnedAfter(before, sent),
      status,
      active_ms: activeTimeAfter(earlier?.active_ms, sent.active_ms),
      version: Math.max((earlier?.version ?? 0) + 1, original?.version ?? 0),
      last_mutation_id: mutationId ?? null,
      inserted_at: before?.inserted_at ?? times?.inserted_at ?? at,
      updated_at: times?.updated_at ?? at,
    }
  }

  /** Replaces the author's answer and adds the change to the tally. */
  replace(
    { author, activeMs }: AnswerChange,
    after: Answer,
    { dataset, deletesRecords = false }: AnswerList,
    tally: Tally,
  ): void {
    const before = this.current(author)
    tally.addChanged(this.record.seq)
    const known = this.changed.get(author)
    this.changed.set(author, { first: known === undefined ? before : known.first, last: after })
    if (before !== null && after === null)
      this.#deleted.set(author, { version: before.version + 1, active_ms: activeTimeAfter(before.active_ms, activeMs) })
    if (after !== null && after.status !== 'draft') this.answerers.add(author)
    if (deletesRecords) {
      for (const answered of answeredBy(author, before)) tally.addAnswer(answered, this.status, -1)
      return
    }
    const extra = this.record.extra_answers
    const submitted = this.submitted + submittedDelta(before?.status ?? null, after?.status ?? null)
    const status = recordStatus(submitted, dataset.min_submitted, extra)
    const moves = status !== this.status
    if (moves) this.hasMoved = true
    if (moves && status === 'completed') this.wasCompleted = true
    this.#statuses.delete(author)
    const others = moves ? [...this.#statuses].map(([user_id, other]) => ({ user_id, status: other })) : []
    tally.addChange(
      { status: this.status, extra, answers: [...others, ...answeredBy(author, before)] },
      { status, extra, answers: [...others, ...answeredBy(author, after)] },
    )
    if (after !== null) this.#statuses.set(author, after.status)
    this.status = status
    this.submitted = submitted
  }
}

/** Replaces labels that have been renamed or merged since the answer was given. */
const withCurrentLabels = (change: AnswerChange, questions: readonly ScopeQuestion[]): AnswerChange => {
  const values = change.after?.values
  if (change.after === null || values == null) return change
  const current = withLabels(values, questions, currentAnswerValue)
  return current === values ? change : { ...change, after: { ...change.after, values: current } }
}

/** The time of a change. For a copied answer, this is the time of the change on the other server. */
const changedAt = (sent: SentAnswer | null, at: Micros): Micros => sent?.original?.updated_at ?? at

type Changes = { readonly outcomes: AnswerOutcome[]; readonly records: Map<number, ChangedRecord>; readonly made: Made[] }

/** Applies the changes in memory. @param tally collects counter changes */
const makeChanges = (list: AnswerList, tally: Tally): Changes => {
  const records = new Map<number, ChangedRecord>()
  const made: Made[] = []
  const applyOne = (requested: AnswerChange): AnswerOutcome => {
    const current = withCurrentLabels(requested, list.questions)
    const { author, base, content, mutationId = null, activeMs = null } = current
    const { seq } = current.record
    const record = records.get(seq) ?? new ChangedRecord(current.record, list.stored.get(seq) ?? noAnswers)
    records.set(seq, record)
    const before = record.current(author)
    const given = current.after && dueIfSplit(current.after, before, list.questions)
    if (base !== undefined && base !== (before?.version ?? null)) return { outcome: 'changed', current: before }
    if (given === null && before === null) return { outcome: 'stored', before, after: null }
    const reason =
      given && content && checkResponse(given.values, given.status, list.questions, content, given.suggestion_outcomes)
    if (reason) return { outcome: 'invalid', reason }
    const sent = given && withRetiredValues(given, before, list.questions, content?.metadata)
    const change = { ...current, after: sent }
    const at = now()
    const isEqual = list.keepsEqual && sent !== null && isUnchanged(before, sent)
    const after = isEqual ? before : sent && record.rowFor(list, change, sent, at)
    if (!isEqual) record.replace(change, after, list, tally)
    made.push({
      record: current.record,
      author,
      before,
      after,
      mutationId,
      activeMs,
      status: record.status,
      at,
      changedAt: changedAt(sent, at),
    })
    return { outcome: 'stored', before, after }
  }
  return { outcomes: list.changes.map(applyOne), records, made }
}

type NewResponse = Omit<StoredResponse, 'values' | 'suggestion_outcomes' | 'shown' | 'returned'> & {
  readonly dataset_no: number
  readonly seq: number
  readonly values: Json
  readonly suggestion_outcomes: Json | null
  readonly shown: Json | null
  readonly returned: Json | null
}
const insertResponse = prepared((db, row: NewResponse) =>
  db.sql.insertInto('responses').values({
    dataset_no: row.dataset_no,
    seq: row.seq,
    id: row.id,
    record_id: row.record_id,
    user_id: row.user_id,
    values: row.values,
    suggestion_outcomes: row.suggestion_outcomes,
    shown: row.shown,
    suggestion_view: row.suggestion_view,
    returned: row.returned,
    status: row.status,
    active_ms: row.active_ms,
    version: row.version,
    last_mutation_id: row.last_mutation_id,
    inserted_at: row.inserted_at,
    updated_at: row.updated_at,
  }),
)

const deleteResponses = preparedForRows<Pick<NewResponse, 'dataset_no' | 'id'>>((db, { dataset_no }, rows) =>
  db.sql
    .deleteFrom('responses')
    .where('dataset_no', '=', dataset_no)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    ),
)

const storedJson = ({ values, suggestion_outcomes, shown, returned }: StoredResponse) => ({
  values: json(values),
  suggestion_outcomes: suggestion_outcomes && json(suggestion_outcomes),
  shown: shown && json(shown),
  returned: returned && json(returned),
})

type ChangedAnswer = { readonly seq: number; readonly author: string; readonly first: Answer; readonly last: Answer }

/** Deletes the rows of replaced and removed answers, then inserts the current rows. */
export const writeRows = async (db: Db, datasetNo: number, answers: readonly ChangedAnswer[]): Promise<void> => {
  await deleteResponses(
    db,
    answers.flatMap(({ first }) => (first === null ? [] : [{ dataset_no: datasetNo, id: first.id }])),
  )
  const rows = answers.flatMap(({ seq, last }) =>
    last === null ? [] : [{ dataset_no: datasetNo, seq, ...last, ...storedJson(last) }],
  )
  const [only] = rows
  if (only !== undefined && rows.length === 1) await insertResponse(db, only)
  else await db.dialect.insertMany(db.sql, 'responses', rows)
}

/** Stores the records' new statuses and counts, and ends leases that are no longer needed. */
const writeRecords = (db: Db, records: readonly ChangedRecord[], { dataset, inserted, keepsTimes }: AnswerList, at: Micros) => {
  const datasetNo = dataset.no
  const settled = records.map(({ record, status, submitted, hasMoved, wasCompleted, leased }) => ({
    seq: record.seq,
    from: inserted?.get(record.seq) ?? record,
    to: { status, submitted },
    movesTime: hasMoved && keepsTimes !== true && inserted?.has(record.seq) !== true,
    endsLeases: wasCompleted && leased,
  }))
  const answered = records.flatMap(({ record, answerers, wasCompleted, leased }) =>
    leased && !wasCompleted ? [...answerers].map((user_id) => ({ seq: record.seq, user_id })) : [],
  )
  return [settleRecords(db, datasetNo, settled, at), ...answered.map((one) => endLease(db, datasetNo, one))]
}

/**
 * The only writer of answers, except for `relabelAnswers`. Creates, replaces and removes answers in the caller's transaction,
 * with everything that depends on them. Applying a list has the same result as applying its changes one by one.
 *
 * - **Version.** Each change raises the answer's version by one. A removed answer's tombstone takes the next version, and an
 *   answer that is created again starts above it, so a version is never used twice.
 * - **Active time.** Each change adds the active time that was sent with it. A removed answer's tombstone keeps the total.
 * - **Conflict.** A change isn't made if its base isn't the stored version.
 * - **Labels.** Labels that were renamed or merged after the answer was given are replaced. An answer with a label that was split
 *   is returned.
 * - **Validation.** An answer that violates a rule isn't stored. The version is checked first.
 * - **Retired questions.** If a changed answer is sent without values for retired questions, it keeps the stored values.
 * - **Suggestions.** An answer records whether its author was shown the record's suggestions.
 * - **Return.** A draft keeps the comment with which a reviewer returned it. All other answers have none.
 * - **Tombstone.** A removal leaves a tombstone with the request's ID, so that a late request can't bring the answer back.
 * - **History.** Each replacement and removal saves the previous version.
 * - **Index rows and agreement.** They always match the current values.
 * - **Record.** The number of submitted answers and the status follow from the answers. A new status sets `updated_at`.
 * - **Final answers.** They become stale if an answer on which they are based changes. They don't become stale if answers are
 *   removed because their author or their record is deleted. Records that are completed get final answers according to the rules
 *   in the review settings.
 * - **Leases.** A submitted or discarded answer ends its author's lease. If a record is completed, all leases on it end.
 * - **Authors.** They remain listed in `dataset_users`, even when their answers are removed.
 * - **Searches.** The changed records are listed, so that searches update their cached results.
 * - **Counters.** They are written last and in key order, because locks on them make other writers wait.
 * - **Events.** Each change emits an event, even if the answer stays the same. Events describe the records after all changes.
 *
 * The callers check permissions and lock the records. Answers sent by requests aren't audited, because the history records them.
 * @param db if nothing reads the written rows before the commit, callers can pass `atCommit`
 */
export const applyAnswers = async (db: Db, list: AnswerList): Promise<AppliedAnswers> => {
  const { dataset, questions, actor, activity, knowsAuthors = false, keepsTimes = false } = list
  const tally = list.tally ?? new Tally()
  const { outcomes, records, made } = makeChanges(list, tally)
  const last = made.at(-1)
  if (last === undefined) return { outcomes, records: new Map() }
  const { at } = last
  const by = actor ?? last.author
  const changes = made.filter(({ before, after }) => before !== after)
  const answers = [...records.values()].flatMap(({ record, changed }) =>
    [...changed].map(([author, versions]) => ({ seq: record.seq, author, ...versions })),
  )
  await pipeline([
    writeRows(db, dataset.no, answers),
    writeHistory(db, dataset.no, changes, { actor, mark: list.mark }),
    writeTombstones(db, dataset.no, changes),
    replaceIndexRows(db, dataset.no, questions, answers),
    writeAgreement(db, dataset.no, questions, [...records.values()]),
    outdateGoldOfAnswers(db, dataset.no, actor === null || list.deletesRecords === true ? [] : changes),
    ...writeRecords(db, [...records.values()], list, at),
  ])
  const completed = [...records.values()].filter(({ wasCompleted, status }) => wasCompleted && status === 'completed')
  if (list.autoGold && completed.length > 0)
    await storeAutoGold(db, { dataset, questions, rules: list.autoGold, at }, completed.map(submittedAfter))
  const newAuthors = knowsAuthors ? [] : changes.flatMap(({ before, author }) => (before === null ? [author] : []))
  await pipeline([
    rememberUsers(db, dataset.no, newAuthors, at),
    ...(list.tally === undefined ? [writeTally(db, dataset.no, by, tally)] : []),
    ...(activity === null || list.tally !== undefined ? [] : [touchActivity(db, dataset.no, by, at)]),
  ])
  if (activity?.hasWebhooks) await emitChanges(db, dataset.no, made)
  const settled = [...records].map(([seq, { status, submitted, hasMoved }]): [number, Settled] => [
    seq,
    { status, submitted, updated_at: hasMoved && !keepsTimes && list.inserted?.has(seq) !== true ? at : null },
  ])
  return { outcomes, records: new Map(settled) }
}
