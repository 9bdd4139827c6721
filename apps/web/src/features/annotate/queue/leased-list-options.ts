import type { QueuePurpose } from '@postil/contract/queue.ts'
import type { EarlierRecords } from './earlier-records.ts'
import type { LeaseBatch, StatusOf } from './list-item.ts'

export type LeaseRequest = { readonly limit: number; readonly exclude: readonly string[] }

export type LeasedListOptions = {
  readonly statusOf: StatusOf
  /** Leases more records to this user. */
  readonly lease: (request: LeaseRequest) => Promise<LeaseBatch>
  /** Releases leases. Never rejects. */
  readonly releaseRecords: (recordIds: readonly string[], purpose: QueuePurpose) => void
  /**
   * Leases a record for as long as the user needs to answer it. Rejects if the server is unreachable.
   * @returns false if others hold the record
   */
  readonly acquire: (recordId: string) => Promise<boolean>
  /**
   * Leases a record that the user only views. Rejects if the server is unreachable.
   * @returns `free` if the user may view the record without a lease, `held` if others hold the record
   */
  readonly acquireView: (recordId: string) => Promise<'leased' | 'free' | 'held'>
  /** Whether a record has edits. Edited records keep their leases when they are skipped. */
  readonly isEdited: (recordId: string) => boolean
  /** Records that were skipped when the user last left the list. */
  readonly skippedBefore?: () => readonly string[]
  /** The records that were on the screen before the list was created. */
  readonly earlier?: EarlierRecords
}
