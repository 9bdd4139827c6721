import { type Json, json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { RecordStatus, ResponseStatus } from '#platform/db/tables.ts'
import type { Outbox } from '#platform/events/outbox.ts'
import { closedOutbox, openOutbox } from '#platform/events/outbox.ts'
import { newDatasetId } from '#platform/ids.ts'
import type { Micros } from '#platform/time.ts'
import { now } from '#platform/time.ts'
import type { Sent } from '../check.ts'
import { rememberUsers, slotOf, touchActivity, writeTally } from '../counters/counts.ts'
import { settleRecords } from '../counters/settle.ts'
import type { Answered } from '../counters/tally.ts'
import { recordStatus, submittedDelta, Tally } from '../counters/tally.ts'
import { emitChange } from '../events.ts'
import { insertTombstones, storeVersions } from '../history.ts'
import { replaceIndexRows } from '../index-rows.ts'
import { endLease } from '../leases.ts'
import type { StoredResponse } from '../rows.ts'
import type { Scope, ScopeQuestion } from '../scope.ts'

export type Change = {
  readonly scope: Scope
  readonly questions: readonly ScopeQuestion[]
  readonly author: string
  /** The user who makes the change: the author, an admin or an owner. */
  readonly actor: string
  /** All users' answers to the record before the change. */
  readonly answers: readonly Answered[]
  /** The stored answer; null if the change creates an answer. */
  readonly before: StoredResponse | null
  /** The new answer; null if the change deletes the answer. */
  readonly after: Sent | null
  readonly mutationId?: string
  /** Whether anyone holds a lease on the record. */
  readonly leased: boolean
  /** A created answer's version starts above this. */
  readonly lastVersion?: number
}

const storedAfter = (change: Change, at: Micros): StoredResponse | null => {
  const { scope, before, after, mutationId } = change
  if (after === null) return null
  return {
    id: before?.id ?? newDatasetId(scope.dataset.no),
    record_id: scope.record.id,
    user_id: change.author,
    values: after.values as StoredResponse['values'],
    status: after.status,
    version: (before?.version ?? change.lastVersion ?? 0) + 1,
    last_mutation_id: mutationId ?? null,
    inserted_at: before?.inserted_at ?? at,
    updated_at: at,
  }
}

type NewResponse = Omit<StoredResponse, 'values'> & { readonly dataset_no: number; readonly seq: number; readonly values: Json }
const insertResponse = prepared((db, row: NewResponse) =>
  db.sql.insertInto('responses').values({
    dataset_no: row.dataset_no,
    seq: row.seq,
    id: row.id,
    record_id: row.record_id,
    user_id: row.user_id,
    values: row.values,
    status: row.status,
    version: row.version,
    last_mutation_id: row.last_mutation_id,
    inserted_at: row.inserted_at,
    updated_at: row.updated_at,
  }),
)

const writeResponse = async (db: Db, change: Change, stored: StoredResponse | null, at: Micros): Promise<void> => {
  const { scope, before } = change
  const place = { dataset_no: scope.dataset.no, seq: scope.record.seq }
  const steps: Promise<unknown>[] = []
  if (before !== null) {
    steps.push(storeVersions(db, [{ ...place, before, action: stored === null ? 'delete' : 'update' }], change.actor, at))
  }
  if (stored === null && before !== null) {
    steps.push(
      db.sql.deleteFrom('responses').where('dataset_no', '=', place.dataset_no).where('id', '=', before.id).execute(),
      insertTombstones(db, [{ ...place, before }], at, change.mutationId),
    )
  } else if (stored !== null && before !== null) {
    const { status, version, last_mutation_id, updated_at } = stored
    steps.push(
      db.sql
        .updateTable('responses')
        .set({ values: json(stored.values), status, version, last_mutation_id, updated_at })
        .where('dataset_no', '=', place.dataset_no)
        .where('id', '=', before.id)
        .execute(),
    )
  } else if (stored !== null) {
    steps.push(insertResponse(db, { ...place, ...stored, values: json(stored.values) }))
  }
  const reindexedAnswer = { seq: place.seq, user_id: change.author, existed: before !== null, values: stored?.values ?? {} }
  steps.push(replaceIndexRows(db, place.dataset_no, change.questions, [reindexedAnswer]))
  await pipeline(steps)
}

type Status = ResponseStatus | null
type SettledRecord = { readonly status: RecordStatus; readonly written: Promise<unknown> }
const answered = (user_id: string, status: Status) => (status === null ? [] : [{ user_id, status }])

/** Updates the record's number of submitted answers, its status and every counter that depends on them. */
const settleRecord = (db: Db, change: Change, at: Micros): SettledRecord => {
  const { dataset, record } = change.scope
  const from: Status = change.before?.status ?? null
  const to: Status = change.after?.status ?? null
  const submitted = record.submitted + submittedDelta(from, to)
  const status = recordStatus(submitted, dataset.min_submitted)
  const hasStatusChanged = status !== record.status
  const isAnswer = to !== null && to !== 'draft'
  // Completing a record ends all leases on it, including the author's.
  const endsOwn = change.leased && isAnswer && !(hasStatusChanged && status === 'completed')
  const others = hasStatusChanged ? change.answers.filter(({ user_id }) => user_id !== change.author) : []
  const tally = new Tally()
  tally.addChange(
    { status: record.status, answers: [...others, ...answered(change.author, from)] },
    { status, answers: [...others, ...answered(change.author, to)] },
  )
  const slot = slotOf(change.actor)
  // Every command writes counters last, and each table in key order, to prevent deadlocks.
  const written = pipeline([
    settleRecords(db, dataset.no, [{ seq: record.seq, from: record, to: { submitted, status } }], at, change.leased),
    ...(endsOwn ? [endLease(db, { dataset_no: dataset.no, seq: record.seq }, change.author)] : []),
    ...(change.before === null && !change.scope.hasAnsweredBefore ? [rememberUsers(db, dataset.no, [change.author], at)] : []),
    writeTally(db, dataset.no, slot, tally),
    touchActivity(db, dataset.no, change.actor, at),
  ])
  return { status, written }
}

const outboxOf = async (db: Db, { hasWebhooks }: Scope): Promise<Outbox> => (hasWebhooks ? openOutbox(db) : closedOutbox)

/**
 * Creates, replaces or deletes one answer and applies all side effects, in the caller's transaction.
 * @returns the answer after the change, or before its deletion
 */
export const applyChange = async (db: Db, change: Change): Promise<StoredResponse> => {
  const at = now()
  const stored = storedAfter(change, at)
  const outcome = stored ?? change.before
  if (outcome === null) throw new Error('nothing to delete')
  const outbox = await outboxOf(db, change.scope)
  // Events read the stored rows, so with webhooks the writes can't be deferred.
  const writer = change.scope.hasWebhooks ? db : db.atCommit
  const response = writeResponse(writer, change, stored, at)
  const { status, written } = settleRecord(writer, change, at)
  await pipeline([response, written])
  const event = stored === null ? 'response.deleted' : change.before === null ? 'response.created' : 'response.updated'
  await emitChange(db, outbox, { scope: change.scope, status, response: outcome, event, at })
  return outcome
}

/**
 * Handles a replacement with the same status and values. The row stays unchanged, but activity and events are the same as for
 * any update.
 */
export const applyUnchanged = async (
  db: Db,
  change: { scope: Scope; before: StoredResponse; actor: string },
): Promise<StoredResponse> => {
  const at = now()
  const { scope, before } = change
  const outbox = await outboxOf(db, scope)
  await touchActivity(db.atCommit, scope.dataset.no, change.actor, at)
  await emitChange(db, outbox, { scope, status: scope.record.status, response: before, event: 'response.updated', at })
  return before
}
