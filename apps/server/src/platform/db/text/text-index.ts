import type { FieldTokens } from '#platform/text/evaluate.ts'
import type { Expr } from '#platform/text/tree.ts'
import type { Sql } from '../sql.ts'

/**
 * A record's text as it was indexed and as it shall be; null where there was or will be none. `before` must be what the
 * index has: it is made again from the stored fields, read before they change.
 */
export type TextChange = {
  readonly seq: number
  readonly before: readonly FieldTokens[] | null
  readonly after: readonly FieldTokens[] | null
}

/** In how many records a token is, or is more. */
export type TokenCount = { readonly token: string; readonly df: number }

export type HitScope = {
  /** The number of the only field to look at (its place among the dataset's fields by `no`), or null for all. */
  readonly field: number | null
  /** The least `seq` to look at. */
  readonly from: number
}

/** Full text of one engine. Only `index` counts tokens (`dataset_tokens`); a dataset that goes is purged as a whole. */
export type TextIndex = {
  /**
   * Indexes, changes or removes the text of records, each `seq` at most once in a call.
   * @param counts by how much each token's count changes, as `countChanges` counts; left out: it is counted here
   */
  readonly index: (
    sql: Sql,
    datasetNo: number,
    changes: readonly TextChange[],
    counts?: readonly TokenCount[] | undefined,
  ) => Promise<void>
  /** Drops the text of records `from` to `to` without counting; the dataset's tokens are dropped by whoever purges it. */
  readonly purge: (sql: Sql, datasetNo: number, from: number, to: number) => Promise<void>
  /** The `seq`s from `from` to `to` of which the index has a text, in no order, as a `SeqList`. */
  readonly listed: (sql: Sql, datasetNo: number, from: number, to: number) => Promise<string>
  /**
   * The `seq`s of the records that match, in no order, as a `SeqList`. Exact for every tree that `indexable` of
   * `platform/text/relax.ts` has made; such a tree has no fuzzy word and no phrase with slop.
   */
  readonly hits: (sql: Sql, datasetNo: number, expr: Expr, scope: HitScope) => Promise<string>
}
