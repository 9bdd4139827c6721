import { Worker } from 'node:worker_threads'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import { Problem, type ProblemData, unavailable } from '@postil/contract/wire/errors.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { entryUrl } from '../../entry.ts'
import { type BodyParser, StagedBody } from './body-parsers.ts'

export type PoolSetup = {
  /** URL of a `BodyModule`. */
  readonly module: string
  readonly limits: Limits
  /** Folder of compiled code, shared with the main thread. */
  readonly compileCache?: string | undefined
}
/** The module that a body pool's thread loads. It imports every module with body parsers and lists all endpoints. */
export type BodyModule = { readonly endpointsWith: (limits: Limits) => readonly AnyEndpoint[] }
export type PoolRequest = { readonly id: number; readonly name: string; readonly bytes: Uint8Array }
/** `hasMore`: the value is the first part of a `StagedBody`, and another part follows. */
export type PoolAnswer = { readonly id: number } & (
  | { readonly ok: true; readonly value: unknown; readonly hasMore?: boolean }
  | { readonly ok: false; readonly problem: ProblemData }
  | { readonly ok: false; readonly fault: { readonly message: string; readonly stack?: string } }
)

export type BodyPool = {
  /** Parses in the pool's thread. A buffer that owns its memory is transferred, so don't use it afterwards. */
  readonly parse: <R>(parser: BodyParser<R>, bytes: Buffer) => Promise<R>
  /** Starts the thread for an expected body. If no body arrives, the thread ends again. */
  readonly expect: () => void
  readonly close: () => Promise<void>
}

/** Size in bytes above which a body is parsed in a thread, so that the event loop keeps serving other requests. */
export const LARGE_BODY = 256 * 1024

/** How long the thread waits for the next large body, in milliseconds. Then it ends, which frees its memory. */
const IDLE_MS = 10_000
/**
 * Size of the part of the thread's heap that contains new objects (V8's young generation). Parsed bodies become garbage soon,
 * when they have been sent to the main thread.
 */
const YOUNG_MB = 48

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
type Running = { readonly worker: Worker; readonly waiting: Map<number, Waiting> }

const settle = (waiting: Map<number, Waiting>, answer: PoolAnswer): void => {
  const request = waiting.get(answer.id)
  waiting.delete(answer.id)
  if (request === undefined) return
  if (answer.ok && answer.hasMore === true) {
    const rest = new Promise<unknown>((resolve, reject) => waiting.set(answer.id, { resolve, reject }))
    // A handler that fails early never requests the rest.
    rest.catch(() => undefined)
    request.resolve(new StagedBody(answer.value, () => rest))
  } else if (answer.ok) request.resolve(answer.value)
  else if ('problem' in answer) request.reject(new Problem(answer.problem))
  else request.reject(Object.assign(new Error(answer.fault.message), answer.fault))
}

/**
 * Creates the pool. It has one thread for large bodies, which starts when the first large body arrives or shortly before. If a
 * body exhausts the memory, only the thread ends. Pending bodies then get a 503, and the next body starts a new thread.
 */
export const createBodyPool = (setup: PoolSetup): BodyPool => {
  let running: Running | null = null
  let nextId = 1

  const start = (): Running => {
    const waiting = new Map<number, Waiting>()
    const worker = new Worker(entryUrl('http/bodies/body-worker'), {
      workerData: setup,
      name: 'bodies',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    const started = { worker, waiting }
    const idle = setTimeout(() => {
      if (waiting.size > 0) return
      if (running === started) running = null
      void worker.terminate()
    }, IDLE_MS).unref()
    const end = () => {
      clearTimeout(idle)
      if (running === started) running = null
      for (const { reject } of waiting.values())
        reject(unavailable('The request body could not be processed. Send smaller requests'))
      waiting.clear()
    }
    worker.on('message', (answer: PoolAnswer) => {
      settle(waiting, answer)
      if (waiting.size === 0) idle.refresh()
    })
    worker.on('error', end)
    worker.on('exit', end)
    worker.unref()
    return started
  }

  return {
    parse: <R>(parser: BodyParser<R>, bytes: Buffer) =>
      new Promise<R>((resolve, reject) => {
        running ??= start()
        const id = nextId++
        running.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
        const owned = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
        const request: PoolRequest = { id, name: parser.name, bytes }
        running.worker.postMessage(request, owned ? [bytes.buffer as ArrayBuffer] : [])
      }),
    expect: () => {
      running ??= start()
    },
    close: async () => {
      await running?.worker.terminate()
    },
  }
}
