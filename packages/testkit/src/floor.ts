/** A lock with shared and exclusive access. */
export class Floor {
  #acting = 0
  #gate: Promise<void> | null = null
  #onEmpty: (() => void) | null = null

  /** Runs a function with shared access. Waits while another one has exclusive access. */
  async among<T>(act: () => Promise<T>): Promise<T> {
    while (this.#gate !== null) await this.#gate
    this.#acting += 1
    try {
      return await act()
    } finally {
      this.#acting -= 1
      if (this.#acting === 0) this.#onEmpty?.()
    }
  }

  /** Runs a function with exclusive access, after all shared ones have finished. Must not be called from within `among`. */
  async alone<T>(act: () => Promise<T>): Promise<T> {
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
      return await act()
    } finally {
      this.#gate = null
      open()
    }
  }
}
