import type { MessagePort } from 'node:worker_threads'
import { Problem } from '@postil/contract/wire/errors.ts'
import { collectYoung, returnMemory } from '../../threads/collect.ts'
import { latestTime, startAfter } from '../latest-time.ts'
import { findOperation, type LateInput } from '../operations.ts'
import { TextDue } from '../text/text-due.ts'
import { checkpointWhenLong, openConnection } from './connection.ts'
import { createDb } from './create-db.ts'
import { damageOf, passingFault } from './fault.ts'
import type { Answer, LateInputMessage, Request, WorkerSetup } from './protocol.ts'

/** Time without bulk operations after which memory is released, in milliseconds. */
const SMALL_MS = 2_000

/**
 * Opens a connection and answers the operations that arrive at a port, one at a time, until `close` arrives. Rejects if the store
 * can't be opened.
 */
export const serve = async (port: MessagePort, setup: WorkerSetup): Promise<void> => {
  const connection = openConnection(setup.path, setup.mode, setup.timeoutMs)

  /** Number of requests that have arrived but not started. */
  let waiting = 0
  /** Work that commands deferred until after their responses. */
  let deferred: (() => Promise<void>)[] = []
  const defer = async (work: () => Promise<void>): Promise<boolean> => {
    // New requests become visible only at the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    // If requests are waiting, the work isn't deferred: the command does it in its own transaction. The waiting requests then
    // wait for one commit instead of two.
    if (waiting > 0) return false
    deferred.push(work)
    return true
  }
  const db = createDb(connection, defer)
  await import(setup.operations)
  /** The message of an error. If the file is damaged, the message is for users. */
  const messageOf = (error: unknown): string => damageOf(error, setup.path) ?? (error as Error).message
  // The clock of a reader must not lag behind the writer's clock. To find what is due, readers compare their clock with times
  // that the writer stored.
  const latest = await latestTime.run(db, null).catch((error: unknown) => {
    throw new Error(messageOf(error), { cause: error })
  })
  startAfter(latest)

  const BEGIN = setup.mode === 'writer' ? 'BEGIN IMMEDIATE' : 'BEGIN'

  /** Rolls back an open transaction. @returns whether the transaction has ended; false if a failing disk prevents the rollback */
  const rollBack = (): boolean => {
    try {
      if (connection.isTransaction) connection.exec('ROLLBACK')
    } catch {
      // A full or failing disk makes SQLite roll back some transactions automatically. In that case, there is nothing to roll
      // back.
    }
    return !connection.isTransaction
  }

  /** Late inputs that haven't arrived yet, keyed by request ID. The commands that need them are waiting or running. */
  const pendingInputs = new Map<number, PromiseWithResolvers<Uint8Array | null>>()

  const lateInputFor = ({ id, hasLateInput }: Request): LateInput | undefined => {
    if (!hasLateInput) return undefined
    const pendingInput = Promise.withResolvers<Uint8Array | null>()
    pendingInputs.set(id, pendingInput)
    return () => pendingInput.promise
  }

  const run = async (request: Request, lateInput: LateInput | undefined): Promise<Answer> => {
    const operation = findOperation(request.name)
    if (operation === undefined) return { id: request.id, ok: false, error: { message: `unknown operation ${request.name}` } }
    try {
      connection.exec(BEGIN)
      const value = await operation.run(db, request.args as never, lateInput)
      connection.exec('COMMIT')
      return { id: request.id, ok: true, value }
    } catch (error) {
      const hasDeferred = deferred.length > 0
      deferred = []
      isSound = rollBack()
      // If the command itself deferred the indexing of text, repeating the command would defer it again, possibly forever.
      // `textDue` is therefore not returned.
      if (error instanceof TextDue && !hasDeferred) return { id: request.id, ok: false, textDue: true }
      if (error instanceof Problem) return { id: request.id, ok: false, problem: error.data }
      const problem = passingFault(error)
      if (problem !== null) return { id: request.id, ok: false, problem }
      const { stack, code } = error as Error & { code?: string }
      return { id: request.id, ok: false, error: { message: messageOf(error), ...(stack && { stack }), ...(code && { code }) } }
    }
  }

  const runDeferred = async (): Promise<void> => {
    const tasks = deferred
    deferred = []
    for (const work of tasks) {
      try {
        connection.exec(BEGIN)
        await work()
        connection.exec('COMMIT')
      } catch {
        // The error is ignored here. The store still lists the work as unfinished, so the next operation that needs its result
        // runs it again and reports the error.
        isSound = rollBack()
      }
    }
  }

  let untilSmall: NodeJS.Timeout | undefined

  const afterAnswer = setup.mode === 'writer' ? checkpointWhenLong(connection) : () => undefined
  let isSound = true
  // Runs one command at a time: the next command may start only after the transaction of the current one has ended.
  let tail: Promise<void> = Promise.resolve()
  port.on('message', (message: Request | LateInputMessage | 'close') => {
    if (message !== 'close' && 'lateInput' in message) {
      pendingInputs.get(message.id)?.resolve(message.lateInput)
      pendingInputs.delete(message.id)
      return
    }
    const lateInput = message === 'close' ? undefined : lateInputFor(message)
    waiting += 1
    tail = tail.then(async () => {
      waiting -= 1
      if (message === 'close') {
        if (setup.mode === 'writer') connection.exec('PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)')
        connection.close()
        port.close()
        return
      }
      port.postMessage(await run(message, lateInput))
      if (deferred.length > 0) await runDeferred()
      // Another thread with a new connection replaces this one.
      if (!isSound) process.exit(1)
      afterAnswer()
      // Only bulk commands have late input. Memory is freed only after such commands.
      if (!message.hasLateInput) return
      collectYoung()
      untilSmall ??= setTimeout(returnMemory, SMALL_MS).unref()
      untilSmall.refresh()
    })
  })
  port.postMessage('ready')
}
