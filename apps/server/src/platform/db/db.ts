import type { Insertable, RawBuilder, SelectQueryBuilder } from 'kysely'
import type { Sql } from './sql.ts'
import type { TableName, Tables } from './tables.ts'
import type { TextIndex } from './text/text-index.ts'
import type { VectorIndex } from './vectors/vector-index.ts'

export type { Sql } from './sql.ts'

/** Functions for commands and queries that differ between the engines. */
export type StatementFunctions = {
  /**
   * Inserts any number of rows. The first row's keys are the columns of all rows. With `ignoreConflicts`, existing rows aren't
   * changed.
   */
  readonly insertMany: <T extends TableName>(
    sql: Sql,
    table: T,
    rows: readonly Insertable<Tables[T]>[],
    options?: { readonly ignoreConflicts?: boolean },
  ) => Promise<void>
  /**
   * Locks the selected rows until the end of the command. Don't use it for tables that a cluster copies to every node, such as
   * `datasets` and `users`; see `locks.ts`. The embedded database has one writer and needs no lock.
   */
  readonly forUpdate: <DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>) => SelectQueryBuilder<DB, T, O>
  /** Like `forUpdate`, but skips rows that other transactions have locked. Used to assign leases. */
  readonly skipLocked: <DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>) => SelectQueryBuilder<DB, T, O>
  /**
   * Acquires the named lock in FIFO order and holds it until the end of the command. Acquire it before locking any row, so that
   * waiting for it blocks nobody else. A no-op on the embedded database, which has one writer.
   */
  readonly acquireLock: (sql: Sql, lockName: string) => Promise<void>
  /**
   * Acquires named locks in shared mode, in the given order, and holds them until the end of the command. Many commands can share
   * a lock. Each request waits for all earlier exclusive requests, so shared locks can't block `acquireLock` forever.
   */
  readonly shareLocks: (sql: Sql, lockNames: readonly string[]) => Promise<void>
  /** Like `shareLocks` for one lock, but returns false instead of waiting. */
  readonly tryShareLock: (sql: Sql, lockName: string) => Promise<boolean>
  /**
   * The database's clock at the start of the statement, in the stored format. All processes get the same time even if their own
   * clocks are wrong.
   */
  readonly now: RawBuilder<number>
  /** Any number of integers as one parameter, for the right side of `in`. */
  readonly listed: (numbers: readonly number[]) => RawBuilder<number>
  /** The value of a parameter for `listedBy`. */
  readonly listValue: (numbers: readonly number[]) => unknown
  /** Like `listed`, for a statement that is compiled once. */
  readonly listedBy: (parameter: unknown) => RawBuilder<number>
  /**
   * A table named `each`, for use in `from`. It has one row per value, in the column `value`. If a scalar subquery looks up each
   * value, the database uses an index for every lookup, regardless of the planner's estimates.
   */
  readonly each: (values: readonly string[], kind: 'text' | 'uuid') => RawBuilder<unknown>
  /**
   * Resolves when pending statements have been sent, without waiting for their results. Later work then overlaps with the
   * database's work. On the embedded database, the statements have already run by then.
   */
  readonly flush: () => Promise<void>
  /**
   * Commits without waiting for the disk. A database crash may undo the whole command, together with earlier commands that were
   * committed in this way. Use it for work that is repeated after a crash and must not delay anyone. The embedded database still
   * syncs every commit.
   */
  readonly commitUnsynced: (sql: Sql) => Promise<void>
  /**
   * Runs work in its own transaction right after the command's result is sent, before any other write. If the process ends first,
   * the work is lost. The command must therefore store a mark from which `CATCH_UP` can repeat the work.
   * @returns false if the work must run within the command, because other commands are waiting or the engine has several writers
   */
  readonly defer: (work: () => Promise<void>) => Promise<boolean>
}

/** Functions that hide the differences between the engines. Everything else is portable SQL. */
export type DialectFunctions = StatementFunctions & {
  readonly text: TextIndex
  readonly vectors: VectorIndex
}

/** The only handle that a command or query gets. */
export type Db = {
  readonly sql: Sql
  readonly dialect: DialectFunctions
  /**
   * Handle for writes whose results the command doesn't need. They run after everything else, in order. PostgreSQL receives
   * them in one packet with the commit. If one of them fails, the command fails.
   */
  readonly atCommit: Db
}
