/**
 * Thrown by an operation that needs text of new records that isn't indexed yet, because the indexing was deferred. The store
 * makes the writer index the text and repeats the operation, so the caller notices nothing.
 */
export class TextDue extends Error {
  constructor() {
    super('the text of new records is not indexed yet')
  }
}
