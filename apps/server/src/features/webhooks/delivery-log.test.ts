import { setTimeout as pause } from 'node:timers/promises'
import type { Webhook, WebhookDelivery } from '@postil/contract/webhooks.ts'
import { isSigned } from '@postil/testkit/webhook-receiver.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { bootGround, type Ground, must, PRIVATE, QUICK, SOON } from './testing/ground.ts'
import { emitMany, rowsOfWebhook } from './testing/operations.ts'

let ground: Ground
let tool: Store
beforeAll(async () => {
  ground = await bootGround({ env: PRIVATE, delivery: { ...QUICK, kept: 20 } })
  const { dataDir, databaseUrl } = ground.server.app.ctx.config
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
})
afterAll(async () => {
  await tool.close()
  await ground.close()
})
afterEach(async () => {
  ground.receiver.answer(200)
  await ground.clear()
  ground.receiver.received.length = 0
})

const emit = (count: number, subject_id?: string) => tool.write(emitMany, { count, ...(subject_id && { subject_id }) })
const resend = (webhook: Webhook, delivery: WebhookDelivery) =>
  ground.owner.post<WebhookDelivery>(`/webhooks/${webhook.id}/deliveries/${delivery.id}/resend`)
const nowhere = '00000000-0000-7000-8000-000000000001'

describe('the log', () => {
  it('tells of each delivery when it happened, how it went and when it is tried again', async () => {
    let status = 500
    ground.receiver.answer((_one, response) => {
      response.writeHead(status).end()
      status = 200
    })
    const webhook = await ground.subscribe('/log', 'dataset.updated')
    await emit(1)
    const [delivery] = await ground.logged(webhook, 'delivered')
    const [first, second] = await ground.arrived('/log', 2)
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

  it('shows what waits for another attempt, newest first, and one status when asked', async () => {
    const patient = await bootGround({ env: PRIVATE, delivery: { ...QUICK, retryMs: [60_000] } })
    const webhook = await patient.subscribe('http://127.0.0.1:9/', 'dataset.updated', 'dataset.published')
    const dataset = await patient.server.createDataset()
    must(await patient.owner.patch(`/datasets/${dataset.id}`, {}))
    const waiting = await vi.waitFor(async () => {
      const found = await patient.log(webhook)
      expect(found.map(({ attempts, status }) => [attempts, status])).toEqual([
        [1, 'waiting'],
        [0, 'waiting'],
      ])
      return found
    }, SOON)
    expect(waiting[0]).toMatchObject({ status: 'waiting', error: 'Nothing listens at 127.0.0.1:9', http_status: null })
    const { attempted_at, next_attempt_at } = waiting[0] as { attempted_at: string; next_attempt_at: string }
    const wait = Date.parse(`${next_attempt_at}Z`) - Date.parse(`${attempted_at}Z`)
    expect([wait >= 60_000, wait < 65_000]).toEqual([true, true])
    const url = `/webhooks/${webhook.id}/deliveries`
    const shown = async (query: string) => must(await patient.owner.get<{ items: WebhookDelivery[] }>(url + query)).items
    expect((await shown('')).map(({ event }) => event)).toEqual(['dataset.updated', 'dataset.published'])
    expect([(await shown('?status=waiting')).length, await shown('?status=given_up')]).toEqual([2, []])
    expect((await patient.owner.get(`${url}?status=nothing`)).status).toBe(422)
    await patient.close()
  })

  it('keeps the last that are done, and whatever is not', async () => {
    const webhook = await ground.subscribe('/kept', 'dataset.updated')
    await emit(35)
    await ground.arrived('/kept', 35)
    const kept = await ground.logged(webhook, ...Array(20).fill('delivered'))
    const held: (() => void)[] = []
    ground.receiver.answer((_one, response) => held.push(() => response.end()))
    await emit(30, crypto.randomUUID())
    await ground.arrived('/kept', 36)
    await pause(3 * QUICK.tidyMs)
    const unfinished = ['sending', ...Array(29).fill('waiting')]
    const found = await ground.logged(webhook, ...Array(20).fill('delivered'), ...unfinished)
    expect(found.slice(0, 20)).toEqual(kept)
    for (const end of held) end()
  })
})

describe('sending again', () => {
  it('a delivery that was given up has all its attempts again, under the same id', async () => {
    ground.receiver.answer(503)
    const webhook = await ground.subscribe('/again', 'dataset.updated')
    await emit(1)
    const [given] = await ground.logged(webhook, 'given_up')
    let left = 2
    ground.receiver.answer((_one, response) => response.writeHead(left-- > 0 ? 503 : 200).end())
    const answer = await resend(webhook, given!)
    expect(answer).toMatchObject({ status: 200, body: { id: given?.id, status: 'waiting', attempts: 0, http_status: 503 } })
    const [delivered] = await ground.logged(webhook, 'delivered')
    expect(delivered).toMatchObject({ id: given?.id, attempts: 3, http_status: 200, error: null })
    const ids = ground.receiver.at('/again').map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual(Array(7).fill(given?.message_id))
  })

  it('a delivered one is delivered once more, one that waits at once', async () => {
    const patient = await bootGround({ env: PRIVATE, delivery: { ...QUICK, retryMs: [60_000, 60_000] } })
    const webhook = await patient.subscribe('/patient', 'dataset.updated')
    const { id } = await patient.server.createDataset()
    patient.receiver.answer(500)
    must(await patient.owner.patch(`/datasets/${id}`, {}))
    const [waiting] = await vi.waitFor(async () => {
      const found = await patient.log(webhook)
      expect(found.map(({ attempts, status }) => [attempts, status])).toEqual([[1, 'waiting']])
      return found
    }, SOON)
    patient.receiver.answer(200)
    const url = `/webhooks/${webhook.id}/deliveries/${waiting?.id}/resend`
    expect(must(await patient.owner.post<WebhookDelivery>(url)).attempts).toBe(1)
    expect(await patient.logged(webhook, 'delivered')).toMatchObject([{ attempts: 2 }])
    must(await patient.owner.post(url))
    await patient.arrived('/patient', 3)
    await patient.close()
  })

  it('needs a delivery of this webhook, and one that is enabled', async () => {
    const [webhook, other] = [await ground.subscribe('/a', 'dataset.updated'), await ground.subscribe('/b', 'record.deleted')]
    await emit(1)
    const [delivery] = await ground.logged(webhook, 'delivered')
    expect((await resend(other, delivery!)).status).toBe(404)
    expect((await resend(webhook, { ...delivery!, id: nowhere })).status).toBe(404)
    must(await ground.owner.patch(`/webhooks/${webhook.id}`, { enabled: false }))
    expect(await resend(webhook, delivery!)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('disabled') } })
    expect(ground.receiver.at('/a')).toHaveLength(1)
  })
})

