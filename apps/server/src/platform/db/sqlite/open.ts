import { stat } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import type { Migrating } from '../migrate.ts'
import { CATCH_UP, type Command, type Query } from '../operations.ts'
import type { Lane, Store, WriteOptions } from '../store.ts'
import { TextDue } from '../text/text-due.ts'
import { DATABASE_FILE } from './connection.ts'
import { lockFolder } from './lock.ts'
import { migrateFile } from './revisions.ts'
import { CLOSED, Thread } from './thread.ts'

type SqliteOptions = {
  readonly folder: string
  /** URL of the module that declares all operations. */
  readonly operations: string
  /** True for a server; false for tools that run alongside one. */
  readonly exclusive: boolean
  /** Number of reader threads for the web app's requests. */
  readonly readers?: number
  /** How long a statement waits for another process, in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number
  /** Called when a thread ends unexpectedly. Another thread replaces it. */
  readonly onEnd?: (error: Error) => void
} & Pick<Migrating, 'onUpgrade'>

/** How long an idle thread of the slow lane stays alive. */
const SLOW_IDLE_MS = 10_000

/** Number of slow-lane threads: two, so that one user's slow read doesn't make another user wait. */
const SLOW_THREADS = 2

/**
 * Opens the embedded database of a data folder, after migrating its schema. Rejects with a `StoreError` whose message is for
 * users.
 */
export const openSqlite = async (options: SqliteOptions): Promise<Store> => {
  const lock = options.exclusive ? lockFolder(options.folder) : null
  const path = join(options.folder, DATABASE_FILE)
  const started: Thread[] = []
  try {
    await migrateFile(path, options.timeoutMs, { onUpgrade: options.onUpgrade })
    const setup = {
      path,
      timeoutMs: options.timeoutMs,
      operations: options.operations,
      compileCache: getCompileCacheDir() ?? process.env.NODE_COMPILE_CACHE,
    }
    const onEndOption = options.onEnd === undefined ? {} : { onEnd: options.onEnd }
    let isClosed = false
    let writer: Thread | null = null
    let writerStart: Promise<Thread> | null = null
    /** Rejects if the database can't be opened for writing. */
    const startWriter = async (): Promise<Thread> => {
      writer = new Thread({ ...setup, mode: 'writer' }, onEndOption)
      started.push(writer)
      await writer.ready
      return writer
    }
    /**
     * Runs a command. A server starts the writer's thread when it opens the store. A command-line tool starts it with the first
     * command, because many tools only read.
     */
    const runCommand = async (name: string, args: unknown, options?: WriteOptions): Promise<unknown> => {
      if (isClosed) throw CLOSED
      writerStart ??= startWriter()
      return (await writerStart).run(name, args, options)
    }
    if (options.exclusive) writerStart = startWriter()
    const fast = Array.from({ length: options.readers ?? 1 }, () => new Thread({ ...setup, mode: 'reader' }, onEndOption))
    // The slow lane's threads start when they are first needed, because most small stores never need them. After an idle
    // period they end and free their memory.
    let slow: Thread[] = []
    const rest = setTimeout(() => {
      if (slow.some((thread) => thread.load > 0)) return
      for (const thread of slow) void thread.close()
      slow = []
    }, SLOW_IDLE_MS).unref()
    const leastLoaded = (threads: readonly Thread[]) =>
      threads.reduce((best, thread) => (thread.load < best.load ? thread : best))
    const lanes: { readonly [L in Lane]: () => Thread } = {
      fast: () => leastLoaded(fast),
      slow: () => {
        if (slow.length < SLOW_THREADS && slow.every((thread) => thread.load > 0))
          slow.push(new Thread({ ...setup, mode: 'reader' }, onEndOption))
        rest.refresh()
        return leastLoaded(slow)
      },
    }
    started.push(...fast)
    await Promise.all([writerStart, ...fast.map((thread) => thread.ready)])
    /**
     * Runs an operation. If the operation needs text that isn't indexed yet, makes the writer index the text and runs the
     * operation again.
     */
    const whenIndexed = async <R>(ask: () => Promise<R>): Promise<R> => {
      for (;;) {
        try {
          return await ask()
        } catch (error) {
          if (!(error instanceof TextDue)) throw error
          await runCommand(CATCH_UP, {})
        }
      }
    }
    return {
      write: <A, R>(command: Command<A, R>, args: A, options?: WriteOptions) =>
        whenIndexed(() => runCommand(command.name, args, options) as Promise<R>),
      read: <A, R>(query: Query<A, R>, args: A, read?: { readonly lane?: Lane }) =>
        whenIndexed(() => {
          const lane = read?.lane ?? 'fast'
          const thread = lanes[lane]()
          if (lane === 'fast') return thread.run(query.name, args) as Promise<R>
          // Operations that wait until the thread has started already count in its `load`. The idle timer therefore doesn't stop
          // the thread while operations wait.
          return thread.run(query.name, args).finally(() => rest.refresh()) as Promise<R>
        }),
      health: async () => ({ engine: 'sqlite', version: process.versions.sqlite ?? '', location: path }),
      // Includes SQLite's log, which contains the data that hasn't been copied to the database file yet.
      size: async () => {
        const files = await Promise.all([path, `${path}-wal`].map((file) => stat(file).catch(() => null)))
        return files.reduce((sum, file) => sum + (file?.size ?? 0), 0)
      },
      cluster: async () => null,
      close: async () => {
        isClosed = true
        clearTimeout(rest)
        await Promise.all([...fast, ...slow].map((thread) => thread.close()))
        await writer?.close()
        lock?.release()
      },
    }
  } catch (error) {
    // A thread that is left running would keep the process from ending.
    await Promise.all(started.map((thread) => thread.close()))
    lock?.release()
    throw error
  }
}
