import type { Insertable, RawBuilder, SelectQueryBuilder } from 'kysely'
import type { Sql } from './sql.ts'
import type { TableName, Tables } from './tables.ts'
import type { TextIndex } from './text/text-index.ts'
import type { VectorIndex } from './vectors/vector-index.ts'

export type { Sql } from './sql.ts'

/** Engine-specific functions that single statements and the steps between them need. */
export type StatementFunctions = {
  /**
   * Inserts any number of rows. The keys of the first row are the columns of all. With `ignoreConflicts` existing rows stay
   * unchanged.
   */
  readonly insertMany: <T extends TableName>(
    sql: Sql,
    table: T,
    rows: readonly Insertable<Tables[T]>[],
    options?: { readonly ignoreConflicts?: boolean },
  ) => Promise<void>
  /** Locks the selected rows until the end of the command. The embedded database has one writer and needs no lock. */
  readonly forUpdate: <DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>) => SelectQueryBuilder<DB, T, O>
  /**
   * Blocks `forUpdate` on the selected rows until the end of the command. Many commands can share the lock, and plain updates
   * of the row still work. An answer holds its dataset's row this way; a change of the dataset's distribution uses `forUpdate`.
   */
  readonly forShare: <DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>) => SelectQueryBuilder<DB, T, O>
  /** Like `forUpdate`, but skips rows that others have locked. Leases are assigned with it. */
  readonly skipLocked: <DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>) => SelectQueryBuilder<DB, T, O>
  /**
   * Acquires the named lock in FIFO order and holds it until the end of the command. Acquire it before locking any row, so that
   * waiting for it blocks nobody else. A no-op on the embedded database, which has one writer.
   */
  readonly acquireLock: (sql: Sql, lockName: string) => Promise<void>
  /**
   * A condition that acquires the named lock in shared mode: it waits for every earlier request and holds until the end of the
   * command. Rows with many sharers may never be free of all of them, so an exclusive locker takes this lock first and can't be
   * overtaken.
   */
  readonly acquireSharedLock: (lockName: RawBuilder<string>) => RawBuilder<boolean>
  /** The database's clock at the start of the statement, in the stored format. Processes with wrong clocks agree on it. */
  readonly now: RawBuilder<number>
  /** Any number of integers as one parameter, for the right side of `in`. */
  readonly listed: (numbers: readonly number[]) => RawBuilder<number>
  /**
   * A table `each` with the column `value`, for `from`. Combined with a subquery for one value, it forces an index lookup per
   * value, whatever the planner estimates.
   */
  readonly each: (values: readonly string[], kind: 'text' | 'uuid') => RawBuilder<unknown>
  /**
   * Resolves when pending statements have been sent, without waiting for their results. Work after it overlaps with the
   * database's work. On the embedded database they have already run by then.
   */
  readonly flush: () => Promise<void>
  /**
   * The commit doesn't wait for the disk. A crash of the database may undo the command as a whole, with earlier ones that did
   * the same. Use it for work that is repeated after a crash and must not delay anyone. The embedded database still syncs every
   * commit.
   */
  readonly commitUnsynced: (sql: Sql) => Promise<void>
  /**
   * Runs work in its own transaction right after the command's result is sent, before any other write. The work is lost if the
   * process ends: the command must leave a mark, from which `CATCH_UP` repeats it.
   * @returns false if the work must run within the command, because other commands are waiting or the engine has several
   * writers
   */
  readonly defer: (work: () => Promise<void>) => Promise<boolean>
}

/** What differs between the engines. Everything else is portable SQL. */
export type DialectFunctions = StatementFunctions & {
  readonly text: TextIndex
  readonly vectors: VectorIndex
}

/** The only handle that a command or query gets. */
export type Db = {
  readonly sql: Sql
  readonly dialect: DialectFunctions
  /**
   * For the last writes of a command, whose results it doesn't need. They run after everything else, in order, and on
   * PostgreSQL are sent in one packet with the commit. The command fails if one of them fails.
   */
  readonly atCommit: Db
}