/** Holds answers back until it is called, and then refuses: quick attempts would all be made, and given up, before the next request of a test. */
const heldFailure = (): (() => void) => {
  const held: (() => void)[] = []
  ground.receiver.answer((_one, response) => held.push(() => response.writeHead(500).end()))
  return () => {
    for (const end of held) end()
  }
}

describe('a test', () => {
  const ping = (webhook: Webhook) => ground.owner.post(`/webhooks/${webhook.id}/ping`)

  it('has a line however it went, also of a disabled webhook, and is not tried again', async () => {
    const webhook = await ground.subscribe('/tested', 'dataset.updated')
    must(await ground.owner.patch(`/webhooks/${webhook.id}`, { enabled: false }))
    for (const status of [200, 500, 302]) {
      ground.receiver.answer(status)
      expect((await ping(webhook)).status).toBe(204)
    }
    must(await ground.owner.patch(`/webhooks/${webhook.id}`, { enabled: true, url: 'http://127.0.0.1:9/' }))
    expect((await ping(webhook)).status).toBe(422)
    const found = await ground.log(webhook)
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
      { ...line, status: 'given_up', http_status: 302, error: 'The target answered 302, and redirects are not followed' },
      { ...line, status: 'given_up', http_status: null, error: 'Nothing listens at 127.0.0.1:9' },
    ])
    const sent = ground.receiver.at('/tested')
    expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual(found.slice(0, 3).map(({ message_id }) => message_id))
    expect(sent.map(({ message }) => message.timestamp)).toEqual(found.slice(0, 3).map((one) => `${one.inserted_at}Z`))
    await pause(10 * QUICK.pollMs)
    expect([await ground.log(webhook), ground.receiver.at('/tested').length]).toEqual([found, 3])
    const { deliveries } = must(await ground.owner.get<{ deliveries: { given_up: number } }>('/instance'))
    expect(deliveries.given_up).toBe(0)
  })

  it('can be sent again, once at a time', async () => {
    ground.receiver.answer(500)
    const webhook = await ground.subscribe('/once-more', 'dataset.updated')
    must(await ping(webhook))
    const [line] = await ground.logged(webhook, 'given_up')
    expect(await resend(webhook, line!)).toMatchObject({ status: 200, body: { status: 'waiting', attempts: 0 } })
    expect(await ground.logged(webhook, 'given_up')).toMatchObject([{ id: line?.id, attempts: 1, http_status: 500 }])
    ground.receiver.answer(200)
    must(await resend(webhook, line!))
    expect(await ground.logged(webhook, 'delivered')).toMatchObject([{ id: line?.id, attempts: 1, http_status: 200 }])
    const [first, ...more] = await ground.arrived('/once-more', 3)
    for (const one of more) {
      expect(one.headers['webhook-id']).toBe(line?.message_id)
      expect(one.body).toBe(first?.body)
    }
  })

  it('leaves nothing of a webhook that is deleted meanwhile', async () => {
    const fail = heldFailure()
    const webhook = await ground.subscribe('/gone', 'dataset.updated')
    const sent = ping(webhook)
    await ground.arrived('/gone', 1)
    must(await ground.owner.delete(`/webhooks/${webhook.id}`))
    fail()
    expect((await sent).status).toBe(204)
    expect(await tool.read(rowsOfWebhook, { webhook_id: webhook.id })).toBe(0)
  })

  it('is among the last that the log keeps', async () => {
    const webhook = await ground.subscribe('/many-tests', 'dataset.updated')
    for (let i = 0; i < 23; i += 1) must(await ping(webhook))
    await ground.logged(webhook, ...Array(20).fill('delivered'))
  })
})

