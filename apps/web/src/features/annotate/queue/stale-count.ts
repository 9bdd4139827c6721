/**
 * Whether the count of a list may be stale: an answer to a record that isn't loaded was confirmed, and no request has finished
 * since then.
 */
export class StaleCount {
  isStale = false
  #wasStale = false

  loadStarted(): void {
    this.#wasStale = this.isStale
    this.isStale = false
  }

  loadEnded(isSuccess: boolean): void {
    if (!isSuccess) this.isStale ||= this.#wasStale
  }
}
