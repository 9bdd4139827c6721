import type { AppContext } from '#context.ts'
import type { HeldEvent } from '#platform/jobs/claim.ts'
import type { Resolve } from '#platform/outgoing/resolve.ts'
import { dropSurplus, releaseDelivery, settleDelivery, takeDeliveries } from './delivery-commands.ts'
import type { Message } from './queries.ts'
import { dueDeliveries, loadMessage, logSurplus, surplusRows } from './queries.ts'
import { PING } from './rows.ts'
import { attemptedOf, type Sent, sendMessage, TIMEOUT_MS } from './send.ts'

type Context = Pick<AppContext, 'store' | 'log' | 'secrets' | 'config'>

/** Times are in milliseconds. Tests use shorter times than the documented defaults. */
export type DeliveryOptions = {
  /** Time between polls of an outbox that has nothing to send. */
  readonly pollMs?: number
  /** Delays between a failed attempt and the next one. If the last attempt fails, the delivery is abandoned. */
  readonly retryMs?: readonly number[]
  readonly timeoutMs?: number
  /**
   * How long a delivery is claimed. After that, another process can take it over, for example if the claiming process was killed.
   */
  readonly holdMs?: number
  /** Maximum number of concurrent deliveries to one webhook. */
  readonly atOnce?: number
  /** How long a running attempt may continue after `stop`. */
  readonly graceMs?: number
  readonly cleanupMs?: number
  /** Number of finished deliveries kept in each webhook's log. */
  readonly loggedDeliveries?: number
  readonly resolve?: Resolve
}
export type Delivery = {
  /** Stops claiming deliveries, then waits for deliveries in progress or releases them. May be called more than once. */
  readonly stop: () => Promise<void>
}

const HOLD_BEYOND_TIMEOUT_MS = 10_000
const DEFAULTS = {
  pollMs: 500,
  retryMs: [10_000, 60_000, 180_000] as readonly number[],
  timeoutMs: TIMEOUT_MS,
  atOnce: 8,
  graceMs: 5_000,
  cleanupMs: 60_000,
  loggedDeliveries: 1000,
}

/**
 * If a poll finds nothing to send, the wait before the next poll is the duration of the poll multiplied by this number. The wait
 * is at least `pollMs` and at most `REST * pollMs`. Without the maximum, one slow poll on a briefly overloaded machine could
 * delay events for a long time.
 */
const REST = 20

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Delivers the events in the outbox at least once, and in order if they are about the same subject. Each webhook has its own
 * lane, so that a slow or unreachable target doesn't delay other webhooks. To send a delivery, a process first claims it by
 * storing an expiry time in its row. Other processes skip claimed deliveries, so any number of processes can run this loop. If a
 * process is killed, its claims expire, and another process sends the deliveries again.
 */
export const startDelivery = (ctx: Context, overrides: DeliveryOptions = {}): Delivery => {
  const { store, log } = ctx
  const { resolve, ...options } = { resolve: undefined, ...DEFAULTS, ...overrides }
  const hold = (options.holdMs ?? options.timeoutMs + HOLD_BEYOND_TIMEOUT_MS) * 1000
  const queues = new Map<string, Set<Promise<void>>>()
  const abort = new AbortController()
  let stopping = false
  let woken = false
  let wakeUp = () => {}
  let tidiedAt = Number.NEGATIVE_INFINITY

  const wake = () => {
    woken = true
    wakeUp()
  }
  const sleep = (ms: number) =>
    new Promise<void>((done) => {
      if (stopping || woken) return done()
      const timer = setTimeout(done, ms)
      wakeUp = () => {
        clearTimeout(timer)
        done()
      }
    })

  const settle = async (held: HeldEvent, message: Message, sent: Sent, began: number): Promise<void> => {
    const attempted = attemptedOf(sent, began)
    const { error } = attempted
    // A test isn't retried, because the person who sends it sees the result and can send it again.
    const wait = message.event === PING ? undefined : options.retryMs[message.attempts - 1]
    const retryAfter = wait === undefined ? null : wait * 1000
    const logFields = { webhook: message.webhook_id, delivery: held.id, event: message.event, error }
    if (error !== null && retryAfter === null) log.warn(logFields, 'gave up on a webhook delivery')
    await store.write(settleDelivery, { held, attempted, retryAfter, delivered: error === null })
  }

  const attempt = async (webhook_id: string, held: HeldEvent): Promise<void> => {
    const message = await store.read(loadMessage, { webhook_id, dataset_no: held.dataset_no, id: held.id })
    if (message === null || !message.enabled || stopping) return store.write(releaseDelivery, { held })
    const began = performance.now()
    const { timeoutMs } = options
    const outgoing = { ...message, id: held.id }
    const sent = await sendMessage(ctx, outgoing, { timeoutMs, signal: abort.signal, resolve }).catch((error: unknown) => {
      if (abort.signal.aborted) return null
      throw error
    })
    return sent === null ? store.write(releaseDelivery, { held }) : settle(held, message, sent, began)
  }

  const launch = (webhookId: string, held: HeldEvent): void => {
    const queue = queues.get(webhookId) ?? new Set()
    queues.set(webhookId, queue)
    const running = attempt(webhookId, held)
      // The claim will expire, so the event is sent again later.
      .catch((error: unknown) => log.error({ err: error, delivery: held.id }, 'a webhook delivery attempt failed'))
      .finally(() => {
        queue.delete(running)
        if (queue.size === 0) queues.delete(webhookId)
        wake()
      })
    queue.add(running)
  }

  const round = async (): Promise<void> => {
    for (const { webhook_id, events } of await store.read(dueDeliveries, { limit: options.atOnce })) {
      const free = options.atOnce - (queues.get(webhook_id)?.size ?? 0)
      const some = events.slice(0, Math.max(0, free))
      for (const [dataset_no, ofDataset] of Map.groupBy(some, (event) => event.dataset_no)) {
        if (stopping) return
        const ids = ofDataset.map(({ id }) => id)
        for (const held of await store.write(takeDeliveries, { dataset_no, ids, hold })) launch(webhook_id, held)
      }
    }
  }

  const cleanUp = async (): Promise<void> => {
    if (performance.now() - tidiedAt < options.cleanupMs) return
    for (const surplus of await store.read(logSurplus, { maxLogged: options.loggedDeliveries })) {
      for (;;) {
        const rows = await store.read(surplusRows, surplus)
        if (rows.length === 0) break
        for (const ofDataset of rows) {
          if (stopping) return
          const began = performance.now()
          await store.write(dropSurplus, ofDataset)
          // Leaves time for other writers.
          await pause(performance.now() - began)
        }
      }
    }
    tidiedAt = performance.now()
  }

  const loop = async (): Promise<void> => {
    while (!stopping) {
      woken = false
      try {
        const began = performance.now()
        await round()
        await cleanUp()
        const took = performance.now() - began
        // In a cluster, a poll is slow, because it looks for events on all nodes. After each poll, the loop therefore pauses for
        // at least as long as the poll took.
        await pause(took)
        await sleep(Math.max(options.pollMs, Math.min(took, options.pollMs) * REST))
      } catch (error) {
        // The database may be temporarily unavailable.
        log.warn({ err: error }, 'webhook delivery paused: the database is unavailable')
        woken = false
        await sleep(options.pollMs * 4)
      }
    }
  }

  const ended = loop()
  return {
    stop: async () => {
      stopping = true
      wake()
      await ended
      const grace = setTimeout(() => abort.abort(), options.graceMs)
      await Promise.all([...queues.values()].flatMap((queue) => [...queue]))
      clearTimeout(grace)
    },
  }
}
