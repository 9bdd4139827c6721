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
  /** Numbers of metadata properties whose index rows are incomplete. */
  readonly unfilled: ReadonlySet<number>
  /** False while the text index is being rebuilt. Text queries are then evaluated on the records themselves. */
  readonly textIndexed: boolean
  /** True while some new records' texts aren't indexed yet. */
  readonly textDue: boolean
  /** The test items of the user whose own records are searched. */
  readonly ownTests: readonly OwnTest[]
  readonly cache: SearchCache
}

export const recordCount = ({ counts }: Pick<SearchContext, 'counts'>): number => counts.pending + counts.completed
