import { setTimeout as pause } from 'node:timers/promises'
import type { Webhook } from '@postil/contract/webhooks.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import type { DeliveryOptions } from './delivery.ts'
import { startDelivery } from './delivery.ts'
import { takeDeliveries } from './delivery-commands.ts'
import { dueDeliveries } from './queries.ts'
import { bootFixture, type Fixture, QUICK, SOON } from './testing/fixtures.ts'
import { emitMany } from './testing/operations.ts'

/**
 * Tests delivery by several processes. The server under test doesn't deliver events itself. Each delivery loop has its own
 * store, as a separate process would.
 */
let fixture: Fixture
const opened: Store[] = []
beforeAll(async () => {
  fixture = await bootFixture({ delivery: null })
})
afterAll(() => fixture.close())
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  await fixture.clear()
  fixture.receiver.answer(200)
  fixture.receiver.received.length = 0
})

const openTool = async (): Promise<Store> => {
  const { dataDir, databaseUrl } = fixture.server.app.ctx.config
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  const store = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
  opened.push(store)
  return store
}
const startOne = async (options: DeliveryOptions = {}) => {
  const store = await openTool()
  return startDelivery({ ...fixture.server.app.ctx, store }, { ...QUICK, ...options })
}
const numbers = () => fixture.receiver.received.map(({ message }) => Number(message.data.number))
const logOf = async (webhook: Webhook) => (await fixture.log(webhook)).map(({ status, attempts }) => [status, attempts])

describe('several processes on one database', () => {
  it('send every event once, and related ones in order, even during failures', async () => {
    const webhook = await fixture.subscribe('/several', 'dataset.updated')
    const failed = new Set<string>()
    const done: string[] = []
    fixture.receiver.answer(({ body, message }, response) => {
      const fails = Number(message.data.number) % 5 === 2 && !failed.has(body)
      if (fails) failed.add(body)
      else done.push(`${message.data.id} ${message.data.number}`)
      response.writeHead(fails ? 500 : 200).end()
    })
    const tool = await openTool()
    const subjects = Array.from({ length: 4 }, () => crypto.randomUUID())
    for (const subject_id of subjects) await tool.write(emitMany, { subject_id, count: 15 })
    const processes = [await startOne(), await startOne(), await startOne()]
    await fixture.logged(webhook, ...Array(60).fill('delivered'))
    await Promise.all(processes.map((process) => process.stop()))
    const wanted = Array.from({ length: 15 }, (_, i) => i)
    for (const id of subjects) {
      expect(done.filter((one) => one.startsWith(id)).map((one) => Number(one.slice(37)))).toEqual(wanted)
    }
    expect([failed.size, done.length, fixture.receiver.received.length]).toEqual([12, 60, 72])
  })
})

describe('a delivery claimed by a killed process', () => {
  it('is sent by another one after its claim expires, and later ones wait for it', async () => {
    const webhook = await fixture.subscribe('/killed', 'dataset.updated')
    const [killed, store] = [await openTool(), await openTool()]
    await killed.write(emitMany, { subject_id: crypto.randomUUID(), count: 3 })
    const HOLD_MS = 2000
    // Measured before the claim, so it is never later than the time at which the claim starts.
    const askedAt = Date.now()
    const [due] = await killed.read(dueDeliveries, { limit: 8 })
    const ids = due?.events.map(({ id }) => id) ?? []
    const [taken] = await killed.write(takeDeliveries, { dataset_no: 1, ids, hold: HOLD_MS * 1000 })
    const other = startDelivery({ ...fixture.server.app.ctx, store }, QUICK)
    await pause(HOLD_MS / 4)
    expect([numbers(), await logOf(webhook)]).toEqual([
      [],
      [
        ['sending', 1],
        ['waiting', 0],
        ['waiting', 0],
      ],
    ])
    const log = await fixture.logged(webhook, 'delivered', 'delivered', 'delivered')
    await other.stop()
    expect([numbers(), log[0]?.id, log.map(({ attempts }) => attempts)]).toEqual([[0, 1, 2], taken?.id, [2, 1, 1]])
    expect((fixture.receiver.received[0]?.receivedAt ?? 0) - askedAt).toBeGreaterThanOrEqual(HOLD_MS - 20)
  })
})

describe('a slow poll', () => {
  it('doesn’t delay the next one by a multiple of its time', async () => {
    const webhook = await fixture.subscribe('/slow', 'dataset.updated')
    const { store } = fixture.server.app.ctx
    let polls = 0
    const read: Store['read'] = async (operation, args) => {
      // Makes the first poll slow. If the loop then slept for a multiple of this time, the check of the log would time out.
      if (operation.name === dueDeliveries.name && ++polls === 1) await pause(1500)
      return store.read(operation, args)
    }
    const delivery = startDelivery({ ...fixture.server.app.ctx, store: { ...store, read } }, QUICK)
    await vi.waitFor(() => expect(polls).toBe(1), SOON)
    await pause(1600)
    await (await openTool()).write(emitMany, { subject_id: crypto.randomUUID(), count: 1 })
    await fixture.logged(webhook, 'delivered')
    await delivery.stop()
  })
})

describe('a stopping process', () => {
  it('waits for running deliveries and starts none', async () => {
    const webhook = await fixture.subscribe('/ends', 'dataset.updated')
    fixture.receiver.answer((_one, response) => void setTimeout(() => response.end(), 300))
    await (await openTool()).write(emitMany, { subject_id: crypto.randomUUID(), count: 2 })
    const process = await startOne()
    await fixture.arrived('/ends', 1)
    await process.stop()
    expect(await logOf(webhook)).toEqual([
      ['delivered', 1],
      ['waiting', 0],
    ])
  })

  it('doesn’t wait forever: an unanswered delivery is released as if unclaimed', async () => {
    const webhook = await fixture.subscribe('/hangs', 'dataset.updated')
    fixture.receiver.answer(() => undefined)
    await (await openTool()).write(emitMany, { count: 1 })
    const process = await startOne({ graceMs: 100 })
    await fixture.arrived('/hangs', 1)
    await process.stop()
    expect(await logOf(webhook)).toEqual([['waiting', 0]])
    fixture.receiver.answer(200)
    const next = await startOne()
    await fixture.logged(webhook, 'delivered')
    await next.stop()
    const [first, second] = fixture.receiver.receivedAt('/hangs').map(({ headers }) => headers['webhook-id'])
    expect(second).toBe(first)
  })

  it('stops even if the database is unreachable', async () => {
    const { store } = fixture.server.app.ctx
    const away = { ...store, read: () => Promise.reject(new Error('away')) }
    const delivery = startDelivery({ ...fixture.server.app.ctx, store: away }, QUICK)
    await pause(100)
    await delivery.stop()
  })
})
