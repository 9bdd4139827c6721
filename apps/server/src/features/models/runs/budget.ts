export type Prices = { readonly input_price: number | null; readonly output_price: number | null }
type Tokens = { readonly input: number; readonly output: number }

/** What tokens cost. Null if there are no prices. */
export const costOf = ({ input_price, output_price }: Prices, { input, output }: Tokens): number | null =>
  input_price === null && output_price === null ? null : (input * (input_price ?? 0) + output * (output_price ?? 0)) / 1_000_000

/** A request that may be sent. */
export type Admitted = { readonly settle: (used: Tokens) => void }

/** A run has reached its spend cap. */
export class CapReached extends Error {
  override readonly name = 'CapReached'
}

/**
 * Holds a run to its spend cap. Nobody knows in advance what a request costs. A request is therefore only sent if the cap would
 * not be reached even if all requests in progress cost the most that they can. So the run costs at most one request more than its
 * cap.
 */
export class Budget {
  readonly #prices: Prices
  readonly #cap: number | null
  #spent: number
  /** The most that the requests in progress can cost. */
  #pending = 0
  #count = 0
  #waiting: (() => void)[] = []

  constructor(prices: Prices, cap: number | null, spent: Tokens) {
    this.#prices = prices
    this.#cap = cap
    this.#spent = costOf(prices, spent) ?? 0
  }

  /** @param most the most tokens that the request can take. @throws CapReached */
  async admit(most: Tokens, signal?: AbortSignal): Promise<Admitted> {
    const bound = costOf(this.#prices, most) ?? 0
    while (this.#cap !== null && this.#spent + this.#pending >= this.#cap) {
      if (this.#spent >= this.#cap) throw new CapReached('the spend cap is reached')
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    }
    this.#pending += bound
    this.#count += 1
    return {
      settle: (used) => {
        this.#count -= 1
        // Sums of fractions don't return to exactly 0.
        this.#pending = this.#count === 0 ? 0 : this.#pending - bound
        this.#spent += costOf(this.#prices, used) ?? 0
        const waiting = this.#waiting
        this.#waiting = []
        for (const wake of waiting) wake()
      },
    }
  }
}
