import type { FieldRow } from '#features/schema/service.ts'
import type { Db } from '#platform/db/db.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import type { Keeper } from './kept.ts'

/** What the parts of one search work with: a snapshot of one dataset. */
export type Reach = {
  readonly db: Db
  readonly datasetNo: number
  /** Every record's `seq` is below. */
  readonly size: number
  readonly fields: readonly FieldRow[]
  readonly counts: { readonly [S in RecordStatus]: number }
  /** Rises whenever a record may have come back to somebody's queue. */
  readonly reopened: number
  /** Numbers of metadata properties whose narrow rows are not complete yet. */
  readonly unfilled: ReadonlySet<number>
  /** False while the text index is being made again: texts are then compared with the records themselves. */
  readonly textIndexed: boolean
  /** True while the texts of some new records are still to come into the index. */
  readonly textDue: boolean
  readonly keeper: Keeper
}

export const recordsIn = ({ counts }: Pick<Reach, 'counts'>): number => counts.pending + counts.completed
