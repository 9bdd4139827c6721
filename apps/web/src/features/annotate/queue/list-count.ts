import type { ListItem } from './list-item.ts'
import type { ServerCount } from './window.ts'
import { remainingCount, withoutRecord } from './window.ts'

type Options = {
  readonly known: () => readonly ListItem[]
  /**
   * Whether a record is in the list. `isIn` uses the record's status in this browser. `isCounted` uses the status that the server
   * last reported.
   */
  readonly isIn: (item: ListItem) => boolean
  readonly isCounted: (item: ListItem) => boolean
}

const idOf = ({ record }: ListItem): string => record.id

/** The length of a list: the server's count, adjusted for loaded records that have left or joined the list since the count. */
export class ListCount {
  readonly #known: Options['known']
  readonly #isIn: Options['isIn']
  readonly #isCounted: Options['isCounted']
  #serverCount: ServerCount | null = null
  /** Answers that were in flight when the list was counted. The count may or may not include them. */
  #uncertain = new Set<string>()
  /**
   * Records that were loaded from this device and not yet from the server. Their positions in the server's list and their answers
   * on the server are unknown.
   */
  readonly #deviceOnly = new Set<string>()

  constructor({ known, isIn, isCounted }: Options) {
    this.#known = known
    this.#isIn = isIn
    this.#isCounted = isCounted
  }

  hasCount(): boolean {
    return this.#serverCount !== null
  }

  /** Returns how many records are left. Null before the first count. */
  left(): number | null {
    if (this.#serverCount === null) return null
    const known = this.#known().map((item) => ({ id: idOf(item), isIn: this.#isIn(item) }))
    return remainingCount(this.#serverCount, known)
  }

  /** Sets the server's count. `serverCount` also contains the IDs of the loaded records that were counted. */
  set(serverCount: ServerCount): void {
    this.#serverCount = serverCount
  }

  /** Sets the server's count. The count includes those loaded records that are in the list according to the server. */
  setTotal(total: number): void {
    const known = this.#known()
    this.#serverCount = { total, counted: new Set(known.filter(this.#isCounted).map(idOf)) }
    this.#uncertain = new Set(known.filter((item) => this.#isIn(item) !== this.#isCounted(item)).map(idOf))
  }

  /** Marks newly loaded records as counted if the last count included them. */
  add(added: readonly ListItem[]): void {
    if (this.#serverCount === null) return
    const { counted, isFromDevice = false } = this.#serverCount
    const included = added.filter((item) => this.#isCounted(item) && !(isFromDevice && !this.#isIn(item)))
    this.#serverCount = { ...this.#serverCount, counted: new Set([...counted, ...included.map(idOf)]) }
  }

  /** The number of loaded records that are in the server's list. Leaves out records that only this device has returned. */
  placed(): number {
    return this.#known().filter((item) => this.#isCounted(item) && !this.#deviceOnly.has(idOf(item))).length
  }

  readonly isPlaced = (id: string): boolean => !this.#deviceOnly.has(id) && this.#known().some((item) => idOf(item) === id)

  /**
   * Called when the server has sent a record.
   * @returns whether the record had been loaded only from this device until then
   */
  confirmFromServer(id: string): boolean {
    return this.#deviceOnly.delete(id)
  }

  /** Marks all loaded records as records that came only from this device, not from the server. */
  markDeviceOnly(): void {
    for (const item of this.#known()) this.#deviceOnly.add(idOf(item))
  }

  /** Called when a record was deleted. */
  drop(id: string): void {
    this.#serverCount = this.#serverCount && withoutRecord(this.#serverCount, id)
  }

  /** Called when the server has confirmed an answer. @returns whether the list has to be counted again */
  settle(id: string): boolean {
    const wasDeviceOnly = this.#deviceOnly.delete(id)
    return (this.#uncertain.delete(id) && this.#uncertain.size === 0) || wasDeviceOnly
  }
}
