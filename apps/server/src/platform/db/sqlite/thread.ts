import { Worker } from 'node:worker_threads'
import { Problem, unavailable } from '@postil/contract/wire/errors.ts'
import { entryUrl } from '../../entry.ts'
import type { WriteOptions } from '../store.ts'
import { TextDue } from '../text/text-due.ts'
import type { Answer, LateInputMessage, Request, WorkerSetup } from './protocol.ts'

/**
 * Size of the young generation, in MB. An operation's objects become garbage after its response. Without a limit, each thread
 * accumulates about 50 MB of garbage before it collects any. A bulk request with 500 items creates about 12 MB. The writer's
 * limit is higher, because a smaller young generation makes V8 copy more short-lived data.
 */
const YOUNG_MB = { writer: 48, reader: 12 } as const

type Waiting = {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** How long to wait after a failed start before a thread is started again. */
const RESTART_MS = 1_000

/** Why operations are refused after the store was closed. */
export const CLOSED = new Error('the store is closed')

/** The problem reported to callers when a thread has ended: the operation can be retried. */
const endedBecause = (error: Error | null): Problem =>
  unavailable(
    (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? 'The database thread ran out of memory and is restarting'
      : 'The database thread stopped because of an error and is restarting',
  )

type ThreadOptions = {
  /** Called when the thread ends unexpectedly. */
  readonly onEnd?: (error: Error) => void
}

/**
 * A slot for a worker thread that owns one connection. The thread receives operations by name and runs them in order. If the
 * thread ends unexpectedly (out of memory, or an unusable connection), the next operation starts another thread.
 */
export class Thread {
  readonly #setup: WorkerSetup
  readonly #onEnd: (error: Error) => void
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #nextId = 1
  #isClosed = false
  #startedAt = Number.NEGATIVE_INFINITY
  /** Why there is no thread; null if there is one. */
  #ended: Problem | null = null
  readonly ready: Promise<void>

  constructor(setup: WorkerSetup, { onEnd = () => undefined }: ThreadOptions = {}) {
    this.#setup = setup
    this.#onEnd = onEnd
    this.ready = this.#start()
    // Callers that don't await `ready` get the failure from their operation.
    this.ready.catch(() => undefined)
  }

  /** Number of waiting or running operations. */
  get load(): number {
    return this.#waiting.size
  }

  run(name: string, args: unknown, { lateInput }: WriteOptions = {}): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(CLOSED)
    if (this.#worker === null) {
      if (performance.now() - this.#startedAt < RESTART_MS) return Promise.reject(this.#ended)
      this.#start().catch(() => undefined)
    }
    const worker = this.#worker
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      this.#waiting.set(id, { resolve, reject })
      worker?.postMessage({
        id,
        name,
        args,
        hasLateInput: lateInput !== undefined,
      } satisfies Request)
      const send = (made: Uint8Array | null) => worker?.postMessage({ id, lateInput: made } satisfies LateInputMessage)
      lateInput?.().then(send, () => send(null))
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    if (worker === null) return
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    worker.postMessage('close')
    await exited
  }

  #start(): Promise<void> {
    this.#startedAt = performance.now()
    const worker = new Worker(entryUrl('db/sqlite/worker'), {
      workerData: this.#setup,
      name: `store ${this.#setup.mode}`,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB[this.#setup.mode] },
    })
    this.#worker = worker
    let fault: Error | null = null
    return new Promise((resolve, reject) => {
      worker.once('error', (error: Error) => {
        fault = error
        reject(error)
      })
      worker.once('message', () => {
        worker.on('message', (answer: Answer) => this.#settle(answer))
        resolve()
      })
      worker.once('exit', (code) => {
        this.#end(fault)
        if (!this.#isClosed) this.#onEnd(fault ?? new Error(`the database thread exited with code ${code}`))
        reject(fault ?? CLOSED)
      })
    })
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    if (waiting === undefined) return
    this.#waiting.delete(answer.id)
    if (answer.ok) waiting.resolve(answer.value)
    else if ('problem' in answer) waiting.reject(new Problem(answer.problem))
    else if ('textDue' in answer) waiting.reject(new TextDue())
    else waiting.reject(Object.assign(new Error(answer.error.message), answer.error))
  }

  #end(error: Error | null): void {
    this.#worker = null
    this.#ended = endedBecause(error)
    const reason = this.#isClosed ? CLOSED : this.#ended
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
  }
}
