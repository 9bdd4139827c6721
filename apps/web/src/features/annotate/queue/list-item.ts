import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { ServerAnswer } from '#lib/outbox/types.ts'

export type RecordPage = { readonly records: readonly AnnotationRecord[]; readonly total: number }

export type ListItem = {
  readonly record: AnnotationRecord
  /** The caller's answer as last reported by the server, or null. */
  readonly serverAnswer: ServerAnswer | null
}

export type ListSnapshot = {
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly problem: unknown
  /** The current record, or the first of the page. Null at the end and while loading. */
  readonly item: ListItem | null
  /** All records on the screen, in the order of the list. */
  readonly items: readonly ListItem[]
  /** The 1-based position of the record in the list. */
  readonly position: number
  /** The length of the list. Null before the first response. */
  readonly total: number | null
  readonly hasPrevious: boolean
  readonly hasNext: boolean
}

/** Returns the status of a record's answer in this browser, whether or not it is on the server yet. */
export type StatusOf = (item: ListItem) => RecordFilterStatus

/**
 * Returns the status of a record in the queue. A record with a returned answer counts as pending until the answer's author
 * submits or discards the answer.
 */
export const queueStatus = (serverAnswer: ServerAnswer | null, status: RecordFilterStatus): RecordFilterStatus =>
  status === 'draft' && serverAnswer?.returned != null ? 'pending' : status

export type FetchPage = (page: { readonly offset: number; readonly limit: number }) => Promise<RecordPage>

export type SearchListOptions = {
  readonly status: RecordFilterStatus
  /** The 1-based position to start at. */
  readonly start: number
  /** The maximum length of a list that is read in one request. Null to read page by page. */
  readonly fixedSize?: number | null
  readonly fetchPage: FetchPage
  readonly statusOf: StatusOf
  /** How many records are on the screen at once. */
  readonly size?: number
  /**
   * Whether a record stays on the page after it has left the list. For example, its answer was rejected, and the user must decide
   * what to do.
   */
  readonly keepsOnPage?: (recordId: string) => boolean
  /** Defers work until the current state has been rendered. If omitted, the work runs at once. */
  readonly defer?: (work: () => void) => void
}

/** How many records are leased per request. */
export const leaseBatchSize = 6

export const toItem = (record: AnnotationRecord): ListItem => ({ record, serverAnswer: record.responses?.[0] ?? null })

export const idsOf = (items: readonly ListItem[]): readonly string[] => items.map(({ record }) => record.id)

/** The records that the server or this device returns for a list. */
export type LeaseBatch = {
  readonly records: readonly AnnotationRecord[]
  /**
   * The IDs of the leased records. Omitted if all records are leased. The user only views the other records, and the queue may
   * assign those to other users.
   */
  readonly leased?: readonly string[]
  /** The number of records that can be assigned now, including those leased to this user. */
  readonly left: number
  /** The records in `exclude` that aren't counted in `left`. */
  readonly closed: readonly string[]
  /** Whether the records come from this device. */
  readonly isFromDevice?: boolean
}
