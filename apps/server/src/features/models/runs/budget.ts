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
 * Keeps a run within its spend cap. The cost of a request isn't known in advance. A request is therefore sent only if the cost so
 * far plus the highest possible cost of the requests in progress is below the cap. The run can exceed its cap by at most the cost
 * of one request.
 */
export class Budget {
  readonly #prices: Prices
  readonly #cap: number | null
  #spent: number
  /** The highest possible cost of the requests in progress. */
  #pending = 0
  #count = 0
  #waiting: (() => void)[] = []

  constructor(prices: Prices, cap: number | null, spent: Tokens) {
    this.#prices = prices
    this.#cap = cap
    this.#spent = costOf(prices, spent) ?? 0
  }

  /** @param most the highest number of tokens that the request can use. @throws CapReached */
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
        // Because of rounding errors, the sum may not return to exactly 0 when all bounds have been subtracted.
        this.#pending = this.#count === 0 ? 0 : this.#pending - bound
        this.#spent += costOf(this.#prices, used) ?? 0
        const waiting = this.#waiting
        this.#waiting = []
        for (const wake of waiting) wake()
      },
    }
  }
}
