import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { VisitedRecords } from './visited-records.ts'

/** How many earlier records can be loaded at once to go back to the first of them. */
const maxLoaded = 20

type Options = {
  readonly visited: VisitedRecords
  /** The record that was on the screen after the visited ones, or null. */
  readonly current: string | null
  readonly fetchRecord: (recordId: string) => Promise<AnnotationRecord>
}

/** The records that were on the screen before a list was created. They have the positions before its first loaded record. */
export class EarlierRecords {
  /** How many positions precede the first loaded record of the list. */
  offset: number
  ids: readonly string[]
  #current: string | null
  readonly #fetchRecord: Options['fetchRecord']

  constructor({ visited, current, fetchRecord }: Options) {
    this.ids = visited.ids
    this.offset = visited.before + visited.ids.length
    this.#current = current
    this.#fetchRecord = fetchRecord
  }

  static none(): EarlierRecords {
    return new EarlierRecords({
      visited: { before: 0, ids: [] },
      current: null,
      fetchRecord: () => Promise.reject(new Error('No earlier records')),
    })
  }

  /** The records before the first loaded one, followed by the given ones. */
  visited(loaded: readonly string[]): VisitedRecords {
    return { before: this.offset - this.ids.length, ids: [...this.ids, ...loaded] }
  }

  canLoad(count: number): boolean {
    return count <= Math.min(maxLoaded, this.ids.length)
  }

  /** Loads the last `count` of these records. @returns null if none could be loaded or if another call has loaded them */
  async load(count: number): Promise<readonly AnnotationRecord[] | null> {
    const ids = this.ids.slice(-count)
    // A record that can't be loaded may have been deleted.
    const loads = await Promise.allSettled(ids.map(this.#fetchRecord))
    const records = loads.flatMap((load) => (load.status === 'fulfilled' ? [load.value] : []))
    if (records.length === 0 || this.ids.at(-count) !== ids[0]) return null
    this.ids = this.ids.slice(0, -count)
    return records
  }

  /** Loads the record that was on the screen last, once. */
  async loadCurrent(): Promise<AnnotationRecord | null> {
    const id = this.#current
    this.#current = null
    return id === null ? null : this.#fetchRecord(id).catch(() => null)
  }
}
