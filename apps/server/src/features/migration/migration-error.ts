/** The reason why a migration can't start or continue, as one readable sentence. */
export class MigrationError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MigrationError'
  }
}