describe('a webhook that', () => {
  it('is disabled gets nothing of what waits for it until it is enabled', async () => {
    const fail = heldFailure()
    const webhook = await ground.subscribe('/off', 'dataset.updated')
    const subject = crypto.randomUUID()
    await emit(3, subject)
    await ground.arrived('/off', 1)
    must(await ground.owner.patch(`/webhooks/${webhook.id}`, { enabled: false }))
    fail()
    await emit(1, subject)
    const settled = await vi.waitFor(async () => {
      const found = await ground.log(webhook)
      expect(found.map(({ status, next_attempt_at }) => [status, next_attempt_at])).toEqual(Array(3).fill(['waiting', null]))
      return found
    }, SOON)
    const seen = ground.receiver.at('/off').length
    await pause(300)
    expect([ground.receiver.at('/off').length, await ground.log(webhook)]).toEqual([seen, settled])
    ground.receiver.answer(200)
    must(await ground.owner.patch(`/webhooks/${webhook.id}`, { enabled: true }))
    await ground.logged(webhook, ...Array(3).fill('delivered'))
    expect(
      ground.receiver
        .at('/off')
        .slice(seen)
        .map(({ message }) => message.data.number),
    ).toEqual([0, 1, 2])
  })

  it('is deleted takes with it what waits, however much that is', async () => {
    const webhook = await ground.subscribe('http://127.0.0.1:9/', 'dataset.updated')
    const kept = await ground.subscribe('/stays', 'dataset.updated')
    await emit(1200, crypto.randomUUID())
    must(await ground.owner.delete(`/webhooks/${webhook.id}`))
    await vi.waitFor(async () => expect(await tool.read(rowsOfWebhook, { webhook_id: webhook.id })).toBe(0), { timeout: 20_000 })
    expect(await tool.read(rowsOfWebhook, { webhook_id: kept.id })).toBeGreaterThan(0)
    expect((await ground.owner.get(`/webhooks/${webhook.id}/deliveries`)).status).toBe(404)
  })

  it('has a new secret signs with it from then on', async () => {
    const fail = heldFailure()
    const webhook = await ground.subscribe('/rotates', 'dataset.updated')
    await emit(1)
    const [before] = await ground.arrived('/rotates', 1)
    const { secret } = must(await ground.owner.post<Webhook>(`/webhooks/${webhook.id}/secret`))
    ground.receiver.answer(200)
    fail()
    const [delivery] = await ground.logged(webhook, 'delivered')
    const after = ground.receiver.at('/rotates').at(-1)
    expect(after?.headers['webhook-id']).toBe(delivery?.message_id)
    expect([await isSigned(before!, webhook.secret), await isSigned(after!, secret)]).toEqual([true, true])
    expect(await isSigned(after!, webhook.secret)).toBe(false)
  })
})
