import type { FieldTokens } from '#platform/text/evaluate.ts'
import type { Expr } from '#platform/text/tree.ts'
import type { Sql } from '../sql.ts'

/**
 * A record's text before and after a change. `before` or `after` is null if the record has no text at that time. `before` must
 * match the index: it is computed from the stored fields, read before they change.
 */
export type TextChange = {
  readonly seq: number
  readonly before: readonly FieldTokens[] | null
  readonly after: readonly FieldTokens[] | null
}

/** The number of records that contain a token, or the change in that number. */
export type TokenCount = { readonly token: string; readonly df: number }

export type HitScope = {
  /** The index of the only field to search, among the dataset's fields ordered by `no`. Null if all fields are searched. */
  readonly field: number | null
  /** The lowest `seq` to search. */
  readonly from: number
}

/** The full-text index of one engine. Only `index` updates token counts (`dataset_tokens`). */
export type TextIndex = {
  /**
   * Indexes, changes or removes record texts. Each `seq` may occur at most once per call.
   * @param counts the change in each token's count, as `countChanges` returns it; computed if omitted
   */
  readonly index: (
    sql: Sql,
    datasetNo: number,
    changes: readonly TextChange[],
    counts?: readonly TokenCount[] | undefined,
  ) => Promise<void>
  /** Deletes the text of records `from` to `to` without updating counts. The caller deletes the dataset's tokens. */
  readonly purge: (sql: Sql, datasetNo: number, from: number, to: number) => Promise<void>
  /** The `seq`s from `from` to `to` whose text is indexed, as a `seqList` in no particular order. */
  readonly listed: (sql: Sql, datasetNo: number, from: number, to: number) => Promise<string>
  /**
   * The unordered `seq`s of matching records, as a `seqList`. Exact for every expression from `indexable` in
   * `platform/text/relax.ts`. Such an expression has no fuzzy words and no phrases with slop.
   */
  readonly hits: (sql: Sql, datasetNo: number, expr: Expr, scope: HitScope) => Promise<string>
}
