import { setTimeout as pause } from 'node:timers/promises'
import type { Webhook } from '@postil/contract/webhooks.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import type { DeliveryOptions } from './delivery.ts'
import { startDelivery } from './delivery.ts'
import { takeDeliveries } from './delivery-commands.ts'
import { bootGround, type Ground, QUICK } from './testing/ground.ts'
import { emitMany } from './testing/operations.ts'

/** Delivery by others than the server under test, which does not deliver itself: each has a store of its own, as a process has. */
let ground: Ground
const opened: Store[] = []
beforeAll(async () => {
  ground = await bootGround({ delivery: null })
})
afterAll(() => ground.close())
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  await ground.clear()
  ground.receiver.answer(200)
  ground.receiver.received.length = 0
})

const openTool = async (): Promise<Store> => {
  const { dataDir, databaseUrl } = ground.server.app.ctx.config
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  const store = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
  opened.push(store)
  return store
}
const startOne = async (options: DeliveryOptions = {}) => {
  const store = await openTool()
  return startDelivery({ ...ground.server.app.ctx, store }, { ...QUICK, ...options })
}
const numbers = () => ground.receiver.received.map(({ message }) => Number(message.data.number))
const logOf = async (webhook: Webhook) => (await ground.log(webhook)).map(({ status, attempts }) => [status, attempts])

describe('several processes on one store', () => {
  it('send every event once, and those about the same thing in order, also while some fail', async () => {
    const webhook = await ground.subscribe('/several', 'dataset.updated')
    const failed = new Set<string>()
    const done: string[] = []
    ground.receiver.answer(({ body, message }, response) => {
      const fails = Number(message.data.number) % 5 === 2 && !failed.has(body)
      if (fails) failed.add(body)
      else done.push(`${message.data.id} ${message.data.number}`)
      response.writeHead(fails ? 500 : 200).end()
    })
    const tool = await openTool()
    const subjects = Array.from({ length: 4 }, () => crypto.randomUUID())
    for (const subject_id of subjects) await tool.write(emitMany, { subject_id, count: 15 })
    const processes = [await startOne(), await startOne(), await startOne()]
    await ground.logged(webhook, ...Array(60).fill('delivered'))
    await Promise.all(processes.map((process) => process.stop()))
    const wanted = Array.from({ length: 15 }, (_, i) => i)
    for (const id of subjects) {
      expect(done.filter((one) => one.startsWith(id)).map((one) => Number(one.slice(37)))).toEqual(wanted)
    }
    expect([failed.size, done.length, ground.receiver.received.length]).toEqual([12, 60, 72])
  })
})

describe('what a killed process had taken', () => {
  it('is sent by another one when its time is over, and what comes after it only then', async () => {
    const webhook = await ground.subscribe('/killed', 'dataset.updated')
    const [killed, store] = [await openTool(), await openTool()]
    await killed.write(emitMany, { subject_id: crypto.randomUUID(), count: 3 })
    const HOLD_MS = 2000
    // NOTE: before it is taken, because the time that it is held for begins somewhere in between
    const askedAt = Date.now()
    const [taken] = await killed.write(takeDeliveries, { webhook_id: webhook.id, limit: 8, hold: HOLD_MS * 1000 })
    const other = startDelivery({ ...ground.server.app.ctx, store }, QUICK)
    await pause(HOLD_MS / 4)
    expect([numbers(), await logOf(webhook)]).toEqual([
      [],
      [
        ['sending', 1],
        ['waiting', 0],
        ['waiting', 0],
      ],
    ])
    const log = await ground.logged(webhook, 'delivered', 'delivered', 'delivered')
    await other.stop()
    expect([numbers(), log[0]?.id, log.map(({ attempts }) => attempts)]).toEqual([[0, 1, 2], taken?.id, [2, 1, 1]])
    expect((ground.receiver.received[0]?.at ?? 0) - askedAt).toBeGreaterThanOrEqual(HOLD_MS - 20)
  })
})

describe('a process that ends', () => {
  it('waits for what is on its way, and begins nothing', async () => {
    const webhook = await ground.subscribe('/ends', 'dataset.updated')
    ground.receiver.answer((_one, response) => void setTimeout(() => response.end(), 300))
    await (await openTool()).write(emitMany, { subject_id: crypto.randomUUID(), count: 2 })
    const process = await startOne()
    await ground.arrived('/ends', 1)
    await process.stop()
    expect(await logOf(webhook)).toEqual([
      ['delivered', 1],
      ['waiting', 0],
    ])
  })

  it('does not wait for ever: what has no answer is given back as if it had not been taken', async () => {
    const webhook = await ground.subscribe('/hangs', 'dataset.updated')
    ground.receiver.answer(() => undefined)
    await (await openTool()).write(emitMany, { count: 1 })
    const process = await startOne({ graceMs: 100 })
    await ground.arrived('/hangs', 1)
    await process.stop()
    expect(await logOf(webhook)).toEqual([['waiting', 0]])
    ground.receiver.answer(200)
    const next = await startOne()
    await ground.logged(webhook, 'delivered')
    await next.stop()
    const [first, second] = ground.receiver.at('/hangs').map(({ headers }) => headers['webhook-id'])
    expect(second).toBe(first)
  })

  it('has ended when the store is away, too', async () => {
    const { store } = ground.server.app.ctx
    const away = { ...store, read: () => Promise.reject(new Error('away')) }
    const delivery = startDelivery({ ...ground.server.app.ctx, store: away }, QUICK)
    await pause(100)
    await delivery.stop()
  })
})
