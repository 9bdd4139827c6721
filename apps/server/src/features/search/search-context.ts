import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { FieldRow } from '#features/schema/public.ts'
import type { OwnTest } from '#features/test-items/public.ts'
import type { Db } from '#platform/db/db.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import type { SearchCache } from './search-cache.ts'

/** The context of one search: a snapshot of one dataset. */
export type SearchContext = {
  readonly db: Db
  readonly datasetNo: number
  /** Upper bound (exclusive) of every record's `seq`. */
  readonly size: number
  readonly fields: readonly FieldRow[]
  readonly counts: { readonly [S in RecordStatus]: number }
  /** Increases whenever a record may have returned to a user's queue. */
  readonly reopened: number
  /** Increases whenever assignments change; 0 if there have never been any. */
  readonly assignmentsVersion: number
  /** The `no` of each metadata property whose index rows are incomplete. */
  readonly unfilled: ReadonlySet<number>
  /** False while the text index is being rebuilt. Text queries are then evaluated on the records themselves. */
  readonly textIndexed: boolean
  /** True while some new records' texts aren't indexed yet. */
  readonly textDue: boolean
  /** The test items of the user whose own records are searched. */
  readonly ownTests: readonly OwnTest[]
  /** Whether to keep the results of conditions that depend on answers, so that later searches can reuse them. */
  readonly keepsVolatile: boolean
  /** The records on which conditions are evaluated. If undefined, conditions are evaluated on all records. */
  readonly only?: readonly number[]
  readonly cache: SearchCache
}

/** Limits a query to the records on which the context's conditions are evaluated. The queried table must have a column `seq`. */
export const isEvaluated = ({ db, only }: Pick<SearchContext, 'db' | 'only'>): RawBuilder<boolean> =>
  only === undefined ? sql<boolean>`true` : sql<boolean>`seq in ${db.dialect.listed(only)}`

type Range = readonly [from: number, to: number]
/**
 * Returns the ranges of `seq` that are read one after another when a condition is evaluated. The ends are exclusive. If the
 * condition is evaluated only on some records (`only`), returns a single range that covers all records.
 */
export const rangesOf = ({ size, only }: Pick<SearchContext, 'size' | 'only'>, width: number): readonly Range[] =>
  only === undefined
    ? Array.from({ length: Math.ceil(size / width) }, (_, i) => [i * width, (i + 1) * width] as const)
    : [[0, size]]

export const recordCount = ({ counts }: Pick<SearchContext, 'counts'>): number => counts.pending + counts.completed
