/** A reason why a migration can't start or continue: one sentence for people. */
export class MigrationError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MigrationError'
  }
}
