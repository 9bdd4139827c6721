import { ApiError } from '#lib/api/api-error.ts'

/** The server can't be reached, and this device has only other records of the same dataset. */
export class OfflineError extends ApiError {
  readonly #isWorthAnotherTry: boolean

  constructor({ code = null, isRetryable }: { readonly code?: string | null; readonly isRetryable: boolean }) {
    super(0, { code })
    this.#isWorthAnotherTry = isRetryable
  }

  /** A caller that waited for a retry wouldn't show the records that are available. */
  override get isTransient(): boolean {
    return this.#isWorthAnotherTry
  }
}
