import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import { newDatasetId } from '#platform/ids.ts'
import type { Micros } from '#platform/time.ts'
import type { StoredResponse } from './rows.ts'
import type { ScopeRecord } from './scope.ts'

/** An answer; null if there is none. */
export type Answer = StoredResponse | null

/** A change that was made. */
export type Made = {
  readonly record: ScopeRecord
  readonly author: string
  /** The answer before the change. Identical to `after` if the new answer was equal to the stored one. */
  readonly before: Answer
  readonly after: Answer
  readonly mutationId: string | null
  /** The active time that was sent with a removal. */
  readonly activeMs: number | null
  /** The record's status after the change. */
  readonly status: RecordStatus
  readonly at: Micros
  /** For a copied answer, the time of the change on the other server. For all other answers, the same time as `at`. */
  readonly changedAt: Micros
}

/**
 * Returns the total active time of an answer after a change: the earlier total plus the time that the client sent. Deleting and
 * recreating an answer doesn't reset the total. Null until a client sends a time.
 */
export const activeTimeAfter = (before: number | null | undefined, sent: number | null | undefined): number | null =>
  sent == null ? (before ?? null) : (before ?? 0) + sent

/**
 * Marks an earlier version of an answer in the history. The answer was returned to its author because this schema version split
 * one of its labels.
 */
export type SplitMark = { readonly schema_version: number; readonly split: true }

type By = {
  /** The user who makes the changes. */
  readonly actor: string | null
  readonly mark: SplitMark | undefined
}

/** Saves the previous version of each replaced or removed answer. */
export const writeHistory = (db: Db, datasetNo: number, made: readonly Made[], { actor, mark }: By): Promise<void> =>
  db.dialect.insertMany(
    db.sql,
    'history',
    made.flatMap(({ record, before, after, changedAt }) =>
      before === null
        ? []
        : [
            {
              dataset_no: datasetNo,
              seq: record.seq,
              id: newDatasetId(datasetNo),
              subject: 'response' as const,
              subject_id: before.id,
              action: after === null ? ('delete' as const) : ('update' as const),
              user_id: actor,
              at: changedAt,
              image: json({ ...before, ...mark }),
            },
          ],
    ),
  )

export const writeTombstones = (db: Db, datasetNo: number, made: readonly Made[]): Promise<void> =>
  db.dialect.insertMany(
    db.sql,
    'response_tombstones',
    made.flatMap(({ record, before, after, mutationId, activeMs, at }) =>
      before === null || after !== null
        ? []
        : [
            {
              dataset_no: datasetNo,
              id: before.id,
              seq: record.seq,
              record_id: before.record_id,
              user_id: before.user_id,
              version: before.version + 1,
              last_mutation_id: mutationId,
              active_ms: activeTimeAfter(before.active_ms, activeMs),
              deleted_at: at,
            },
          ],
    ),
  )
