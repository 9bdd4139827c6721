import type { Insertable, RawBuilder, SelectQueryBuilder } from 'kysely'
import type { Sql } from './sql.ts'
import type { TableName, Tables } from './tables.ts'
import type { TextIndex } from './text/text-index.ts'
import type { VectorIndex } from './vectors/vector-index.ts'

export type { Sql } from './sql.ts'

/** What single statements and the steps between them need that differs between the engines. */
export type StatementFunctions = {
  /** Inserts any number of rows; the keys of the first row are the columns of all. With `ignoreConflicts` rows that exist stay. */
  readonly insertMany: <T extends TableName>(
    sql: Sql,
    table: T,
    rows: readonly Insertable<Tables[T]>[],
    options?: { readonly ignoreConflicts?: boolean },
  ) => Promise<void>
  /** Locks the selected rows until the end of the command; the embedded store has one writer and needs no lock. */
  readonly forUpdate: <DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>) => SelectQueryBuilder<DB, T, O>
  /**
   * Keeps the selected rows from those who ask for them with `forUpdate` until the end of the command; many may share them,
   * and plain updates of the row go on. An answer holds its dataset's row so, a change of its distribution takes `forUpdate`.
   */
  readonly forShare: <DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>) => SelectQueryBuilder<DB, T, O>
  /** As `forUpdate`, but rows that others hold are left out: the base of the claim primitive. */
  readonly skipLocked: <DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>) => SelectQueryBuilder<DB, T, O>
  /**
   * Waits until no other command has this turn, in the order of asking, and has it until its own end. Take it before any row: who waits for it
   * then keeps nobody from theirs. The embedded store has one writer, whose turn it always is.
   */
  readonly takeTurn: (sql: Sql, turn: string) => Promise<void>
  /**
   * A condition that holds once nobody has this turn or asked for it before; who asks with it keeps it, beside others, until the end of the command.
   * Rows that many share may never be free of them all: whoever locks them takes their turn first, and is not overtaken.
   */
  readonly shareTurn: (turn: RawBuilder<string>) => RawBuilder<boolean>
  /** The database's clock, as times are stored: that of the statement. Processes whose own clocks are wrong agree on it. */
  readonly now: RawBuilder<number>
  /** Any number of integers as one parameter, for the right side of `in`. */
  readonly listed: (numbers: readonly number[]) => RawBuilder<number>
  /**
   * A table `each` with the column `value`, for `from`. With a subquery for one value it looks each of them up by an index,
   * whatever an engine believes to know of the table.
   */
  readonly each: (values: readonly string[], kind: 'text' | 'uuid') => RawBuilder<unknown>
  /**
   * Waits until what was asked for is on its way, not for its outcome: what is prepared after it is prepared while the database
   * works. The embedded store has done it by then.
   */
  readonly sent: () => Promise<void>
  /**
   * The command's commit waits for no disk: a crash of the database may undo it, whole, with those before it that did the same. For what is
   * done again then, and should keep nobody waiting. The embedded store syncs each commit, and this one too.
   */
  readonly commitUnsynced: (sql: Sql) => Promise<void>
  /**
   * Has work done in a transaction of its own as soon as the command is answered, before anything else is written. It may be lost when the
   * process ends: the command leaves a mark, by which `CATCH_UP` does it then.
   * @returns false where it has to be done within the command: others wait for their turn, or the engine writes for many at once
   */
  readonly putOff: (work: () => Promise<void>) => Promise<boolean>
}

/** What differs between the engines; everything else is portable SQL. */
export type DialectFunctions = StatementFunctions & {
  readonly text: TextIndex
  readonly vectors: VectorIndex
}

/** The only handle that a command or query can reach. */
export type Db = {
  readonly sql: Sql
  readonly dialect: DialectFunctions
  /**
   * The same for the last writes of a command, those that nothing in it waits for or reads: they are carried out after everything
   * else, in their order, and on PostgreSQL travel in one packet with the commit. The command fails when one of them does.
   */
  readonly later: Db
}
