/**
 * Thrown by an operation that needs the texts of new records in the index, which were put off and are still to come. The store has the
 * writer put them in, and runs the operation again: the caller notices nothing.
 */
export class TextDue extends Error {
  constructor() {
    super('the text of new records is not indexed yet')
  }
}
