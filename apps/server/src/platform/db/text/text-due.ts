/**
 * Thrown by an operation that needs the text of new records whose indexing was deferred. The store makes the writer index them
 * and repeats the operation, so the caller notices nothing.
 */
export class TextDue extends Error {
  constructor() {
    super('the text of new records is not indexed yet')
  }
}
