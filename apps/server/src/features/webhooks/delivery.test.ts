import type { Record } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { WebhookEvent } from '@postil/contract/webhooks.ts'
import type { Received } from '@postil/testkit/webhook-receiver.ts'
import { isSigned } from '@postil/testkit/webhook-receiver.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bootGround, type Ground, must } from './testing/ground.ts'

let ground: Ground
beforeAll(async () => {
  ground = await bootGround()
})
afterAll(() => ground.close())
afterEach(async () => {
  ground.receiver.answer(200)
  await ground.clear()
  ground.receiver.received.length = 0
})

const all = WebhookEvent.options
const typesOf = (received: readonly Received[]) => received.map(({ message }) => message.type)
const idOf = ({ headers }: Received) => String(headers['webhook-id'])
const addRecords = async (dataset: string, count: number) => {
  const items = Array.from({ length: count }, (_, i) => ({ fields: { text: `text ${i}` } }))
  return must(await ground.owner.post<{ items: Record[] }>(`/datasets/${dataset}/records/bulk`, { items })).items
}
const submitted = { status: 'submitted', values: { label: { value: 'yes' } } }

describe('what is sent', () => {
  it('is every event, signed, as it happened', async () => {
    const webhook = await ground.subscribe('/all', ...all)
    const dataset = await ground.server.createDataset()
    const [record] = await addRecords(dataset.id, 1)
    const answer = must(await ground.owner.post<Response>(`/records/${record?.id}/responses`, submitted))
    must(await ground.owner.put(`/responses/${answer.id}`, { status: 'draft', values: {} }))
    must(await ground.owner.delete(`/responses/${answer.id}`))
    must(await ground.owner.patch(`/datasets/${dataset.id}`, {}))
    must(await ground.owner.delete(`/records/${record?.id}`))
    must(await ground.owner.delete(`/datasets/${dataset.id}`))
    const wanted = [
      ...['record.created', 'record.updated', 'record.completed', 'response.created', 'record.updated', 'response.updated'],
      ...['record.updated', 'response.deleted', 'record.deleted'],
    ]
    const received = await ground.arrived('/all', wanted.length + 4)
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

  it('goes only where it is asked for, and is its own message for each', async () => {
    const [one, other] = [
      await ground.subscribe('/one', 'dataset.updated'),
      await ground.subscribe('/other', 'dataset.updated', 'dataset.deleted'),
    ]
    await ground.subscribe('/deaf', 'record.created')
    const { id } = await ground.server.createDataset()
    must(await ground.owner.patch(`/datasets/${id}`, { guidelines: 'ü 😀' }))
    must(await ground.owner.delete(`/datasets/${id}`))
    const [first] = await ground.arrived('/one', 1)
    const [second] = await ground.arrived('/other', 2)
    expect(first?.message).toEqual(second?.message)
    expect(first?.message.data.guidelines).toBe('ü 😀')
    expect([await isSigned(first!, one.secret), await isSigned(second!, other.secret)]).toEqual([true, true])
    expect([await isSigned(first!, other.secret), idOf(first!) === idOf(second!)]).toEqual([false, false])
    expect(ground.receiver.at('/deaf')).toEqual([])
  })

  it('arrives once each, however many there are', async () => {
    const webhook = await ground.subscribe('/many', 'record.created')
    const { id } = await ground.server.createDataset()
    const records = await addRecords(id, 300)
    const received = await ground.arrived('/many', 300)
    expect(received.map(({ message }) => message.data.id).sort()).toEqual(records.map((record) => record.id).sort())
    const log = await ground.logged(webhook, ...records.map(() => 'delivered'))
    expect(log.map(({ attempts }) => attempts)).toEqual(records.map(() => 1))
  })
})

describe('a target that fails', () => {
  it('gets the same message again, newly signed, before any later one about the same record', async () => {
    const webhook = await ground.subscribe('/fails', 'record.updated', 'record.completed', 'response.created', 'response.updated')
    const { id } = await ground.server.createDataset()
    const [record, beside] = await addRecords(id, 2)
    let left = 2
    // The third attempt waits for what is about the other record, which must not wait for it.
    let besideArrived = () => {}
    const arrival = new Promise<void>((resolve) => {
      besideArrived = resolve
    })
    ground.receiver.answer(({ message }, response) => {
      const about = [(message.data.record as { id?: string } | undefined)?.id, message.data.id]
      if (message.type === 'response.created' && about.includes(beside?.id)) besideArrived()
      if (!about.includes(record?.id)) response.writeHead(204).end()
      else if (left-- > 0) response.writeHead(503).end()
      else void arrival.then(() => response.writeHead(204).end())
    })
    const answer = must(await ground.owner.post<Response>(`/records/${record?.id}/responses`, submitted))
    must(await ground.owner.put(`/responses/${answer.id}`, { status: 'draft', values: {} }))
    must(await ground.owner.post(`/records/${beside?.id}/responses`, { status: 'draft', values: {} }))
    const received = await ground.arrived('/fails', 9)
    const own = received.filter(({ body }) => body.includes(String(record?.id)))
    expect(typesOf(own)).toEqual([
      ...['record.updated', 'record.updated', 'record.updated', 'record.completed', 'response.created'],
      ...['record.updated', 'response.updated'],
    ])
    expect(new Set(own.slice(0, 3).map(idOf)).size).toBe(1)
    expect(new Set(own.map(idOf)).size).toBe(5)
    expect(own.slice(0, 3).map(({ body }) => body)).toEqual(Array(3).fill(own[0]?.body))
    expect(await Promise.all(own.map((one) => isSigned(one, webhook.secret)))).toEqual(own.map(() => true))
    const log = await ground.logged(webhook, ...Array(7).fill('delivered'))
    expect(log[0]).toMatchObject({ attempts: 3, http_status: 204, error: null, message_id: idOf(own[0]!) })
  })

  it('is given up after four attempts at growing distances, and then the next event has its turn', async () => {
    ground.receiver.answer(500)
    const webhook = await ground.subscribe('/broken', 'dataset.updated')
    const { id } = await ground.server.createDataset()
    for (const guidelines of ['first', 'second']) must(await ground.owner.patch(`/datasets/${id}`, { guidelines }))
    const [first, second] = await ground.logged(webhook, 'given_up', 'given_up')
    expect([first, second]).toMatchObject(
      Array(2).fill({ attempts: 4, http_status: 500, error: 'The target answered 500', next_attempt_at: null }),
    )
    const received = ground.receiver.at('/broken')
    expect(received.map(idOf)).toEqual([...Array(4).fill(first?.message_id), ...Array(4).fill(second?.message_id)])
    const waits = received.slice(1, 4).map(({ at }, i) => at - (received[i]?.at ?? 0))
    expect([40, 60, 80].map((least, i) => (waits[i] ?? 0) >= least)).toEqual([true, true, true])
  })

  it('by a redirect is not followed', async () => {
    ground.receiver.answer((_one, response) => response.writeHead(308, { location: `${ground.receiver.url}/moved` }).end())
    const webhook = await ground.subscribe('/redirects', 'dataset.updated')
    must(await ground.owner.patch(`/datasets/${(await ground.server.createDataset()).id}`, {}))
    const [delivery] = await ground.logged(webhook, 'given_up')
    expect(delivery).toMatchObject({ http_status: 308, error: expect.stringContaining('redirects are not followed') })
    expect(ground.receiver.at('/moved')).toEqual([])
  })
})

it('a slow target and a dead one hold up nobody', async () => {
  const held: (() => void)[] = []
  ground.receiver.answer(({ path }, response) => {
    if (path === '/slow') held.push(() => response.end())
    else response.end()
  })
  const slow = await ground.subscribe('/slow', 'record.created')
  await ground.subscribe('http://127.0.0.1:9/', 'record.created')
  await ground.subscribe('/quick', 'record.created')
  const { id } = await ground.server.createDataset()
  await addRecords(id, 60)
  await ground.arrived('/quick', 60)
  expect([ground.receiver.at('/slow').length, held.length]).toEqual([8, 8])
  ground.receiver.answer(200)
  for (const end of held) end()
  await ground.logged(slow, ...Array(60).fill('delivered'))
})

it('a private target is accepted, and refused when something is to be sent', async () => {
  const closed = await bootGround({ env: {} })
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
