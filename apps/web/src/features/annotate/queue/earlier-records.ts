import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { VisitedPosition, VisitedRecords } from '#lib/visited-records.ts'

/** The maximum number of records that are loaded at once. */
const maxLoaded = 50

/** The list that earlier records are added to. */
type Target = {
  /** Adds records before the first loaded record. The records on the screen and their positions don't change. */
  readonly prepend: (records: readonly AnnotationRecord[]) => void
  readonly show: (index: number) => void
}

type Options = VisitedPosition & {
  /**
   * Returns the given records with only the user's own answers. Omits records that no longer exist. Rejects if the server is
   * unreachable.
   */
  readonly fetchRecords: (recordIds: readonly string[]) => Promise<readonly AnnotationRecord[]>
  /** Called if the records can't be loaded. */
  readonly onFailed?: (error: unknown) => void
}

/**
 * The records that were on the screen before a list was created. They occupy the positions before the list's first loaded record.
 * Positions of loaded records never change, so that they match the browser's history.
 */
export class EarlierRecords {
  /** How many positions precede the first loaded record of the list. */
  #offset: number
  #ids: readonly string[]
  /**
   * IDs of earlier records that the queue has assigned again. They are no longer in `ids`. After a reload, they come last again.
   */
  #last: readonly string[] = []
  #current: string | null
  /** The position that the user is going back to while its record loads, or null. */
  #wanted: number | null = null
  #loading: Promise<void> | null = null
  readonly #fetchRecords: Options['fetchRecords']
  readonly #onFailed: (error: unknown) => void

  constructor({ earlier, current, fetchRecords, onFailed = () => undefined }: Options) {
    this.#ids = earlier.ids
    this.#offset = earlier.before + earlier.ids.length
    this.#current = current
    this.#fetchRecords = fetchRecords
    this.#onFailed = onFailed
  }

  static none(): EarlierRecords {
    return new EarlierRecords({ earlier: { before: 0, ids: [] }, current: null, fetchRecords: async () => [] })
  }

  get offset(): number {
    return this.#offset
  }

  /** The IDs of records that are known but not loaded. Some of these records may no longer exist. */
  get ids(): readonly string[] {
    return this.#ids
  }

  /**
   * The last record that was on the screen before the list was created. Null if there was none, or if the record has been shown
   * again or can't be shown.
   */
  get current(): string | null {
    return this.#current
  }

  /**
   * Returns the records to restore after a reload: the earlier records, followed by `loaded`. The earlier records include skipped
   * records that the queue has assigned again, unless they are in `loaded`. These then come last after the reload, too.
   */
  visited(loaded: readonly string[]): VisitedRecords {
    const shown = new Set(loaded)
    const free = this.#offset - this.#ids.length
    const last = this.#last.filter((id) => !shown.has(id)).slice(0, free)
    return { before: free - last.length, ids: [...last, ...this.#ids, ...loaded] }
  }

  /**
   * Called when the list has loaded records after the one on the screen. Removes them from `ids`, because they no longer precede
   * the list.
   */
  forget(recordIds: readonly string[]): void {
    const loaded = new Set(recordIds)
    this.#last = [...this.#last, ...this.#ids.filter((id) => loaded.has(id))]
    this.#drop(loaded)
  }

  /**
   * Called when the list has loaded records. Returns those that are earlier records, so that the list can prepend them. Removes
   * them from `ids`.
   */
  take(records: readonly AnnotationRecord[]): readonly AnnotationRecord[] {
    const taken = records.filter(({ id }) => this.#ids.includes(id))
    this.#drop(new Set(taken.map(({ id }) => id)))
    return taken
  }

  #drop(recordIds: ReadonlySet<string>): void {
    if (this.#ids.some((id) => recordIds.has(id))) this.#ids = this.#ids.filter((id) => !recordIds.has(id))
  }

  /** Called when records were added before the one on the screen. A negative count means that records before it were removed. */
  prepended(count: number): void {
    this.#offset -= count
  }

  /**
   * Goes back to a position before the first loaded record. The record at this position is loaded first, and is shown unless the
   * user has moved on by then. If it no longer exists, an earlier record is shown. Never rejects.
   */
  goBack(position: number, target: Target): Promise<void> {
    this.#wanted = position
    this.#loading ??= this.#loadUntilWanted(target)
      .catch((error: unknown) => {
        this.#wanted = null
        this.#onFailed(error)
      })
      .finally(() => {
        this.#loading = null
      })
    return this.#loading
  }

  /** Called when the user moves to another record. */
  cancel(): void {
    this.#wanted = null
  }

  /** Resolves when nothing is loading. */
  async whenLoaded(): Promise<void> {
    await this.#loading
  }

  async #loadUntilWanted({ prepend, show }: Target): Promise<void> {
    for (let wanted = this.#wanted; wanted !== null; wanted = this.#wanted) {
      prepend(await this.#load(this.#offset - wanted + 1))
      const current = this.#wanted as number | null
      if (current === null || (current <= this.#offset && this.#ids.length > 0)) continue
      this.#wanted = null
      show(Math.max(0, current - 1 - this.#offset))
    }
  }

  /**
   * Loads the last `count` records that aren't loaded yet. Drops records that no longer exist. If none of them exists, tries the
   * records before them. @returns the records in order; empty if no record exists
   */
  async #load(count: number): Promise<readonly AnnotationRecord[]> {
    while (count > 0 && this.#ids.length > 0) {
      const ids = this.#ids.slice(-Math.min(count, maxLoaded))
      const found = new Map((await this.#fetchRecords(ids)).map((record) => [record.id, record]))
      this.#drop(new Set(ids))
      const records = ids.flatMap((id) => found.get(id) ?? [])
      if (records.length > 0) return records
    }
    return []
  }

  /** Loads the record that was on the screen last. @returns null if it can't be loaded */
  async loadCurrent(): Promise<AnnotationRecord | null> {
    const id = this.#current
    if (id === null) return null
    const [record = null] = await this.#fetchRecords([id]).catch(() => [])
    return record
  }

  /** Called when the record that was on the screen last is shown again, or can't be shown. */
  returned(): void {
    this.#current = null
  }
}
