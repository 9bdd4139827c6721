import type { QueuePurpose } from '@postil/contract/queue.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { ServerAnswer } from '#lib/outbox/types.ts'
import { LeaseLimit } from './lease-limit.ts'
import type { LeaseBatch, ListItem, ListSnapshot, StatusOf } from './list-item.ts'
import { RecordList } from './record-list.ts'
import type { ServerCount } from './window.ts'
import { nextOpenIndex } from './window.ts'

export type LeaseRequest = { readonly limit: number; readonly exclude: readonly string[] }

export type LeasedListOptions = {
  readonly statusOf: StatusOf
  /** Leases more records to this user. */
  readonly lease: (request: LeaseRequest) => Promise<LeaseBatch>
  /** Releases leases. Never rejects. */
  readonly releaseRecords: (recordIds: readonly string[], purpose: QueuePurpose) => void
  /**
   * Leases a record for as long as an answer takes. Rejects if the server is unreachable.
   * @returns false if others hold the record
   */
  readonly acquire: (recordId: string) => Promise<boolean>
  /** Edited records keep their leases when they are skipped. */
  readonly isEdited: (recordId: string) => boolean
  /** Records that were skipped when the user last left the list. */
  readonly skippedBefore?: () => readonly string[]
}

export const maxExcluded = 1000
/** The maximum number of requests for more records, if other users keep taking those that the server reports as left. */
const maxTries = 3

type CountedBatch = LeaseBatch & Pick<ServerCount, 'counted'>

const idsOf = (items: readonly ListItem[]): readonly string[] => items.map(({ record }) => record.id)

/** Pending records that the server leases to users. Each is leased to only as many people as it needs answers from. */
export class LeasedList extends RecordList {
  readonly #lease: LeasedListOptions['lease']
  readonly #releaseRecords: LeasedListOptions['releaseRecords']
  readonly #acquire: LeasedListOptions['acquire']
  readonly #isEdited: LeasedListOptions['isEdited']
  readonly #skippedBefore: () => readonly string[]
  /** The records leased to this user, as far as this list knows. */
  readonly #leased = new Set<string>()
  /** Records that were leased for work when the user first edited them. */
  readonly #acquired = new Set<string>()
  readonly #limit = new LeaseLimit()
  /** Whether the list has left the screen. */
  #isReleased = false
  /**
   * Whether the count may be stale: an answer to a record that isn't loaded was confirmed, and no request has finished since
   * then.
   */
  #isCountStale = false
  #wasCountStale = false

  constructor({ lease, releaseRecords, acquire, statusOf, isEdited, skippedBefore = () => [] }: LeasedListOptions) {
    super({ status: 'pending', statusOf })
    this.#lease = lease
    this.#releaseRecords = releaseRecords
    this.#acquire = acquire
    this.#isEdited = isEdited
    this.#skippedBefore = skippedBefore
  }

