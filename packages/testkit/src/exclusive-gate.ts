/** A lock with shared and exclusive access. */
export class ExclusiveGate {
  #acting = 0
  #gate: Promise<void> | null = null
  #onEmpty: (() => void) | null = null

  /** Runs a function with shared access. Waits while another function has exclusive access. */
  async runShared<T>(action: () => Promise<T>): Promise<T> {
    while (this.#gate !== null) await this.#gate
    this.#acting += 1
    try {
      return await action()
    } finally {
      this.#acting -= 1
      if (this.#acting === 0) this.#onEmpty?.()
    }
  }

  /**
   * Runs a function with exclusive access, after all functions with shared access have finished. Must not be called from within
   * `runShared`.
   */
  async runExclusive<T>(action: () => Promise<T>): Promise<T> {
    while (this.#gate !== null) await this.#gate
    const { promise, resolve: open } = Promise.withResolvers<void>()
    this.#gate = promise
    try {
      if (this.#acting > 0) {
        await new Promise<void>((done) => {
          this.#onEmpty = done
        })
      }
      this.#onEmpty = null
      return await action()
    } finally {
      this.#gate = null
      open()
    }
  }
}
