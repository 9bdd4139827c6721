import { Worker } from 'node:worker_threads'
import { Problem } from '@postil/contract/errors.ts'
import { entryUrl } from '../../entry.ts'
import type { Answer, WorkerSetup } from './protocol.ts'

/** What a thread makes is gone with its answer; without a limit each holds some 50 MB of it before it looks. */
const YOUNG_MB = 24

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

/** A worker thread that owns one connection and answers operations by name, in the order of asking. */
export class Thread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 1
  #ended: Error | null = null
  readonly ready: Promise<void>

  constructor(setup: WorkerSetup) {
    this.#worker = new Worker(entryUrl('db/sqlite/worker'), {
      workerData: setup,
      name: `store ${setup.mode}`,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    this.ready = new Promise((resolve, reject) => {
      this.#worker.once('error', (error: Error) => {
        this.#end(error)
        reject(error)
      })
      this.#worker.once('message', () => {
        this.#worker.on('message', (answer: Answer) => this.#settle(answer))
        resolve()
      })
    })
    this.#worker.on('exit', () => this.#end(new Error('the store is closed')))
    // NOTE: who does not wait for it learns of a failure by what they run
    this.ready.catch(() => undefined)
  }

  /** How many operations wait or run. */
  get load(): number {
    return this.#waiting.size
  }

  run(name: string, args: unknown): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, name, args })
    })
  }

  async close(): Promise<void> {
    if (this.#ended !== null) return
    const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()))
    this.#worker.postMessage('close')
    await exited
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    if (waiting === undefined) return
    this.#waiting.delete(answer.id)
    if (answer.ok) waiting.resolve(answer.value)
    else if ('problem' in answer) waiting.reject(new Problem(answer.problem))
    else waiting.reject(Object.assign(new Error(answer.error.message), answer.error))
  }

  #end(error: Error): void {
    this.#ended ??= error
    for (const { reject } of this.#waiting.values()) reject(this.#ended)
    this.#waiting.clear()
  }
}
