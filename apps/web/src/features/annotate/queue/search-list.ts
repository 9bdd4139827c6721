import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { ServerAnswer } from '#lib/outbox/types.ts'
import { createCountedFetch, createSingleFlight } from './counted-fetch.ts'
import type { FetchPage, ListItem, ListSnapshot, SearchListOptions } from './list-item.ts'
import { nextPageStart, previousPageStart, shownIndexes } from './page.ts'
import { RecordList } from './record-list.ts'
import type { PageRequest } from './window.ts'
import { earlierPageRequest, isLast, isTruncated, nextOpenIndex, nextPageRequest, overlapsKnown } from './window.ts'

const minPageSize = 10
/** More records are fetched when this many or fewer remain after the current one. */
const prefetchAhead = 5
const scanSize = 100
const idsOf = (records: readonly AnnotationRecord[]): readonly string[] => records.map(({ id }) => id)

/** The records of a search, in search order. */
export class SearchList extends RecordList {
  readonly #start: number
  readonly #fixedSize: number | null
  readonly #size: number
  readonly #pageSize: number
  readonly #fetchPage: FetchPage
  /** Fetches a page with an exact count. */
  readonly #fetchCounted: FetchPage
  readonly #keepsOnPage: (recordId: string) => boolean
  readonly #defer: (work: () => void) => void
  /** The number of records in the list before the first loaded one. */
  #before: number
  /**
   * Whether the end of the list was reached. The records before the start position are read only when the user goes there or when
   * no later records are left.
   */
  #isEndSeen = false
  /** How many answers the server has confirmed so far. */
  #confirmations = 0

  constructor({
    status,
    start,
    fixedSize = null,
    fetchPage,
    statusOf,
    size = 1,
    keepsOnPage = () => false,
    defer = (work) => work(),
  }: SearchListOptions) {
    super({ status, statusOf, isPaged: size > 1 })
    this.#start = start
    this.#fixedSize = fixedSize
    this.#size = size
    this.#pageSize = Math.max(minPageSize, size)
    this.#fetchPage = fetchPage
    this.#fetchCounted = createCountedFetch(fetchPage, () => this.#confirmations)
    this.#keepsOnPage = keepsOnPage
    this.#defer = defer
    this.#before = fixedSize === null ? Math.max(0, start - 1) : 0
  }

