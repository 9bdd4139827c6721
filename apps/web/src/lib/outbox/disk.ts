import type { Draft } from '#lib/drafts/draft.ts'
import type { Edit } from '#lib/drafts/edit.ts'
import type { OutboxLine } from './types.ts'

/** Computes a record's next line. */
export type LineUpdate = (line: OutboxLine | null) => OutboxLine | null
/** By record ID. */
export type LineUpdates = ReadonlyMap<string, LineUpdate>
export type LinesByRecord = ReadonlyMap<string, OutboxLine | null>

/** Persistent storage for a user's work. Its methods reject if the work can't be stored. */
export type Disk = {
  readonly lines: (userId: string) => Promise<readonly OutboxLine[]>
  /**
   * Applies each function in `updates` to the stored outbox line of its record, and returns the new lines. Applies `edits` to the
   * stored edits in the same transaction.
   */
  readonly updateLines: (userId: string, updates: LineUpdates, edits?: readonly Edit[]) => Promise<LinesByRecord>
  readonly drafts: (userId: string, datasetId: string) => Promise<readonly Draft[]>
  /** Changes one record's stored edits in one transaction. Keeps the edits of other tabs. */
  readonly updateDraft: (edit: Edit) => Promise<void>
}

export const keyText = (userId: string, recordId: string): string => `${userId} ${recordId}`
