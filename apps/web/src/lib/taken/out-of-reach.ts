import { ApiError } from '#lib/api/api-error.ts'

/** The server is not there to be asked, and this device has other records of the same dataset. */
export class OutOfReach extends ApiError {
  readonly #isWorthAnotherTry: boolean

  constructor({ code = null, isWorthAnotherTry }: { readonly code?: string | null; readonly isWorthAnotherTry: boolean }) {
    super(0, { code })
    this.#isWorthAnotherTry = isWorthAnotherTry
  }

  /** Whoever waits for another try does not see what there is. */
  override get isTransient(): boolean {
    return this.#isWorthAnotherTry
  }
}