  /** Returns the records leased to this user, as far as this list knows. */
  leasedIds(): readonly string[] {
    return [...this.#leased]
  }

  /** Returns the leased records that the user only looks at. */
  viewIds(): readonly string[] {
    return this.leasedIds().filter((id) => !this.#isEdited(id) && !this.#isUnsent(id))
  }

  /**
   * Returns the records whose leases must outlast a pause. These are records with edits, even if they currently have no lease,
   * and leased records whose answer isn't sent yet.
   */
  workIds(): readonly string[] {
    const viewed = new Set(this.viewIds())
    const edited = idsOf(this.items.filter((item) => this.isIn(item) && this.#isEdited(item.record.id)))
    return [...new Set([...this.leasedIds().filter((id) => !viewed.has(id)), ...edited])]
  }

  /** Called when the server has leased records for work. Releases those that the user no longer needs. */
  noteLeased(recordIds: readonly string[]): void {
    const worked = new Set(this.workIds())
    for (const id of recordIds.filter((one) => worked.has(one))) {
      this.#leased.add(id)
      this.#acquired.add(id)
    }
    // An answer that the server has confirmed ended the lease.
    const isOpen = (item: ListItem | null): boolean => item === null || this.isCounted(item)
    const unneeded = recordIds.filter((id) => !this.#leased.has(id) && isOpen(this.find(id)))
    if (unneeded.length > 0) this.#releaseRecords(unneeded, 'work')
  }

  /** On its first edit, a record is leased for work. */
  override noteEdit(recordId: string): void {
    const item = this.find(recordId)
    if (!item || !this.isIn(item) || this.#acquired.has(recordId)) return
    this.#acquired.add(recordId)
    this.#acquire(recordId).then(
      (isLeased) => {
        if (!isLeased) this.#leased.delete(recordId)
        else if (this.#acquired.has(recordId)) this.#leased.add(recordId)
        // The record may have been skipped or answered in the meantime.
        else this.noteLeased([recordId])
      },
      // The next edit tries again.
      () => this.#acquired.delete(recordId),
    )
  }

  /**
   * Removes records that someone else now holds.
   * @param withCurrent whether to replace the record on the screen, too, because the user returns to it without having edited it
   * @param keepsItems whether only the leases are lost, because the user may look at records without a lease
   */
  removeLost(recordIds: readonly string[], { withCurrent = false, keepsItems = false } = {}): void {
    const lost = new Set(recordIds)
    for (const id of lost) this.#forgetLease(id)
    if (lost.size === 0 || keepsItems) return
    const { current, index } = this
    const isRemovable = (item: ListItem): boolean =>
      lost.has(item.record.id) && !this.#isEdited(item.record.id) && this.isIn(item)
    const stays = (item: ListItem, at: number): boolean => at < index || (at === index && !withCurrent) || !isRemovable(item)
    const isCurrentRemoved = current !== null && !stays(current, index)
    this.items = this.items.filter(stays)
    if (!isCurrentRemoved) this.index = current ? this.items.indexOf(current) : this.items.length
    this.refresh()
    if (isCurrentRemoved) void this.showNextOpen()
    else this.#prefetchMore()
  }

  /** Called when the list is on the screen. */
  activate(): void {
    this.#isReleased = false
  }

  /**
   * Called when the list has left the screen. Releases the leases of all records that the user only looked at, including
   * records that are still loading. @returns the skipped records, on this visit and the last, or null at the end
   */
  release(): readonly string[] | null {
    this.#isReleased = true
    this.#releaseViewed()
    const { current } = this
    if (!current && this.isExhausted) return null
    const skippedBefore = this.#skippedBefore().filter((id) => id !== current?.record.id)
    return [...skippedBefore, ...idsOf(this.items.slice(0, this.index).filter(this.isIn))].slice(-maxExcluded)
  }

  next(): void {
    const skipped = this.current
    if (this.index + 1 < this.items.length) this.goTo(this.index + 1)
    else if (skipped && !this.isExhausted) {
      this.goTo(this.items.length)
      void this.showNextOpen()
    } else return
    if (skipped && this.isIn(skipped) && !this.#isEdited(skipped.record.id)) this.#releaseLeases([skipped.record.id])
  }

  async previous(): Promise<void> {
    if (this.index > 0) this.goTo(this.index - 1)
  }

  async advance(): Promise<void> {
    const from = this.index
    const next = this.items.findIndex((item, at) => at > from && this.isIn(item))
    if (next >= 0) return this.goTo(next)
    this.index = this.items.length
    this.refresh()
    if (this.loading !== null) await this.loading
    // Others may have released records since the end was reached.
    if (this.items.length === this.index) await this.load(this.loadMore)
    if (this.problem !== null) return
    return this.items.slice(this.index).some(this.isIn) ? this.showNextOpen() : this.#wrapAround(from)
  }

  override async refill(): Promise<void> {
    await super.refill()
    if (this.#isCountStale && this.problem === null) this.recount()
  }

  goToPosition(position: number): boolean {
    if (!this.items[position - 1]) return false
    this.goTo(position - 1)
    return true
  }

  override confirm(recordId: string, serverAnswer: ServerAnswer | null): void {
    if (serverAnswer !== null && serverAnswer.status !== 'draft') this.#forgetLease(recordId)
    super.confirm(recordId, serverAnswer)
  }

  override remove(recordId: string): void {
    if (this.isKnown(recordId)) this.#forgetLease(recordId)
    super.remove(recordId)
  }

  protected read(): ListSnapshot {
    const item = this.current
    return {
      phase: this.phaseOf(item === null && !this.isExhausted),
      problem: this.problem,
      item,
      items: item ? [item] : [],
      position: this.index + 1,
      total: this.count.left(),
      hasPrevious: this.index > 0,
      hasNext: this.index + 1 < this.items.length || (item !== null && !this.isExhausted),
    }
  }

  protected goTo(index: number): void {
    this.index = index
    this.refresh()
    this.#prefetchMore()
  }

  /** Shows the next record to answer: a loaded one from here on, else a new one, else a skipped one. */
  protected async showNextOpen(): Promise<void> {
    while (this.current && !this.isIn(this.current)) this.index += 1
    if (!this.current && !this.isExhausted && this.problem === null) {
      await this.load(this.loadMore)
      if (this.problem === null) return this.showNextOpen()
    }
    if (!this.current && this.problem === null && this.items.some(this.isIn)) return this.#wrapAround(this.items.length)
    this.refresh()
    if (this.problem === null) this.#prefetchMore()
  }

  protected readonly loadMore = async (): Promise<void> => {
    this.isExhausted = false
    for (let i = 0; i < maxTries; i += 1) {
      const known = this.#countedItems()
      const batch = await this.#leaseCounted(known)
      const before = this.items.length
      this.#addBatch(batch)
      if (this.items.length > before) return
      // The remaining records are already loaded, or others hold their leases.
      this.isExhausted = true
      if (batch.left <= known.length - batch.closed.length) return
    }
  }

  protected recount(): void {
    this.#isCountStale = true
    if (this.loading === null && !this.isExhausted) void this.load(this.loadMore)
  }

  protected override isOutdated(): boolean {
    return super.isOutdated() || this.#isCountStale
  }

  protected override onLoadStart(): void {
    super.onLoadStart()
    this.#wasCountStale = this.#isCountStale
    this.#isCountStale = false
  }

  protected override onLoadEnd(): void {
    super.onLoadEnd()
    if (this.problem !== null) this.#isCountStale ||= this.#wasCountStale
    else if (this.#isCountStale) this.recount()
  }

  /** Returns the loaded records that the server may still assign. */
  #countedItems(): readonly ListItem[] {
    return this.items.filter(this.isCounted)
  }

  #leasedAhead(): number {
    return this.items.slice(this.index).filter(this.isIn).length
  }

  /**
   * Leases records and determines which records the server's count includes. The loaded records are noted before the request,
   * because answers can be confirmed while it is in flight.
   */
  async #leaseCounted(known: readonly ListItem[]): Promise<CountedBatch> {
    const before = idsOf(this.#countedItems())
    const batch = await this.#lease({
      limit: this.#limit.next(this.#leasedAhead()),
      exclude: idsOf(known).slice(-maxExcluded),
    })
    const closed = new Set(batch.closed)
    const ids = [...before.filter((id) => !closed.has(id)), ...batch.records.map(({ id }) => id)]
    return { ...batch, counted: new Set(ids) }
  }

  #addBatch({ records, leased, left: total, counted, isFromDevice = false }: CountedBatch): void {
    for (const id of leased ?? records.map((record) => record.id)) this.#leased.add(id)
    if (this.#isReleased) this.#releaseViewed()
    this.#limit.update({ left: total, isFromDevice })
    const maxNew = this.#limit.next(this.#leasedAhead())
    const isKept = ({ id }: AnnotationRecord, at: number): boolean => at < maxNew || this.#isEdited(id)
    const newRecords = records.filter(({ id }) => !this.isKnown(id))
    this.#releaseLeases(newRecords.filter((record, at) => !isKept(record, at)).map(({ id }) => id))
    this.items = [...this.items, ...newRecords.filter(isKept).map((record) => this.toLoadedItem(record))]
    this.count.set({ total, counted })
  }

  #releaseLeases(ids: readonly string[]): void {
    // A record that was only viewed here may have edits in another tab, which keep its lease.
    const worked = ids.filter((id) => this.#acquired.delete(id) && this.#leased.delete(id))
    const viewed = ids.filter((id) => this.#leased.delete(id))
    if (worked.length > 0) this.#releaseRecords(worked, 'work')
    if (viewed.length > 0) this.#releaseRecords(viewed, 'view')
  }

  #releaseViewed(): void {
    this.#releaseLeases(this.viewIds())
  }

  #forgetLease(recordId: string): void {
    this.#leased.delete(recordId)
    this.#acquired.delete(recordId)
  }

  /** Whether a record was answered here and the server hasn't confirmed the answer. */
  #isUnsent(recordId: string): boolean {
    const item = this.find(recordId)
    return item !== null && this.isCounted(item) && !this.isIn(item)
  }

  /** Leases skipped records again, because their leases were released. Removes records that others have taken. */
  readonly #reclaimSkipped = async (): Promise<void> => {
    const skipped = this.#countedItems().filter((item) => this.isIn(item) && !this.#leased.has(item.record.id))
    if (skipped.length === 0) return
    const ids = new Set(idsOf(skipped))
    const batch = await this.#leaseCounted(this.#countedItems().filter(({ record }) => !ids.has(record.id)))
    const reclaimed = new Set(batch.records.map(({ id }) => id))
    const { current } = this
    this.items = this.items.filter(({ record }) => !ids.has(record.id) || reclaimed.has(record.id) || this.#isEdited(record.id))
    this.index = current && this.items.includes(current) ? this.items.indexOf(current) : this.items.length
    if (reclaimed.size < ids.size) this.isExhausted = false
    this.#addBatch(batch)
  }

  #prefetchMore(): void {
    const upcoming = this.items.slice(this.index + 1).filter(this.isIn).length
    if (!this.isExhausted && upcoming <= this.#limit.prefetchAhead() && this.loading === null) void this.load(this.loadMore)
  }

  /** At the end: returns to the skipped records, starting at position `from`. */
  async #wrapAround(from: number): Promise<void> {
    await this.load(this.#reclaimSkipped)
    if (this.problem !== null) return
    this.goTo(nextOpenIndex(this.items.map(this.isIn), Math.min(from, this.items.length)) ?? this.items.length)
  }
}
