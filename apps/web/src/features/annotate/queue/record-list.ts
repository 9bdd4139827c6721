import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { ServerAnswer } from '#lib/outbox/types.ts'
import { ListCount } from './list-count.ts'
import type { ListItem, ListSnapshot, StatusOf } from './list-item.ts'
import { queueStatus, toItem } from './list-item.ts'

type Options = {
  readonly status: RecordFilterStatus
  readonly statusOf: StatusOf
  readonly isPaged?: boolean
  /** Whether the list is the queue, which contains returned answers. */
  readonly isQueue?: boolean
}

/**
 * A list of records in the annotator's order, and the position of the current record. Each record is shown exactly once.
 * Subclasses define where the records come from and which record is next. `SearchList` contains the results of a search.
 * `LeasedList` contains the records that are leased to the user.
 */
export abstract class RecordList {
  /** The records loaded so far, in the order of the list. Answered ones are kept, so that the user can go back to them. */
  protected items: readonly ListItem[] = []
  /**
   * The index of the current record or, in a paged list, of the page's first record. At the end of the list, the index equals the
   * number of items.
   */
  protected index = 0
  /** Whether the end of the list was reached and every record before it is loaded. */
  protected isExhausted = false
  /** The error of the last load, or null. */
  protected problem: unknown = null
  /** The current load, or null. */
  protected loading: Promise<void> | null = null
  /** Whether several records are on the screen at once. */
  protected readonly isPaged: boolean
  protected readonly count: ListCount
  readonly #status: RecordFilterStatus
  readonly #statusOf: StatusOf
  readonly #isQueue: boolean
  /** Answers that the server confirmed while records were loading. The loaded records may predate them. */
  readonly #confirmedWhileLoading = new Map<string, ServerAnswer | null>()
  #isFirstLoad = true
  #snapshot: ListSnapshot | null = null
  readonly #listeners = new Set<() => void>()

  constructor({ status, statusOf, isPaged = false, isQueue = false }: Options) {
    this.#status = status
    this.#isQueue = isQueue
    this.#statusOf = statusOf
    this.isPaged = isPaged
    this.count = new ListCount({ known: () => this.items, isIn: this.isIn, isCounted: this.isCounted })
  }

