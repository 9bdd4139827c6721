import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { StandingAnswer } from '#lib/outbox/types.ts'
import type { RecordFilterStatus } from '#lib/url/grammar.ts'

export type RecordPage = { readonly records: readonly AnnotationRecord[]; readonly total: number }

export type QueueItem = {
  readonly record: AnnotationRecord
  /** The caller's answer as the server last said; null without one. */
  readonly standing: StandingAnswer | null
}

export type QueueSnapshot = {
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly problem: unknown
  /** The record on the screen, or the first of the page; null at the end, or while it is on its way. */
  readonly item: QueueItem | null
  /** All records on the screen, in the order of the list. */
  readonly items: readonly QueueItem[]
  /** The 1-based place of the record in the list. */
  readonly position: number
  /** How many are in the list; null before the first answer. */
  readonly total: number | null
  readonly hasPrevious: boolean
  readonly hasNext: boolean
}

export type QueueOptions = {
  readonly status: RecordFilterStatus
  /** The 1-based place to begin at. */
  readonly start: number
  /** For a list that is read at once and ends there: how many it may have. null reads page by page. */
  readonly whole?: number | null
  readonly fetchPage: (page: { readonly offset: number; readonly limit: number }) => Promise<RecordPage>
  /** The status that a record's answer has in this browser, whether or not the server knows. */
  readonly statusOf: (item: QueueItem) => RecordFilterStatus
  /** How many records are on the screen at once. */
  readonly size?: number
  /** Records that stay on a page though they have left the list, as something has to be decided about them. */
  readonly holds?: (recordId: string) => boolean
  /** Does what can wait until what there is has been drawn; at once where it is left out. */
  readonly later?: (work: () => void) => void
}

/** How many records are handed out at a time. */
export const handedAtOnce = 6

export const toItem = (record: AnnotationRecord): QueueItem => ({ record, standing: record.responses?.[0] ?? null })

/** Records that were handed out. */
export type Taken = {
  readonly records: readonly AnnotationRecord[]
  /** All that can be handed out now, what is in hand among it. */
  readonly left: number
  /** Those of `exclude` that are not counted in it. */
  readonly closed: readonly string[]
  /** They are what this device has. */
  readonly isAtHand?: boolean
}
