import { ApiError } from '#lib/api/api-error.ts'

/** Thrown when the server can't be reached and this device has records of the dataset, but not the requested records. */
export class OfflineError extends ApiError {
  readonly #isWorthAnotherTry: boolean

  constructor({ code = null, isRetryable }: { readonly code?: string | null; readonly isRetryable: boolean }) {
    super(0, { code })
    this.#isWorthAnotherTry = isRetryable
  }

  /** Whether callers wait for a retry. While they wait, they don't show the records that are available on this device. */
  override get isTransient(): boolean {
    return this.#isWorthAnotherTry
  }
}
