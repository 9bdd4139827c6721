/* Statements with which a test acquires the server's named locks on its own connection to PostgreSQL, as a command would. */

const acquire = (name: string, mode: '' | '_shared'): string =>
  `select pg_advisory_xact_lock${mode}(hashtextextended('${name}', 0))`

/** Locks a user, as a command that changes the user does. */
export const lockUser = (id: string): string => acquire(`user ${id.slice(-3)}`, '')
/** Locks a dataset exclusively. Commands that change the dataset take the same lock. */
export const lockDataset = (no: number): string => acquire(`dataset ${no}`, '')
/** Acquires the shared lock of a dataset, as a command that only uses the dataset does. */
export const holdDataset = (no: number): string => acquire(`dataset ${no}`, '_shared')
