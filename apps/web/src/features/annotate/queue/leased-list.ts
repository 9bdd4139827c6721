import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { ServerAnswer } from '#lib/outbox/types.ts'
import type { VisitedRecords } from '#lib/visited-records.ts'
import { EarlierRecords } from './earlier-records.ts'
import { HeldLeases } from './held-leases.ts'
import { LeaseLimit } from './lease-limit.ts'
import type { LeasedListOptions } from './leased-list-options.ts'
import type { LeaseBatch, ListItem, ListSnapshot } from './list-item.ts'
import { idsOf } from './list-item.ts'
import { RecordList } from './record-list.ts'
import { StaleCount } from './stale-count.ts'
import { nextOpenIndex, type ServerCount } from './window.ts'

export const maxExcluded = 1000
/** The maximum number of requests in a row that add no records, because other users lease the remaining records first. */
const maxTries = 3

type CountedBatch = LeaseBatch & Pick<ServerCount, 'counted'>

/** Pending records that the server leases to users: each record to at most as many people as it needs answers. */
export class LeasedList extends RecordList {
  readonly #options: LeasedListOptions
  readonly #isEdited: LeasedListOptions['isEdited']
  readonly #earlier: EarlierRecords
  readonly #goingBack = {
    prepend: (records: readonly AnnotationRecord[]): void => {
      const items = records.filter(({ id }) => !this.isKnown(id)).map((record) => this.toLoadedItem(record))
      this.items = [...items, ...this.items]
      this.index += items.length
      this.#lastVisited += items.length
      this.#earlier.prepended(items.length)
      this.count.add(items)
    },
    show: (index: number): void => {
      this.goTo(index)
      void this.#leaseAgain()
    },
  }
  /** The highest index among the records that were on the screen. */
  #lastVisited = 0
  /** Whether the list is looking for the next record to answer. During the search, the list doesn't count as ended. */
  #isAdvancing = false
  readonly #leases: HeldLeases
  readonly #limit = new LeaseLimit()
  /** Whether the list has left the screen. */
  #isReleased = false
  readonly #staleCount = new StaleCount()

  constructor(options: LeasedListOptions) {
    super({ status: 'pending', statusOf: options.statusOf, isQueue: true })
    this.#options = options
    this.#earlier = options.earlier ?? EarlierRecords.none()
    this.#leases = new HeldLeases(options)
    this.#isEdited = options.isEdited
  }

  /** Returns the records that were on the screen, in the order of the list. */
  visited(): VisitedRecords {
    this.#lastVisited = Math.min(Math.max(this.#lastVisited, this.index), this.items.length - 1)
    return this.#earlier.visited(idsOf(this.items.slice(0, this.#lastVisited + 1)))
  }

  override async open(): Promise<void> {
    if (this.#earlier.current !== null) {
      if (this.loading !== null) await this.loading
      await this.load(this.#loadReturned)
      if (this.problem !== null) return
      // Shows the record that the user returns to, even if it is answered. `super.open` would move on to the next open record.
      if (this.current !== null && !this.isIn(this.current)) return this.goTo(this.index)
    }
    await super.open()
  }

  override async whenMoved(): Promise<void> {
    await this.#earlier.whenLoaded()
  }

  /** Returns the records leased to this user, as far as this list knows. */
  leasedIds(): readonly string[] {
    return this.#leases.ids()
  }

  /** Returns the leased records that the user only looks at. */
  viewIds(): readonly string[] {
    return this.leasedIds().filter((id) => !this.#isEdited(id) && !this.#isUnsent(id))
  }

  /** Returns the records to keep leased while the user pauses: records with edits, and leased records with an unsent answer. */
  workIds(): readonly string[] {
    const viewed = new Set(this.viewIds())
    const open = [...idsOf(this.items.filter(this.isIn)), ...this.#earlier.ids]
    return [...new Set([...this.leasedIds().filter((id) => !viewed.has(id)), ...open.filter(this.#isEdited)])]
  }

  /** Called when the server has leased records for work. Releases the leases that the user no longer needs. */
  noteLeased(recordIds: readonly string[]): void {
    const worked = new Set(this.workIds())
    this.#leases.addAcquired(recordIds.filter((id) => worked.has(id)))
    // If the server has confirmed an answer, it has already ended the record's lease. The lease doesn't need to be released.
    const isOpen = (item: ListItem | null): boolean => item === null || this.isCounted(item)
    const unneeded = recordIds.filter((id) => !this.#leases.has(id) && isOpen(this.find(id)))
    if (unneeded.length > 0) this.#options.releaseRecords(unneeded, 'work')
  }

  /** Called on every edit of a record. The first edit leases the record for work. */
  override noteEdit(recordId: string): void {
    const item = this.find(recordId)
    if (!item || !this.isIn(item) || this.#leases.isAcquired(recordId)) return
    this.#leases.acquire(recordId, () => this.noteLeased([recordId]))
  }

  /**
   * Removes records that are now leased to someone else.
   * @param withCurrent whether to also replace the record on the screen if it has no edits; for users who return to the list
   * @param keepsItems whether to remove only the leases; for users who may look at records without a lease
   */
  removeLost(recordIds: readonly string[], { withCurrent = false, keepsItems = false } = {}): void {
    const lost = new Set(recordIds)
    for (const id of lost) this.#leases.forget(id)
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
   * Called when the list has left the screen. Releases the leases of all records that the user only looked at, including records
   * that are still loading. @returns the records skipped on this visit and the previous one; null if the list has ended
   */
  release(): readonly string[] | null {
    this.#isReleased = true
    this.#releaseViewed()
    const { current } = this
    if (!current && this.isExhausted) return null
    const skippedBefore = (this.#options.skippedBefore?.() ?? []).filter((id) => id !== current?.record.id)
    return [...skippedBefore, ...idsOf(this.items.slice(0, this.index).filter(this.isIn))].slice(-maxExcluded)
  }

  next(): void {
    const skipped = this.current
    if (this.index + 1 < this.items.length) this.goTo(this.index + 1)
    else if (skipped && !this.isExhausted) {
      this.goTo(this.items.length)
      void this.showNextOpen()
    } else return
    if (skipped && this.isIn(skipped) && !this.#isEdited(skipped.record.id)) this.#leases.release([skipped.record.id])
  }

  async previous(): Promise<void> {
    if (this.index > 0) this.#goingBack.show(this.index - 1)
    else if (this.#earlier.ids.length > 0) await this.#earlier.goBack(this.#earlier.offset, this.#goingBack)
  }

  async advance(): Promise<void> {
    this.#earlier.cancel()
    const from = this.index
    const next = this.items.findIndex((item, at) => at > from && this.isIn(item))
    if (next >= 0) return this.goTo(next)
    this.#isAdvancing = true
    await this.#advanceFromEnd(from).finally(() => {
      this.#isAdvancing = false
      this.refresh()
    })
  }

  async #advanceFromEnd(from: number): Promise<void> {
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
    if (this.#staleCount.isStale && this.problem === null) this.recount()
  }

  goToPosition(position: number): boolean {
    const index = position - 1 - this.#earlier.offset
    if (index < 0 && this.#earlier.ids.length > 0) void this.#earlier.goBack(position, this.#goingBack)
    else this.#goingBack.show(Math.max(0, Math.min(index, this.items.length)))
    if (this.current === null && !this.isExhausted) void this.showNextOpen()
    return true
  }

  override insertAndShow(record: AnnotationRecord): void {
    this.#earlier.forget([record.id])
    super.insertAndShow(record)
  }

  override confirm(recordId: string, serverAnswer: ServerAnswer | null): void {
    if (serverAnswer !== null && serverAnswer.status !== 'draft') this.#leases.forget(recordId)
    super.confirm(recordId, serverAnswer)
  }

  override remove(recordId: string): void {
    const at = this.indexOf(recordId)
    if (at < 0) return
    this.#leases.forget(recordId)
    // The removal of an earlier record must not change the displayed position of the current record.
    if (at < this.index) this.#earlier.prepended(-1)
    super.remove(recordId)
  }

  protected read(): ListSnapshot {
    const item = this.current
    return {
      phase: this.phaseOf(item === null && (!this.isExhausted || this.#isAdvancing)),
      problem: this.problem,
      item,
      items: item ? [item] : [],
      position: this.#earlier.offset + this.index + 1,
      total: this.count.left(),
      hasPrevious: this.index > 0 || this.#earlier.ids.length > 0,
      hasNext: this.index + 1 < this.items.length || (item !== null && !this.isExhausted),
    }
  }

  protected goTo(index: number): void {
    this.#earlier.cancel()
    this.index = index
    this.refresh()
    this.#prefetchMore()
  }

  /** Shows the next record to answer: a loaded record, otherwise a newly leased one, otherwise a skipped one. */
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
      // Either the remaining records are already loaded, or other users hold leases on them.
      this.isExhausted = true
      if (batch.left <= known.length - batch.closed.length) return
    }
  }

  protected recount(): void {
    this.#staleCount.isStale = true
    if (this.loading === null && !this.isExhausted) void this.load(this.loadMore)
  }

  protected override isOutdated(): boolean {
    return super.isOutdated() || this.#staleCount.isStale
  }

  protected override onLoadStart(): void {
    super.onLoadStart()
    this.#staleCount.loadStarted()
  }

  protected override onLoadEnd(): void {
    super.onLoadEnd()
    this.#staleCount.loadEnded(this.problem === null)
    if (this.#staleCount.isStale && this.problem === null) this.recount()
  }

  /** Returns the loaded records that are in the list according to the status that the server last reported. */
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
    const batch = await this.#options.lease({
      limit: this.#limit.next(this.#leasedAhead()),
      exclude: idsOf(known).slice(-maxExcluded),
    })
    const closed = new Set(batch.closed)
    const ids = [...before.filter((id) => !closed.has(id)), ...batch.records.map(({ id }) => id)]
    return { ...batch, counted: new Set(ids) }
  }

  #addBatch({ records, leased, left: total, counted, isFromDevice = false }: CountedBatch): void {
    this.#leases.add(leased ?? records.map((record) => record.id))
    if (this.#isReleased) this.#releaseViewed()
    this.#limit.update({ left: total, isFromDevice })
    this.#earlier.prepended(-this.takeBack(records))
    // The user has answered these records, but the server doesn't have the answers yet. They stay before the current record.
    this.#goingBack.prepend(this.#earlier.take(records.filter((record) => !this.isIn(this.toLoadedItem(record)))))
    const maxNew = this.#limit.next(this.#leasedAhead())
    const isKept = ({ id }: AnnotationRecord, at: number): boolean => at < maxNew || this.#isEdited(id)
    const newRecords = records.filter(({ id }) => !this.isKnown(id))
    this.#leases.release(newRecords.filter((record, at) => !isKept(record, at)).map(({ id }) => id))
    const added = newRecords.filter(isKept).map((record) => this.toLoadedItem(record))
    this.items = [...this.items, ...added]
    this.#earlier.forget(idsOf(added))
    this.count.set({ total, counted, isFromDevice })
  }

  /**
   * Loads the first records when the user returns to a position in the queue, for example by reloading the page. The record at
   * this position comes first if it is answered or edited, or if the user can lease it again.
   */
  readonly #loadReturned = async (): Promise<void> => {
    const [record] = await Promise.all([this.#earlier.loadCurrent(), this.loadMore()])
    const id = this.#earlier.current
    const loaded = id === null ? null : this.find(id)
    if (loaded) this.items = this.items.filter((item) => item !== loaded).toSpliced(this.index, 0, loaded)
    else if (record) {
      const item = this.toLoadedItem(record)
      const isShown = !this.isIn(item) || (await this.#leases.acquireView(record.id).catch(() => 'held')) !== 'held'
      if (isShown || this.#isEdited(record.id)) {
        this.items = this.items.toSpliced(this.index, 0, item)
        this.count.add([item])
      }
      if (this.#isReleased) this.#releaseViewed()
    }
    this.#earlier.returned()
  }

  /**
   * Leases the current record again after the user has gone back to it, because its lease was released when it was skipped. If
   * another user has leased the record since then, shows the next record. A record with a returned answer needs no lease, because
   * it is reserved for the answer's author.
   */
  async #leaseAgain(): Promise<void> {
    const { current } = this
    if (!current || !this.isIn(current) || this.#leases.has(current.record.id) || current.serverAnswer?.returned != null) return
    const outcome = await this.#leases.acquireView(current.record.id).catch(() => 'free' as const)
    if (outcome === 'held') this.removeLost([current.record.id], { withCurrent: true })
    else if (this.#isReleased) this.#releaseViewed()
  }

  #releaseViewed(): void {
    this.#leases.release(this.viewIds())
  }

  /** Whether a record was answered here and the server hasn't confirmed the answer. */
  #isUnsent(recordId: string): boolean {
    const item = this.find(recordId)
    return item !== null && this.isCounted(item) && !this.isIn(item)
  }

  /** Leases skipped records again, because their leases were released. Removes records that others have taken. */
  readonly #reclaimSkipped = async (): Promise<void> => {
    const skipped = this.#countedItems().filter((item) => this.isIn(item) && !this.#leases.has(item.record.id))
    if (skipped.length === 0) return
    const ids = new Set(idsOf(skipped))
    const batch = await this.#leaseCounted(this.#countedItems().filter(({ record }) => !ids.has(record.id)))
    const reclaimed = new Set(batch.records.map(({ id }) => id))
    const { current } = this
    const stays = ({ record: { id } }: ListItem): boolean => !ids.has(id) || reclaimed.has(id) || this.#isEdited(id)
    const kept = this.items.filter(stays)
    this.#earlier.prepended(kept.length - this.items.length)
    this.items = kept
    this.index = current && this.items.includes(current) ? this.items.indexOf(current) : this.items.length
    if (reclaimed.size < ids.size) this.isExhausted = false
    this.#addBatch(batch)
  }

  #prefetchMore(): void {
    const upcoming = this.items.slice(this.index + 1).filter(this.isIn).length
    if (!this.isExhausted && upcoming <= this.#limit.prefetchAhead() && this.loading === null) void this.load(this.loadMore)
  }

  /** At the end of the list, returns to the skipped records, starting at position `from`. */
  async #wrapAround(from: number): Promise<void> {
    await this.load(this.#reclaimSkipped)
    if (this.problem !== null) return
    this.goTo(nextOpenIndex(this.items.map(this.isIn), Math.min(from, this.items.length)) ?? this.items.length)
  }
}
