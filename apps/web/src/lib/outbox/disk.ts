import type { Draft } from '#lib/drafts/draft.ts'
import type { Edit } from '#lib/drafts/edit.ts'
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
   * Reads, changes and writes lines in one transaction, and gives each as it is then; what `edits` do to the edits of their
   * records is done in the same one.
   */
  readonly changeLines: (userId: string, steps: Steps, edits?: readonly Edit[]) => Promise<LinesByRecord>
  readonly drafts: (userId: string, datasetId: string) => Promise<readonly Draft[]>
  /** Changes the edits of one record in one transaction: those of other tabs stay. */
  readonly changeDraft: (edit: Edit) => Promise<void>
}

export const keyText = (userId: string, recordId: string): string => `${userId} ${recordId}`
