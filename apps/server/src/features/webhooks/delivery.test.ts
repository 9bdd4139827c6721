import type { Record } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { WebhookEvent } from '@postil/contract/webhooks.ts'
import { detail } from '@postil/testkit/detail.ts'
import type { ReceivedDelivery } from '@postil/testkit/webhook-receiver.ts'
import { isSigned } from '@postil/testkit/webhook-receiver.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bootFixture, type Fixture, must } from './testing/fixtures.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await bootFixture()
})
afterAll(() => fixture.close())
afterEach(async () => {
  fixture.receiver.answer(200)
  await fixture.clear()
  fixture.receiver.received.length = 0
})

const all = WebhookEvent.options
const typesOf = (received: readonly ReceivedDelivery[]) => received.map(({ message }) => message.type)
const idOf = ({ headers }: ReceivedDelivery) => String(headers['webhook-id'])
const addRecords = async (dataset: string, count: number) => {
  const items = Array.from({ length: count }, (_, i) => ({ fields: { text: `text ${i}` } }))
  return must(await fixture.owner.post<{ items: Record[] }>(`/datasets/${dataset}/records/bulk`, { items })).items
}
const submitted = { status: 'submitted', values: { label: { value: 'yes' } } }

describe('sent events', () => {
  it('contain every change, signed and in order', async () => {
    const webhook = await fixture.subscribe('/all', ...all)
    const dataset = await fixture.server.createDataset()
    const [record] = await addRecords(dataset.id, 1)
    const answer = must(await fixture.owner.post<Response>(`/records/${record?.id}/responses`, submitted))
    must(await fixture.owner.put(`/responses/${answer.id}`, { status: 'draft', values: {} }))
    must(await fixture.owner.delete(`/responses/${answer.id}`))
    must(await fixture.owner.patch(`/datasets/${dataset.id}`, {}))
    must(await fixture.owner.delete(`/records/${record?.id}`))
    must(await fixture.owner.delete(`/datasets/${dataset.id}`))
    const wanted = [
      ...['record.created', 'record.updated', 'record.completed', 'response.created', 'record.updated', 'response.updated'],
      ...['record.updated', 'response.deleted', 'record.deleted'],
    ]
    const received = await fixture.arrived('/all', wanted.length + 4)
    const about = (what: RegExp) => received.filter(({ message }) => what.test(message.type))
    expect(typesOf(about(/^(record|response)/))).toEqual(wanted)
    expect(typesOf(about(/^dataset/))).toEqual(['dataset.created', 'dataset.published', 'dataset.updated', 'dataset.deleted'])
    expect(new Set(typesOf(received))).toEqual(new Set(all))
    expect(await Promise.all(received.map((one) => isSigned(one, webhook.secret)))).toEqual(received.map(() => true))
    expect(new Set(received.map(idOf)).size).toBe(received.length)
    for (const { headers, message } of received) {
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'webhook-id': expect.stringMatching(/^msg_[\w-]{22}$/),
        'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
        'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      })
      expect(message).toEqual({
        type: message.type,
        version: 1,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/),
        data: expect.objectContaining({ id: expect.any(String), inserted_at: expect.stringMatching(/\d$/) }),
      })
    }
    const response = received.find(({ message }) => message.type === 'response.created')?.message.data
    expect(response).toMatchObject({
      id: answer.id,
      values: submitted.values,
      record: { id: record?.id },
      user: { role: 'owner' },
    })
    expect(response).not.toHaveProperty('user_id')
  })

  it('go only to subscribed webhooks, each as a separate message', async () => {
    const [one, other] = [
      await fixture.subscribe('/one', 'dataset.updated'),
      await fixture.subscribe('/other', 'dataset.updated', 'dataset.deleted'),
    ]
    await fixture.subscribe('/deaf', 'record.created')
    const { id } = await fixture.server.createDataset()
    must(await fixture.owner.patch(`/datasets/${id}`, { guidelines: 'ü 😀' }))
    must(await fixture.owner.delete(`/datasets/${id}`))
    const [first] = await fixture.arrived('/one', 1)
    const [second] = await fixture.arrived('/other', 2)
    expect(first?.message).toEqual(second?.message)
    expect(first?.message.data.guidelines).toBe('ü 😀')
    expect([await isSigned(first!, one.secret), await isSigned(second!, other.secret)]).toEqual([true, true])
    expect([await isSigned(first!, other.secret), idOf(first!) === idOf(second!)]).toEqual([false, false])
    expect(fixture.receiver.receivedAt('/deaf')).toEqual([])
  })

  detail('arrive once each, whatever their number', async () => {
    const webhook = await fixture.subscribe('/many', 'record.created')
    const { id } = await fixture.server.createDataset()
    const records = await addRecords(id, 300)
    const received = await fixture.arrived('/many', 300)
    expect(received.map(({ message }) => message.data.id).sort()).toEqual(records.map((record) => record.id).sort())
    const log = await fixture.logged(webhook, ...records.map(() => 'delivered'))
    expect(log.map(({ attempts }) => attempts)).toEqual(records.map(() => 1))
  })
})

