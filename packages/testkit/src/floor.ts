/** Where many act at the same time, until one wants to look around while nobody else does anything. */
export class Floor {
  #acting = 0
  #gate: Promise<void> | null = null
  #onEmpty: (() => void) | null = null

  /** Does something beside others, but waits for whoever is alone. */
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

  /** Does something once all others are through with what they do, while they wait. It must not be called by what is `among` others. */
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
