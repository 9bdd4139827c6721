import { setTimeout as pause } from 'node:timers/promises'
import type { Webhook, WebhookDelivery } from '@postil/contract/webhooks.ts'
import { detail } from '@postil/testkit/detail.ts'
import { isSigned } from '@postil/testkit/webhook-receiver.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { bootFixture, type Fixture, must, PRIVATE, QUICK, SOON } from './testing/fixtures.ts'
import { emitMany, rowsOfWebhook } from './testing/operations.ts'

let fixture: Fixture
let tool: Store
beforeAll(async () => {
  fixture = await bootFixture({ env: PRIVATE, delivery: { ...QUICK, loggedDeliveries: 20 } })
  const { dataDir, databaseUrl } = fixture.server.app.ctx.config
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
})
afterAll(async () => {
  await tool.close()
  await fixture.close()
})
afterEach(async () => {
  fixture.receiver.answer(200)
  await fixture.clear()
  fixture.receiver.received.length = 0
})

const emit = (count: number, subject_id?: string) => tool.write(emitMany, { count, ...(subject_id && { subject_id }) })
const resend = (webhook: Webhook, delivery: WebhookDelivery) =>
  fixture.owner.post<WebhookDelivery>(`/webhooks/${webhook.id}/deliveries/${delivery.id}/resend`)
const nowhere = '00000000-0000-7000-8000-000000000001'

describe('the delivery log', () => {
  it('shows when each delivery happened, its result and the time of its next attempt', async () => {
    let status = 500
    fixture.receiver.answer((_one, response) => {
      response.writeHead(status).end()
      status = 200
    })
    const webhook = await fixture.subscribe('/log', 'dataset.updated')
    await emit(1)
    const [delivery] = await fixture.logged(webhook, 'delivered')
    const [first, second] = await fixture.arrived('/log', 2)
    expect(delivery).toEqual({
      id: expect.any(String),
      message_id: first?.headers['webhook-id'],
      event: 'dataset.updated',
      status: 'delivered',
      attempts: 2,
      http_status: 200,
      duration_ms: expect.any(Number),
      error: null,
      attempted_at: expect.any(String),
      next_attempt_at: null,
      inserted_at: first?.message.timestamp.slice(0, -1),
    })
    expect(second?.headers['webhook-id']).toBe(delivery?.message_id)
    expect(String(delivery?.attempted_at) > String(delivery?.inserted_at)).toBe(true)
  })

  it('lists deliveries waiting for a retry newest first, and filters by status', async () => {
    const slowServer = await bootFixture({ env: PRIVATE, delivery: { ...QUICK, retryMs: [60_000] } })
    const webhook = await slowServer.subscribe('http://127.0.0.1:9/', 'dataset.updated', 'dataset.published')
    const dataset = await slowServer.server.createDataset()
    must(await slowServer.owner.patch(`/datasets/${dataset.id}`, {}))
    const waiting = await vi.waitFor(async () => {
      const found = await slowServer.log(webhook)
      expect(found.map(({ attempts, status }) => [attempts, status])).toEqual([
        [1, 'waiting'],
        [0, 'waiting'],
      ])
      return found
    }, SOON)
    expect(waiting[0]).toMatchObject({ status: 'waiting', error: '127.0.0.1:9 refused the connection', http_status: null })
    const { attempted_at, next_attempt_at } = waiting[0] as { attempted_at: string; next_attempt_at: string }
    const wait = Date.parse(`${next_attempt_at}Z`) - Date.parse(`${attempted_at}Z`)
    expect([wait >= 60_000, wait < 65_000]).toEqual([true, true])
    const url = `/webhooks/${webhook.id}/deliveries`
    const shown = async (query: string) => must(await slowServer.owner.get<{ items: WebhookDelivery[] }>(url + query)).items
    expect((await shown('')).map(({ event }) => event)).toEqual(['dataset.updated', 'dataset.published'])
    expect([(await shown('?status=waiting')).length, await shown('?status=given_up')]).toEqual([2, []])
    expect((await slowServer.owner.get(`${url}?status=nothing`)).status).toBe(422)
    await slowServer.close()
  })

  it('keeps the latest finished deliveries and all unfinished ones', async () => {
    const webhook = await fixture.subscribe('/kept', 'dataset.updated')
    await emit(35)
    await fixture.arrived('/kept', 35)
    const loggedDeliveries = await fixture.logged(webhook, ...Array(20).fill('delivered'))
    const pendingReplies: (() => void)[] = []
    fixture.receiver.answer((_one, response) => pendingReplies.push(() => response.end()))
    await emit(30, crypto.randomUUID())
    await fixture.arrived('/kept', 36)
    await pause(3 * QUICK.cleanupMs)
    const unfinished = ['sending', ...Array(29).fill('waiting')]
    const found = await fixture.logged(webhook, ...Array(20).fill('delivered'), ...unfinished)
    expect(found.slice(0, 20)).toEqual(loggedDeliveries)
    for (const end of pendingReplies) end()
  })
})