  next(): void {
    const next = nextPageStart(this.#shownFlags(), this.index, this.#size)
    if (next !== null) this.goTo(next)
    else if (!this.isExhausted && !this.#isEndSeen) {
      this.goTo(this.items.length)
      void this.showNextOpen()
    }
  }

  async previous(): Promise<void> {
    const shownBefore = shownIndexes(this.#shownFlags().slice(0, this.index), 0, this.#size)
    if (this.#before > 0 && shownBefore.length < this.#size) await this.load(this.#loadPrevious)
    if (this.index > 0) this.goTo(previousPageStart(this.#shownFlags(), this.index, this.#size))
  }

  /**
   * Goes to the next record in the list. At the end of the loaded records, loads more. If there are no more, returns to the
   * records that were skipped.
   */
  async advance(): Promise<void> {
    const from = this.index
    const known = nextOpenIndex(this.items.map(this.isIn), from)
    if (known !== null && (known > from || this.isExhausted)) return this.goTo(known)
    if (this.isExhausted) return this.goTo(this.items.length)
    const id = this.items[from]?.record.id
    this.goTo(this.items.length)
    await this.load(this.loadMore)
    if (this.problem !== null) return
    // While the next page was loading, records may have been inserted before the current one. Its position is determined again.
    const found = nextOpenIndex(this.items.map(this.isIn), id === undefined ? from : this.indexOf(id))
    if (found === null && !this.isExhausted) return this.advance()
    this.goTo(found ?? this.items.length)
  }

  goToPosition(position: number): boolean {
    const places = this.items.map((item, at) => ({ at, isIn: this.isIn(item) })).filter(({ isIn }) => isIn)
    const place = places[position - 1 - this.#before]
    if (place) this.goTo(place.at)
    return place !== undefined
  }

  override confirm(recordId: string, serverAnswer: ServerAnswer | null): void {
    this.#confirmations += 1
    super.confirm(recordId, serverAnswer)
  }

  override remove(recordId: string): void {
    if (!this.isKnown(recordId)) return
    super.remove(recordId)
    this.recount()
  }

  protected read(): ListSnapshot {
    const flags = this.#shownFlags()
    const items = shownIndexes(flags, this.index, this.#size).flatMap((place) => this.items[place] ?? [])
    const item = items[0] ?? null
    const next = nextPageStart(flags, this.index, this.#size)
    return {
      phase: this.phaseOf(item === null && (!this.isExhausted || (this.isPaged && this.#before > 0))),
      problem: this.problem,
      item,
      items,
      position: this.#before + this.items.slice(0, this.index).filter(this.isIn).length + 1,
      total: this.count.left(),
      hasPrevious: this.#before > 0 || flags.slice(0, this.index).includes(true),
      hasNext: next !== null || (item !== null && !this.isExhausted && !this.#isEndSeen),
    }
  }

  protected goTo(index: number): void {
    this.index = index
    this.refresh()
    if (this.isPaged) {
      this.problem = null
      void this.showNextOpen()
    } else this.#prefetchMore()
  }

  protected async showNextOpen(): Promise<void> {
    // Skips records that are already answered. The server's list contains them until their answers are sent. A page keeps its
    // start: if the server rejects an answer, its record may return to the page.
    while (!this.isPaged && this.current && !this.isIn(this.current)) this.index += 1
    if (!this.#isFull(1) && !this.isExhausted && this.problem === null) {
      await this.load(this.loadMore)
      if (this.problem === null) return this.showNextOpen()
    }
    if (this.problem === null && this.#isPastLastPage()) {
      if (this.#before > 0) await this.load(this.#loadPrevious)
      this.index = previousPageStart(this.#shownFlags(), this.index, this.#size)
      return this.showNextOpen()
    }
    this.refresh()
    if (this.problem === null) this.#defer(this.#prefetchMore)
  }

  protected readonly loadMore = (): Promise<void> =>
    this.#fixedSize === null ? this.#loadNext() : this.#loadFixedList(this.#fixedSize)

  /**
   * The count may be too high for two reasons:
   * - After the list was read, an answer to a record that isn't loaded was confirmed.
   * - Other users have answered records.
   */
  protected recount(): void {
    if (this.count.hasCount() && this.#fixedSize === null) this.#refetchCount()
  }

  protected override dropDeviceRecords(): void {
    const lastShown = shownIndexes(this.#shownFlags(), this.index, this.#size).at(-1) ?? this.index - 1
    this.items = this.items.slice(0, lastShown + 1)
    this.count.markDeviceOnly()
    this.#isEndSeen = false
  }

  protected override indexAfterRemoval(): number {
    if (this.isPaged) return this.index
    return nextOpenIndex(this.items.map(this.isIn), this.index - 1) ?? this.items.length
  }

  /**
   * Returns one flag for each loaded record: false if the record is hidden. Only a paged list hides records, namely those that no
   * longer belong to it.
   */
  #shownFlags(): readonly boolean[] {
    return this.items.map((item) => !this.isPaged || this.isIn(item) || this.#keepsOnPage(item.record.id))
  }

  /** Whether the loaded records fill the given number of pages, counted from the current record. */
  #isFull(pages: number): boolean {
    const size = this.#size * pages
    return shownIndexes(this.#shownFlags(), this.index, size).length === size
  }

  /** Whether the current position is after the last record of the list. False if the list has no earlier page. */
  #isPastLastPage(): boolean {
    if (!this.isPaged || !this.isExhausted) return false
    const flags = this.#shownFlags()
    return (this.#before > 0 || flags.includes(true)) && !flags.includes(true, this.index)
  }

  readonly #prefetchMore = (): void => {
    const hasEnough = this.isPaged ? this.#isFull(2) : this.items.length - 1 - this.index > prefetchAhead
    if (!this.isExhausted && !this.#isEndSeen && !hasEnough && this.loading === null) void this.load(this.loadMore)
  }

  readonly #refetchCount = createSingleFlight(async () => {
    this.count.setTotal((await this.#fetchCounted({ offset: 0, limit: 1 })).total)
    this.refresh()
  })

  /** Inserts new records at an index: before the current record, or at the end. @returns how many of the records were new */
  #insert(at: number, records: readonly AnnotationRecord[]): number {
    for (const record of records) if (this.count.confirmFromServer(record.id)) this.#replaceLoaded(record)
    const added = records.filter(({ id }) => !this.isKnown(id)).map((record) => this.toLoadedItem(record))
    if (at < this.items.length) this.index += added.length
    this.items = this.items.toSpliced(at, 0, ...added)
    this.count.add(added)
    return added.length
  }

  #append(records: readonly AnnotationRecord[]): number {
    return this.#insert(this.items.length, records)
  }

  #replaceLoaded(record: AnnotationRecord): void {
    const loaded: ListItem = this.toLoadedItem(record)
    this.items = this.items.map((item) => (item.record.id === record.id ? loaded : item))
  }

  readonly #loadPrevious = async (): Promise<void> => {
    const offset = Math.max(0, this.#before - this.#pageSize)
    const { records } = await this.#fetchPage({ offset, limit: this.#before - offset })
    this.#insert(0, records)
    this.#before = offset
  }

  async #loadNext(requested = this.#pageSize): Promise<void> {
    let request: PageRequest = nextPageRequest({ before: this.#before, counted: this.count.placed(), size: requested })
    let page = await this.#fetchCounted(request)
    while (!overlapsKnown(request, idsOf(page.records), this.count.isPlaced)) {
      request = earlierPageRequest(request)
      page = await this.#fetchCounted(request)
    }
    if (this.items.length === 0 && page.records.length === 0 && this.#before > 0 && page.total > 0) {
      // The page in the URL is beyond the end, so the list starts at the first page.
      this.#before = 0
      return this.#loadNext()
    }
    const added = this.#append(page.records)
    this.count.setTotal(page.total)
    if (!isLast(request, idsOf(page.records))) {
      return added > 0 && isTruncated(request, requested - added) ? this.#loadNext(requested - added) : undefined
    }
    // In a paged list, earlier pages are loaded only when the user goes there. There is nothing more to load until then.
    if (this.isPaged && this.#before > 0) this.isExhausted = true
    else if (this.#before > 0 && this.items.slice(this.index).some(this.isIn)) this.#isEndSeen = true
    else await this.#scanForUnseen(page.total)
  }

  /**
   * Loads a list that is read in one request. Records that are added later don't appear in it, so its length is known after this
   * request.
   */
  async #loadFixedList(limit: number): Promise<void> {
    const { records } = await this.#fetchPage({ offset: 0, limit })
    this.#append(records)
    if (!this.count.hasCount() && this.#start <= this.items.length) this.index = this.#start - 1
    this.count.setTotal(this.items.filter(this.isCounted).length)
    this.isExhausted = true
  }

  /**
   * Loads the records that the list doesn't contain yet: the records before its start position, in order, and the records that
   * were added to the search result after the list was first read.
   */
  async #scanForUnseen(total: number): Promise<void> {
    let inFront = 0
    let isInFront = this.#before > 0
    for (let offset = 0; offset < total; offset += scanSize) {
      if (total <= this.count.placed()) break
      const { records } = await this.#fetchPage({ offset, limit: scanSize })
      const known = records.findIndex(({ id }) => this.count.isPlaced(id))
      const others = !isInFront ? 0 : known < 0 ? records.length : known
      inFront += this.#insert(inFront, records.slice(0, others))
      this.#append(records.slice(others))
      isInFront &&= known < 0
      if (records.length === 0) break
    }
    this.#before = 0
    this.isExhausted = true
  }
}