describe('a failing target', () => {
  it('receives the same message again, newly signed, before later ones about the same record', async () => {
    const webhook = await fixture.subscribe(
      '/fails',
      'record.updated',
      'record.completed',
      'response.created',
      'response.updated',
    )
    const { id } = await fixture.server.createDataset()
    const [record, otherRecord] = await addRecords(id, 2)
    let left = 2
    // The third attempt completes only after the event about the other record arrives. The failing delivery must not block that
    // event.
    let besideArrived = () => {}
    const arrival = new Promise<void>((resolve) => {
      besideArrived = resolve
    })
    fixture.receiver.answer(({ message }, response) => {
      const about = [(message.data.record as { id?: string } | undefined)?.id, message.data.id]
      if (message.type === 'response.created' && about.includes(otherRecord?.id)) besideArrived()
      if (!about.includes(record?.id)) response.writeHead(204).end()
      else if (left-- > 0) response.writeHead(503).end()
      else void arrival.then(() => response.writeHead(204).end())
    })
    const answer = must(await fixture.owner.post<Response>(`/records/${record?.id}/responses`, submitted))
    must(await fixture.owner.put(`/responses/${answer.id}`, { status: 'draft', values: {} }))
    must(await fixture.owner.post(`/records/${otherRecord?.id}/responses`, { status: 'draft', values: {} }))
    const received = await fixture.arrived('/fails', 9)
    const own = received.filter(({ body }) => body.includes(String(record?.id)))
    expect(typesOf(own)).toEqual([
      ...['record.updated', 'record.updated', 'record.updated', 'record.completed', 'response.created'],
      ...['record.updated', 'response.updated'],
    ])
    expect(new Set(own.slice(0, 3).map(idOf)).size).toBe(1)
    expect(new Set(own.map(idOf)).size).toBe(5)
    expect(own.slice(0, 3).map(({ body }) => body)).toEqual(Array(3).fill(own[0]?.body))
    expect(await Promise.all(own.map((one) => isSigned(one, webhook.secret)))).toEqual(own.map(() => true))
    const log = await fixture.logged(webhook, ...Array(7).fill('delivered'))
    expect(log[0]).toMatchObject({ attempts: 3, http_status: 204, error: null, message_id: idOf(own[0]!) })
  })

  it('is abandoned after four attempts with growing delays, then the next event is sent', async () => {
    fixture.receiver.answer(500)
    const webhook = await fixture.subscribe('/broken', 'dataset.updated')
    const { id } = await fixture.server.createDataset()
    for (const guidelines of ['first', 'second']) must(await fixture.owner.patch(`/datasets/${id}`, { guidelines }))
    const [first, second] = await fixture.logged(webhook, 'given_up', 'given_up')
    expect([first, second]).toMatchObject(
      Array(2).fill({ attempts: 4, http_status: 500, error: 'The target answered 500', next_attempt_at: null }),
    )
    const received = fixture.receiver.receivedAt('/broken')
    expect(received.map(idOf)).toEqual([...Array(4).fill(first?.message_id), ...Array(4).fill(second?.message_id)])
    const intervals = received.slice(1, 4).map(({ receivedAt }, i) => receivedAt - (received[i]?.receivedAt ?? 0))
    expect([40, 60, 80].map((least, i) => (intervals[i] ?? 0) >= least)).toEqual([true, true, true])
  })

  it('isn’t followed to a redirect', async () => {
    fixture.receiver.answer((_one, response) => response.writeHead(308, { location: `${fixture.receiver.url}/moved` }).end())
    const webhook = await fixture.subscribe('/redirects', 'dataset.updated')
    must(await fixture.owner.patch(`/datasets/${(await fixture.server.createDataset()).id}`, {}))
    const [delivery] = await fixture.logged(webhook, 'given_up')
    expect(delivery).toMatchObject({ http_status: 308, error: expect.stringContaining('Redirects are not followed') })
    expect(fixture.receiver.receivedAt('/moved')).toEqual([])
  })
})

detail('a slow target and an unreachable one don’t delay others', async () => {
  const pendingReplies: (() => void)[] = []
  fixture.receiver.answer(({ path }, response) => {
    if (path === '/slow') pendingReplies.push(() => response.end())
    else response.end()
  })
  const slow = await fixture.subscribe('/slow', 'record.created')
  await fixture.subscribe('http://127.0.0.1:9/', 'record.created')
  await fixture.subscribe('/quick', 'record.created')
  const { id } = await fixture.server.createDataset()
  await addRecords(id, 60)
  await fixture.arrived('/quick', 60)
  expect([fixture.receiver.receivedAt('/slow').length, pendingReplies.length]).toEqual([8, 8])
  fixture.receiver.answer(200)
  for (const end of pendingReplies) end()
  await fixture.logged(slow, ...Array(60).fill('delivered'))
})

it('a private target is accepted, but refused when an event is sent', async () => {
  const closed = await bootFixture({ env: {} })
  const webhook = await closed.subscribe('/private', 'dataset.updated')
  const named = await closed.subscribe(closed.receiver.url.replace('127.0.0.1', 'localhost'), 'dataset.updated')
  must(await closed.owner.patch(`/datasets/${(await closed.server.createDataset()).id}`, {}))
  for (const one of [webhook, named]) {
    const [delivery] = await closed.logged(one, 'given_up')
    expect(delivery).toMatchObject({ http_status: null, attempts: 4, error: expect.stringContaining('not a public address') })
  }
  expect(closed.receiver.received).toEqual([])
  await closed.close()
})
