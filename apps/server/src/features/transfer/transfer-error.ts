/** A transfer that cannot be, or cannot go on: one sentence for people. */
export class TransferError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TransferError'
  }
}