describe('resending', () => {
  it('gives an abandoned delivery all its attempts again, under the same ID', async () => {
    fixture.receiver.answer(503)
    const webhook = await fixture.subscribe('/again', 'dataset.updated')
    await emit(1)
    const [givenUp] = await fixture.logged(webhook, 'given_up')
    let left = 2
    fixture.receiver.answer((_one, response) => response.writeHead(left-- > 0 ? 503 : 200).end())
    const answer = await resend(webhook, givenUp!)
    expect(answer).toMatchObject({ status: 200, body: { id: givenUp?.id, status: 'waiting', attempts: 0, http_status: 503 } })
    const [delivered] = await fixture.logged(webhook, 'delivered')
    expect(delivered).toMatchObject({ id: givenUp?.id, attempts: 3, http_status: 200, error: null })
    const ids = fixture.receiver.receivedAt('/again').map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual(Array(7).fill(givenUp?.message_id))
  })

  it('delivers a delivered one once more, and a waiting one at once', async () => {
    const slowServer = await bootFixture({ env: PRIVATE, delivery: { ...QUICK, retryMs: [60_000, 60_000] } })
    const webhook = await slowServer.subscribe('/patient', 'dataset.updated')
    const { id } = await slowServer.server.createDataset()
    slowServer.receiver.answer(500)
    must(await slowServer.owner.patch(`/datasets/${id}`, {}))
    const [waiting] = await vi.waitFor(async () => {
      const found = await slowServer.log(webhook)
      expect(found.map(({ attempts, status }) => [attempts, status])).toEqual([[1, 'waiting']])
      return found
    }, SOON)
    slowServer.receiver.answer(200)
    const url = `/webhooks/${webhook.id}/deliveries/${waiting?.id}/resend`
    expect(must(await slowServer.owner.post<WebhookDelivery>(url)).attempts).toBe(1)
    expect(await slowServer.logged(webhook, 'delivered')).toMatchObject([{ attempts: 2 }])
    must(await slowServer.owner.post(url))
    await slowServer.arrived('/patient', 3)
    await slowServer.close()
  })

  it('requires a delivery of this webhook, and an enabled webhook', async () => {
    const [webhook, other] = [await fixture.subscribe('/a', 'dataset.updated'), await fixture.subscribe('/b', 'record.deleted')]
    await emit(1)
    const [delivery] = await fixture.logged(webhook, 'delivered')
    expect((await resend(other, delivery!)).status).toBe(404)
    expect((await resend(webhook, { ...delivery!, id: nowhere })).status).toBe(404)
    must(await fixture.owner.patch(`/webhooks/${webhook.id}`, { enabled: false }))
    expect(await resend(webhook, delivery!)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('disabled') } })
    expect(fixture.receiver.receivedAt('/a')).toHaveLength(1)
  })
})

/**
 * Holds responses until the returned function is called, and then makes them fail. Attempts are so fast that, without this delay,
 * all of them would fail before the test's next request.
 */
const heldFailure = (): (() => void) => {
  const pendingReplies: (() => void)[] = []
  fixture.receiver.answer((_one, response) => pendingReplies.push(() => response.writeHead(500).end()))
  return () => {
    for (const end of pendingReplies) end()
  }
}

