import type { Draft } from '#lib/drafts/draft.ts'
import type { Edit } from '#lib/drafts/edit.ts'
import type { OutboxLine } from './types.ts'

/** Computes a record's next line. */
export type LineUpdate = (line: OutboxLine | null) => OutboxLine | null
/** By record ID. */
export type LineUpdates = ReadonlyMap<string, LineUpdate>
export type LinesByRecord = ReadonlyMap<string, OutboxLine | null>

/** Storage that keeps a user's work beyond the tab, or rejects. */
export type Disk = {
  readonly lines: (userId: string) => Promise<readonly OutboxLine[]>
  /**
   * Reads, changes and writes lines in one transaction, and returns the results. `edits` are applied to the edits of their
   * records in the same transaction.
   */
  readonly updateLines: (userId: string, updates: LineUpdates, edits?: readonly Edit[]) => Promise<LinesByRecord>
  readonly drafts: (userId: string, datasetId: string) => Promise<readonly Draft[]>
  /** Changes the edits of one record in one transaction. Edits of other tabs stay. */
  readonly updateDraft: (edit: Edit) => Promise<void>
}

export const keyText = (userId: string, recordId: string): string => `${userId} ${recordId}`
