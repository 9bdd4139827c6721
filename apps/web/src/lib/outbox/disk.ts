import type { Draft } from '#lib/drafts/draft.ts'
import type { Line } from './types.ts'

/** What becomes of a record's line. */
export type Step = (line: Line | null) => Line | null
/** By record id. */
export type Steps = ReadonlyMap<string, Step>
export type LinesByRecord = ReadonlyMap<string, Line | null>

/** What keeps a person's work beyond the tab, or rejects. */
export type Disk = {
  readonly lines: (userId: string) => Promise<readonly Line[]>
  /**
   * Reads, changes and writes lines in one transaction, and gives each as it is then; `dropDrafts` removes the edits of their
   * records in the same one.
   */
  readonly changeLines: (userId: string, steps: Steps, options?: { readonly dropDrafts?: boolean }) => Promise<LinesByRecord>
  readonly drafts: (userId: string, datasetId: string) => Promise<readonly Draft[]>
  readonly putDraft: (draft: Draft) => Promise<void>
  readonly dropDraft: (userId: string, recordId: string) => Promise<void>
}

export const keyText = (userId: string, recordId: string): string => `${userId} ${recordId}`
