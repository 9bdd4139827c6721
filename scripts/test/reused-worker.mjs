/**
 * Reuses the threads of servers in tests. These threads run the embedded database or parse large bodies. Loading the code of such
 * a thread takes 0.2 s, and tests start hundreds of servers. When a thread's store or pool is closed, the next store or pool
 * therefore uses the thread. If a test declares its own operations, its threads aren't reused.
 */
import { EventEmitter } from 'node:events'
import { MessageChannel, Worker as Thread } from 'node:worker_threads'

/** Idle threads, keyed by their memory limits. @type {Map<string, Thread[]>} */
const idle = new Map()

/** Has the parts of Node's `Worker` that `platform/db/sqlite/thread.ts` uses. */
class ReusedWorker extends EventEmitter {
  /**
   * @param {URL} url
   * @param {import('node:worker_threads').WorkerOptions} options
   */
  constructor(url, { workerData, ...options }) {
    super()
    const key = JSON.stringify(options.resourceLimits)
    const threads = idle.get(key) ?? []
    idle.set(key, threads)
    const thread = threads.pop() ?? new Thread(url, { ...options, workerData: null })
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    let isOver = false
    const end = (code) => {
      if (isOver) return
      isOver = true
      thread.off('error', fail).off('exit', end)
      this.emit('exit', code)
    }
    const fail = (error) => this.emit('error', error)
    thread.on('error', fail).on('exit', end)
    port1.on('message', (message) => this.emit('message', message))
    // The thread closes its port after it has closed its store. If the thread ends, its port closes too, but the exit code
    // arrives later.
    port1.on('close', () => {
      if (!this.isClosing) return
      thread.unref()
      threads.push(thread)
      end(0)
    })
    thread.ref()
    thread.postMessage({ port: port2, setup: workerData }, [port2])
  }

  postMessage(message) {
    if (message === 'close') this.isClosing = true
    this.port.postMessage(message)
  }
}

/** Idle threads that process request bodies, keyed by their options. @type {Map<string, Thread[]>} */
const idleForBodies = new Map()

/** Implements those parts of Node's `Worker` that `platform/http/bodies/body-pool.ts` uses. */
class ReusedBodyWorker extends EventEmitter {
  /**
   * @param {URL} url
   * @param {import('node:worker_threads').WorkerOptions} options
   */
  constructor(url, options) {
    super()
    const key = JSON.stringify(options)
    this.idle = idleForBodies.get(key) ?? []
    idleForBodies.set(key, this.idle)
    this.thread = this.idle.pop() ?? new Thread(url, options)
    this.pending = 0
    this.hasEnded = false
    this.forwarded = {
      message: (message) => {
        if (!message.hasMore) this.pending -= 1
        this.emit('message', message)
      },
      error: (error) => this.emit('error', error),
      exit: (code) => {
        this.hasEnded = true
        this.emit('exit', code)
      },
    }
    for (const [event, listener] of Object.entries(this.forwarded)) this.thread.on(event, listener)
  }

  postMessage(message, transferred) {
    this.pending += 1
    this.thread.postMessage(message, transferred)
  }

  unref() {
    this.thread.unref()
  }

  /** Keeps the thread for the next pool, unless it still parses a body. */
  async terminate() {
    if (this.hasEnded || this.pending > 0) return this.thread.terminate()
    for (const [event, listener] of Object.entries(this.forwarded)) this.thread.off(event, listener)
    this.idle.push(this.thread)
    this.emit('exit', 0)
    return 0
  }
}

/** @returns {Thread | ReusedWorker | ReusedBodyWorker} */
export function Worker(url, options) {
  const { operations } = options.workerData
  if (operations === undefined) return new ReusedBodyWorker(url, options)
  return operations.endsWith('.ts') ? new Thread(url, options) : new ReusedWorker(url, options)
}