  /** Computes what is on the screen. */
  protected abstract read(): ListSnapshot
  /** Loads the records that follow those already loaded. */
  protected abstract readonly loadMore: () => Promise<void>
  /**
   * Shows the next record that needs an answer, starting at the current position. If none of the loaded records needs one, loads
   * more records.
   */
  protected abstract showNextOpen(): Promise<void>
  /** Makes the record at an index the current one. */
  protected abstract goTo(index: number): void
  /** Counts the list again. */
  protected abstract recount(): void
  abstract next(): void
  abstract previous(): Promise<void>
  /** Called when the current record was answered. Shows the next record to answer. At the end, returns to the skipped records. */
  abstract advance(): Promise<void>
  /** Goes to a position in the list. Returns false if the record there isn't loaded. */
  abstract goToPosition(position: number): boolean
  /** Resolves when the record at a position is shown or can't be loaded. */
  async whenMoved(): Promise<void> {
    // By default, only loaded records are shown.
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns what the screen shows. Returns the same object until the snapshot is recomputed. */
  readonly snapshot = (): ListSnapshot => {
    this.#snapshot ??= this.read()
    return this.#snapshot
  }

  /** Recomputes the snapshot. Call this when the result of `statusOf` may have changed. */
  readonly refresh = (): void => {
    this.#snapshot = this.read()
    for (const listener of this.#listeners) listener()
  }

  find(recordId: string): ListItem | null {
    return this.items.find(({ record }) => record.id === recordId) ?? null
  }

  /** Loads the first records. Loads again if the last load failed. At the end of the list, looks for new records. */
  async open(): Promise<void> {
    if (this.loading !== null) await this.loading
    if (this.isOutdated()) this.isExhausted = false
    await this.refill()
  }

  /** Replaces records from this device with the server's list. The records on the screen and those before them are kept. */
  async renew(): Promise<void> {
    if (this.loading !== null) await this.loading
    this.dropDeviceRecords()
    this.isExhausted = false
    this.problem = null
    this.refresh()
    const keepsCurrent = !this.isPaged && this.current !== null
    await this.load(this.loadMore)
    if (keepsCurrent) this.goTo(this.index)
    else await this.showNextOpen()
  }

  /** Fills the page after records have left it. If the current record needs no answer, shows the next one that does. */
  async refill(): Promise<void> {
    this.problem = null
    this.refresh()
    await this.showNextOpen()
  }

  /** Shows a record. If it isn't loaded, it is inserted at the current position. */
  insertAndShow(record: AnnotationRecord): void {
    const known = this.indexOf(record.id)
    if (known < 0) this.items = [...this.items.slice(0, this.index), toItem(record), ...this.items.slice(this.index)]
    this.goTo(known < 0 ? this.index : known)
  }

  /** Called when the server has confirmed an answer. */
  confirm(recordId: string, serverAnswer: ServerAnswer | null): void {
    this.#confirmedWhileLoading.set(recordId, serverAnswer)
    // If the record isn't loaded, it is unknown whether the list's count already takes the answer into account.
    if (this.count.settle(recordId) || !this.isKnown(recordId)) this.recount()
    this.#replace(recordId, { serverAnswer })
  }

  /** Called on every edit of a record. */
  noteEdit(_recordId: string): void {
    // By default, an edit doesn't reserve the record.
  }

  /** Called when a record has changed. */
  update(record: AnnotationRecord): void {
    this.#replace(record.id, { record })
  }

  /** Called when a record was deleted. The next one takes its place. */
  remove(recordId: string): void {
    const at = this.indexOf(recordId)
    if (at < 0) return
    const isCurrent = at === this.index
    this.items = this.items.toSpliced(at, 1)
    this.count.drop(recordId)
    if (at < this.index) this.index -= 1
    if (isCurrent) this.index = this.indexAfterRemoval()
    this.refresh()
    if (isCurrent || this.isPaged) void this.showNextOpen()
  }

  /** The current record, or null at the end. */
  protected get current(): ListItem | null {
    return this.items[this.index] ?? null
  }

  /** Whether a record is in the list if changes that the server hasn't confirmed are included. */
  protected readonly isIn = (item: ListItem): boolean => this.#matches(item.serverAnswer, this.#statusOf(item))
  /** Whether a record is in the list according to the server. */
  protected readonly isCounted = ({ serverAnswer }: ListItem): boolean =>
    this.#matches(serverAnswer, serverAnswer?.status ?? 'pending')
  protected readonly isKnown = (recordId: string): boolean => this.indexOf(recordId) >= 0

  protected indexOf(recordId: string): number {
    return this.items.findIndex(({ record }) => record.id === recordId)
  }

  /** Whether to look for more records when the list is opened again. By default, only if the user is at the end of the list. */
  protected isOutdated(): boolean {
    return this.current === null
  }

  /**
   * Called before the list is renewed. Drops the records that may have been loaded from this device instead of the server. Keeps
   * the records on the screen and those before them.
   */
  protected dropDeviceRecords(): void {
    // By default, all loaded records are kept.
  }

  /** Returns the index of the record to show after the current one was removed. */
  protected indexAfterRemoval(): number {
    return this.index
  }

  /** Returns the list item for a record that was just loaded, with a later answer if one was confirmed during the load. */
  protected toLoadedItem(record: AnnotationRecord): ListItem {
    const serverAnswer = this.#confirmedWhileLoading.get(record.id)
    return serverAnswer === undefined ? toItem(record) : { record, serverAnswer }
  }

  /**
   * Handles records that the user has answered here and whose answers were returned since then. The current record is updated.
   * The others are removed here, because the caller then inserts them as new records.
   * @returns how many records before the current one were removed
   */
  protected takeBack(records: readonly AnnotationRecord[]): number {
    let before = 0
    for (const { record, serverAnswer } of records.map((one) => this.toLoadedItem(one))) {
      const at = this.indexOf(record.id)
      const known = this.items[at]
      if (known === undefined || this.isIn(known) || serverAnswer?.returned == null) continue
      if (serverAnswer.version <= (known.serverAnswer?.version ?? 0)) continue
      if (at === this.index) this.items = this.items.with(at, { record, serverAnswer })
      else this.items = this.items.toSpliced(at, 1)
      if (at < this.index) {
        this.index -= 1
        before += 1
      }
    }
    return before
  }

  protected phaseOf(isWaiting: boolean): ListSnapshot['phase'] {
    if (!isWaiting) return 'ready'
    return this.problem === null ? 'loading' : 'failed'
  }

  /**
   * Runs one load at a time; concurrent callers wait for it. Never rejects. An error is stored in `problem`, and the load is
   * retried when it is needed.
   */
  protected load(work: () => Promise<void>): Promise<void> {
    if (this.loading !== null) return this.loading
    this.onLoadStart()
    this.loading = work()
      .then(
        () => {
          this.problem = null
        },
        (error: unknown) => {
          this.problem = error
        },
      )
      .finally(() => {
        this.loading = null
        this.onLoadEnd()
      })
    return this.loading
  }

  protected onLoadStart(): void {
    // The first records may have been requested before this list existed. Answers that were confirmed before the first load may
    // therefore be newer than the loaded records, so they are kept.
    if (!this.#isFirstLoad) this.#confirmedWhileLoading.clear()
    this.#isFirstLoad = false
  }

  /** Called after each load, whether or not it failed. */
  protected onLoadEnd(): void {
    this.refresh()
  }

  #matches(serverAnswer: ServerAnswer | null, status: RecordFilterStatus): boolean {
    return (this.#isQueue ? queueStatus(serverAnswer, status) : status) === this.#status
  }

  #replace(recordId: string, part: Partial<ListItem>): void {
    this.items = this.items.map((item) => (item.record.id === recordId ? { ...item, ...part } : item))
    this.refresh()
  }
}
