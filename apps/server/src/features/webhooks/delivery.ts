import type { AppContext } from '#context.ts'
import type { Held } from '#platform/jobs/claim.ts'
import type { Resolve } from '#platform/outgoing/resolve.ts'
import { dropSurplus, giveBackDelivery, settleDelivery, takeDeliveries } from './delivery-commands.ts'
import type { Message } from './queries.ts'
import { loadMessage, logSurplus, webhooksDue } from './queries.ts'
import { PING } from './rows.ts'
import { attemptedOf, type Sent, sendMessage, TIMEOUT_MS } from './send.ts'

type Context = Pick<AppContext, 'store' | 'log' | 'secrets' | 'config'>

/** Left out, what is documented; tests go faster. Times are milliseconds. */
export type DeliveryOptions = {
  /** Between looks into an outbox that has nothing to send. */
  readonly pollMs?: number
  /** From an attempt that failed to the next one; after the last of them the delivery is given up. */
  readonly retryMs?: readonly number[]
  readonly timeoutMs?: number
  /** For how long a delivery is held; one of a killed process is taken over after that. */
  readonly holdMs?: number
  /** How many deliveries to one webhook are on their way at once. */
  readonly atOnce?: number
  /** For how long an attempt may go on after `stop`. */
  readonly graceMs?: number
  readonly tidyMs?: number
  /** Deliveries per webhook that stay in the log when they are done. */
  readonly kept?: number
  readonly resolve?: Resolve
}
export type Delivery = {
  /** Takes nothing more, waits for what is on its way or gives it back; safe to call again. */
  readonly stop: () => Promise<void>
}

const HOLD_BEYOND_TIMEOUT_MS = 10_000
const DEFAULTS = {
  pollMs: 500,
  retryMs: [10_000, 60_000, 180_000] as readonly number[],
  timeoutMs: TIMEOUT_MS,
  atOnce: 8,
  graceMs: 5_000,
  tidyMs: 60_000,
  kept: 1000,
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Sends what waits in the outbox, at least once, and in order where it is about the same thing. Every webhook has a lane of its own,
 * so that a target which is slow or gone holds up no other. What is taken is held by a time in its row: any number of processes
 * may do this, and what one of them leaves behind when it is killed another one sends again.
 */
export const startDelivery = (ctx: Context, given: DeliveryOptions = {}): Delivery => {
  const { store, log } = ctx
  const { resolve, ...options } = { resolve: undefined, ...DEFAULTS, ...given }
  const hold = (options.holdMs ?? options.timeoutMs + HOLD_BEYOND_TIMEOUT_MS) * 1000
  const lanes = new Map<string, Set<Promise<void>>>()
  const cut = new AbortController()
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

  const settle = async (held: Held, message: Message, sent: Sent, began: number): Promise<void> => {
    const attempted = attemptedOf(sent, began)
    const { error } = attempted
    // NOTE: whoever sends a test again looks at what becomes of it
    const wait = message.event === PING ? undefined : options.retryMs[message.attempts - 1]
    const retryAfter = wait === undefined ? null : wait * 1000
    const about = { webhook: message.webhook_id, delivery: held.id, event: message.event, error }
    if (error !== null && retryAfter === null) log.warn(about, 'an event was given up')
    await store.write(settleDelivery, { held, attempted, retryAfter, delivered: error === null })
  }

  const attempt = async (held: Held): Promise<void> => {
    const message = await store.read(loadMessage, { id: held.id })
    if (message === null || !message.enabled || stopping) return store.write(giveBackDelivery, { held })
    const began = performance.now()
    const { timeoutMs } = options
    const outgoing = { ...message, id: held.id }
    const sent = await sendMessage(ctx, outgoing, { timeoutMs, signal: cut.signal, resolve }).catch((error: unknown) => {
      if (cut.signal.aborted) return null
      throw error
    })
    return sent === null ? store.write(giveBackDelivery, { held }) : settle(held, message, sent, began)
  }

  const launch = (webhookId: string, held: Held): void => {
    const lane = lanes.get(webhookId) ?? new Set()
    lanes.set(webhookId, lane)
    const running = attempt(held)
      // NOTE: it is still held, so it is sent again after that
      .catch((error: unknown) => log.error({ err: error, delivery: held.id }, 'an attempt to deliver an event failed'))
      .finally(() => {
        lane.delete(running)
        if (lane.size === 0) lanes.delete(webhookId)
        wake()
      })
    lane.add(running)
  }

  const round = async (): Promise<void> => {
    for (const webhook_id of await store.read(webhooksDue, null)) {
      const free = options.atOnce - (lanes.get(webhook_id)?.size ?? 0)
      if (free <= 0 || stopping) continue
      for (const held of await store.write(takeDeliveries, { webhook_id, limit: free, hold })) launch(webhook_id, held)
    }
  }

  const tidy = async (): Promise<void> => {
    if (performance.now() - tidiedAt < options.tidyMs) return
    for (const surplus of await store.read(logSurplus, { kept: options.kept })) {
      for (;;) {
        const began = performance.now()
        if (stopping || (await store.write(dropSurplus, surplus)) === 0) break
        // NOTE: as long for others as for this
        await pause(performance.now() - began)
      }
    }
    tidiedAt = performance.now()
  }

  const loop = async (): Promise<void> => {
    while (!stopping) {
      woken = false
      try {
        await round()
        await tidy()
        await sleep(options.pollMs)
      } catch (error) {
        // NOTE: the database may be away for a while
        log.warn({ err: error }, 'the delivery of events waits for the store')
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
      const grace = setTimeout(() => cut.abort(), options.graceMs)
      await Promise.all([...lanes.values()].flatMap((lane) => [...lane]))
      clearTimeout(grace)
    },
  }
}
