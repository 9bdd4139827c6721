import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '@postil/contract/wire/errors.ts'
import { collectYoung, giveBack } from '../../threads/collect.ts'
import { latestTime, startAfter } from '../latest-time.ts'
import { findOperation, type More } from '../operations.ts'
import { TextDue } from '../text/text-due.ts'
import { carryOver, openConnection } from './connection.ts'
import { createDb } from './create-db.ts'
import { damageOf, passingFault } from './fault.ts'
import type { Additional, Answer, Early, Request, WorkerSetup } from './protocol.ts'

const setup = workerData as WorkerSetup
const port = parentPort
if (port === null) throw new Error('runs as a worker thread only')

const connection = openConnection(setup.path, setup.mode, setup.timeoutMs)

/** Requests that have come and were not begun. */
let waiting = 0
/** What commands have put off until they are answered. */
let later: (() => Promise<void>)[] = []
const putOff = async (work: () => Promise<void>): Promise<boolean> => {
  // NOTE: what has come meanwhile is seen at the next turn of the event loop only
  await new Promise((resolve) => setImmediate(resolve))
  // NOTE: whoever waits is served sooner by one commit than by two
  if (waiting > 0) return false
  later.push(work)
  return true
}
const db = createDb(connection, putOff)
await import(setup.operations)
/** What an error says, also to people. */
const saidBy = (error: unknown): string => damageOf(error, setup.path) ?? (error as Error).message
// NOTE: readers too: what is due is looked for here, by times that the writer has written
const latest = await latestTime.run(db, null).catch((error: unknown) => {
  throw new Error(saidBy(error), { cause: error })
})
startAfter(latest)

const BEGIN = setup.mode === 'writer' ? 'BEGIN IMMEDIATE' : 'BEGIN'

/** @returns whether the connection is free of the transaction; a disk that fails may keep it from ending one */
const rollBack = (): boolean => {
  try {
    if (connection.isTransaction) connection.exec('ROLLBACK')
  } catch {
    // NOTE: a full or failing disk ends some transactions by itself, and then there is none to end
  }
  return !connection.isTransaction
}

/** What is still to come for commands that wait or run. */
const toCome = new Map<number, PromiseWithResolvers<Uint8Array | null>>()

const moreFor = ({ id, goesOn }: Request): More | undefined => {
  if (!goesOn) return undefined
  const additional = Promise.withResolvers<Uint8Array | null>()
  toCome.set(id, additional)
  return () => additional.promise
}

const run = async (request: Request, more: More | undefined): Promise<Answer> => {
  const operation = findOperation(request.name)
  if (operation === undefined) return { id: request.id, ok: false, error: { message: `unknown operation ${request.name}` } }
  try {
    connection.exec(BEGIN)
    const value = await operation.run(db, request.args as never, more)
    if (request.early) port.postMessage({ id: request.id, early: value } satisfies Early)
    connection.exec('COMMIT')
    return { id: request.id, ok: true, value: request.early ? undefined : value }
  } catch (error) {
    const hasPutOff = later.length > 0
    later = []
    isSound = rollBack()
    // NOTE: a command that needs what it has put off itself would be run again for ever
    if (error instanceof TextDue && !hasPutOff) return { id: request.id, ok: false, textDue: true }
    if (error instanceof Problem) return { id: request.id, ok: false, problem: error.data }
    const problem = passingFault(error)
    if (problem !== null) return { id: request.id, ok: false, problem }
    const { stack, code } = error as Error & { code?: string }
    return { id: request.id, ok: false, error: { message: saidBy(error), ...(stack && { stack }), ...(code && { code }) } }
  }
}

const doLater = async (): Promise<void> => {
  const works = later
  later = []
  for (const work of works) {
    try {
      connection.exec(BEGIN)
      await work()
      connection.exec('COMMIT')
    } catch {
      // NOTE: what is left undone is marked in the store: whoever needs it has it done, and is told what keeps it from that
      isSound = rollBack()
    }
  }
}

/** Gives memory back when no bulk has come for this long. */
const SMALL_MS = 2_000
let untilSmall: NodeJS.Timeout | undefined

const afterAnswer = setup.mode === 'writer' ? carryOver(connection) : () => undefined
let isSound = true
// One at a time: a command leaves the thread only between transactions.
let tail: Promise<void> = Promise.resolve()
port.on('message', (message: Request | Additional | 'close') => {
  if (message !== 'close' && 'more' in message) {
    toCome.get(message.id)?.resolve(message.more)
    toCome.delete(message.id)
    return
  }
  const more = message === 'close' ? undefined : moreFor(message)
  waiting += 1
  tail = tail.then(async () => {
    waiting -= 1
    if (message === 'close') {
      if (setup.mode === 'writer') connection.exec('PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)')
      connection.close()
      port.close()
      return
    }
    port.postMessage(await run(message, more))
    if (later.length > 0) await doLater()
    // NOTE: another thread with a connection of its own takes this one's place
    if (!isSound) process.exit(1)
    afterAnswer()
    if (!message.early) return
    collectYoung()
    untilSmall ??= setTimeout(giveBack, SMALL_MS).unref()
    untilSmall.refresh()
  })
})
port.postMessage('ready')