describe('a test delivery', () => {
  const ping = (webhook: Webhook) => fixture.owner.post(`/webhooks/${webhook.id}/ping`)

  it('is logged whatever its result, including for a disabled webhook, and isn’t retried', async () => {
    const webhook = await fixture.subscribe('/tested', 'dataset.updated')
    must(await fixture.owner.patch(`/webhooks/${webhook.id}`, { enabled: false }))
    for (const status of [200, 500, 302]) {
      fixture.receiver.answer(status)
      expect((await ping(webhook)).status).toBe(204)
    }
    must(await fixture.owner.patch(`/webhooks/${webhook.id}`, { enabled: true, url: 'http://127.0.0.1:9/' }))
    expect((await ping(webhook)).status).toBe(422)
    const found = await fixture.log(webhook)
    const line = {
      event: 'ping',
      attempts: 1,
      duration_ms: expect.any(Number),
      attempted_at: expect.any(String),
      next_attempt_at: null,
    }
    expect(found).toMatchObject([
      { ...line, status: 'delivered', http_status: 200, error: null },
      { ...line, status: 'given_up', http_status: 500, error: 'The target answered 500' },
      { ...line, status: 'given_up', http_status: 302, error: 'The target answered 302. Redirects are not followed' },
      { ...line, status: 'given_up', http_status: null, error: '127.0.0.1:9 refused the connection' },
    ])
    const sent = fixture.receiver.receivedAt('/tested')
    expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual(found.slice(0, 3).map(({ message_id }) => message_id))
    expect(sent.map(({ message }) => message.timestamp)).toEqual(found.slice(0, 3).map((one) => `${one.inserted_at}Z`))
    await pause(10 * QUICK.pollMs)
    expect([await fixture.log(webhook), fixture.receiver.receivedAt('/tested').length]).toEqual([found, 3])
    const { deliveries } = must(await fixture.owner.get<{ deliveries: { given_up: number } }>('/instance'))
    expect(deliveries.given_up).toBe(0)
  })

  detail('can be resent, one attempt each time', async () => {
    fixture.receiver.answer(500)
    const webhook = await fixture.subscribe('/once-more', 'dataset.updated')
    must(await ping(webhook))
    const [line] = await fixture.logged(webhook, 'given_up')
    expect(await resend(webhook, line!)).toMatchObject({ status: 200, body: { status: 'waiting', attempts: 0 } })
    expect(await fixture.logged(webhook, 'given_up')).toMatchObject([{ id: line?.id, attempts: 1, http_status: 500 }])
    fixture.receiver.answer(200)
    must(await resend(webhook, line!))
    expect(await fixture.logged(webhook, 'delivered')).toMatchObject([{ id: line?.id, attempts: 1, http_status: 200 }])
    const [first, ...more] = await fixture.arrived('/once-more', 3)
    for (const one of more) {
      expect(one.headers['webhook-id']).toBe(line?.message_id)
      expect(one.body).toBe(first?.body)
    }
  })

  it('leaves nothing for a webhook that is deleted during it', async () => {
    const fail = heldFailure()
    const webhook = await fixture.subscribe('/gone', 'dataset.updated')
    const sent = ping(webhook)
    await fixture.arrived('/gone', 1)
    must(await fixture.owner.delete(`/webhooks/${webhook.id}`))
    fail()
    expect((await sent).status).toBe(204)
    expect(await tool.read(rowsOfWebhook, { webhook_id: webhook.id })).toBe(0)
  })

  it('counts toward the deliveries that the log keeps', async () => {
    const webhook = await fixture.subscribe('/many-tests', 'dataset.updated')
    for (let i = 0; i < 23; i += 1) must(await ping(webhook))
    await fixture.logged(webhook, ...Array(20).fill('delivered'))
  })
})

describe('a webhook that', () => {
  detail('is disabled receives no waiting deliveries until it is enabled', async () => {
    const fail = heldFailure()
    const webhook = await fixture.subscribe('/off', 'dataset.updated')
    const subject = crypto.randomUUID()
    await emit(3, subject)
    await fixture.arrived('/off', 1)
    must(await fixture.owner.patch(`/webhooks/${webhook.id}`, { enabled: false }))
    fail()
    await emit(1, subject)
    const settled = await vi.waitFor(async () => {
      const found = await fixture.log(webhook)
      expect(found.map(({ status, next_attempt_at }) => [status, next_attempt_at])).toEqual(Array(3).fill(['waiting', null]))
      return found
    }, SOON)
    const seen = fixture.receiver.receivedAt('/off').length
    await pause(300)
    expect([fixture.receiver.receivedAt('/off').length, await fixture.log(webhook)]).toEqual([seen, settled])
    fixture.receiver.answer(200)
    must(await fixture.owner.patch(`/webhooks/${webhook.id}`, { enabled: true }))
    await fixture.logged(webhook, ...Array(3).fill('delivered'))
    expect(
      fixture.receiver
        .receivedAt('/off')
        .slice(seen)
        .map(({ message }) => message.data.number),
    ).toEqual([0, 1, 2])
  })

  detail('is deleted removes its waiting deliveries, however many', async () => {
    const webhook = await fixture.subscribe('http://127.0.0.1:9/', 'dataset.updated')
    const loggedDeliveries = await fixture.subscribe('/stays', 'dataset.updated')
    await emit(1200, crypto.randomUUID())
    must(await fixture.owner.delete(`/webhooks/${webhook.id}`))
    await vi.waitFor(async () => expect(await tool.read(rowsOfWebhook, { webhook_id: webhook.id })).toBe(0), { timeout: 20_000 })
    expect(await tool.read(rowsOfWebhook, { webhook_id: loggedDeliveries.id })).toBeGreaterThan(0)
    expect((await fixture.owner.get(`/webhooks/${webhook.id}/deliveries`)).status).toBe(404)
  })

  it('has a new secret uses it for signatures from then on', async () => {
    const fail = heldFailure()
    const webhook = await fixture.subscribe('/rotates', 'dataset.updated')
    await emit(1)
    const [before] = await fixture.arrived('/rotates', 1)
    const { secret } = must(await fixture.owner.post<Webhook>(`/webhooks/${webhook.id}/secret`))
    fixture.receiver.answer(200)
    fail()
    const [delivery] = await fixture.logged(webhook, 'delivered')
    const after = fixture.receiver.receivedAt('/rotates').at(-1)
    expect(after?.headers['webhook-id']).toBe(delivery?.message_id)
    expect([await isSigned(before!, webhook.secret), await isSigned(after!, secret)]).toEqual([true, true])
    expect(await isSigned(after!, webhook.secret)).toBe(false)
  })
})
