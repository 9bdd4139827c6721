import type { LeasedListOptions } from './leased-list-options.ts'

type Options = Pick<LeasedListOptions, 'releaseRecords' | 'acquire' | 'acquireView'>

/** The leases of one record list: the records that this list has leased to the user. */
export class HeldLeases {
  readonly #releaseRecords: Options['releaseRecords']
  readonly #acquire: Options['acquire']
  readonly #acquireView: Options['acquireView']
  readonly #leased = new Set<string>()
  /**
   * The records with a lease for work. A record gets such a lease when the user first edits it. All other leases are for viewing.
   */
  readonly #acquired = new Set<string>()

  constructor({ releaseRecords, acquire, acquireView }: Options) {
    this.#releaseRecords = releaseRecords
    this.#acquire = acquire
    this.#acquireView = acquireView
  }

  ids(): readonly string[] {
    return [...this.#leased]
  }

  has(recordId: string): boolean {
    return this.#leased.has(recordId)
  }

  isAcquired(recordId: string): boolean {
    return this.#acquired.has(recordId)
  }

  /** Called when records were leased to the user for viewing. */
  add(recordIds: readonly string[]): void {
    for (const id of recordIds) this.#leased.add(id)
  }

  /** Called when records were leased to the user for work. */
  addAcquired(recordIds: readonly string[]): void {
    for (const id of recordIds) {
      this.#leased.add(id)
      this.#acquired.add(id)
    }
  }

  /** Called when a lease has ended. */
  forget(recordId: string): void {
    this.#leased.delete(recordId)
    this.#acquired.delete(recordId)
  }

  /** Leases a record that the user is only viewing. Rejects if the server is unreachable. */
  async acquireView(recordId: string): ReturnType<Options['acquireView']> {
    const outcome = await this.#acquireView(recordId)
    if (outcome === 'leased') this.#leased.add(recordId)
    return outcome
  }

  /**
   * Leases a record for work. @param onUnneeded called if the record was skipped or answered before it was leased
   */
  acquire(recordId: string, onUnneeded: () => void): void {
    this.#acquired.add(recordId)
    this.#acquire(recordId).then(
      (isLeased) => {
        if (!isLeased) this.#leased.delete(recordId)
        else if (this.#acquired.has(recordId)) this.#leased.add(recordId)
        else onUnneeded()
      },
      // If the request fails, the next edit tries to lease the record again.
      () => this.#acquired.delete(recordId),
    )
  }

  release(recordIds: readonly string[]): void {
    // A record that was only viewed here may have edits in another tab. Releasing it with the purpose `view` keeps the lease that
    // these edits need.
    const worked = recordIds.filter((id) => this.#acquired.delete(id) && this.#leased.delete(id))
    const viewed = recordIds.filter((id) => this.#leased.delete(id))
    if (worked.length > 0) this.#releaseRecords(worked, 'work')
    if (viewed.length > 0) this.#releaseRecords(viewed, 'view')
  }
}
