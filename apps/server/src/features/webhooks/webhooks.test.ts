import type { Webhook } from '@postil/contract/webhooks.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { isSigned } from '@postil/testkit/webhook-receiver.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { bootFixture, type Fixture, must, QUICK } from './testing/fixtures.ts'

let fixture: Fixture
let admin: TestUser
beforeAll(async () => {
  fixture = await bootFixture()
  admin = await fixture.server.createUser({ role: 'admin' })
})
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

const nowhere = '00000000-0000-7000-8000-000000000001'
const events = ['record.created', 'dataset.updated', 'response.deleted'] as const
const create = (more: object = {}) => fixture.owner.post<Webhook>('/webhooks', { url: 'https://x.test/a', events, ...more })
const list = async () => must(await fixture.owner.get<{ items: Webhook[] }>('/webhooks')).items
const sentence = (text: string) => ({ detail: expect.stringContaining(text) })

describe('creating a webhook', () => {
  it('returns it enabled, with a secret of 64 bytes and its events in the order sent', async () => {
    const sent = { description: 'what for', enabled: false, secret: 'mine', id: nowhere }
    const { status, body } = await create(sent)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.not.stringMatching(nowhere),
      url: 'https://x.test/a',
      secret: expect.any(String),
      events,
      enabled: true,
      description: 'what for',
      inserted_at: expect.any(String),
      updated_at: body.inserted_at,
    })
    expect(Buffer.from(body.secret, 'base64')).toHaveLength(64)
    expect(Buffer.from(body.secret, 'base64').toString('base64')).toBe(body.secret)
    expect((await create()).body.secret).not.toBe(body.secret)
    expect((await list())[0]).toEqual(body)
  })

  test.each([
    ['https://x.test', 'https://x.test/'],
    ['HTTP://X.Test:80/A?b#c', 'http://x.test/A?b#c'],
    ['http://10.0.0.1:8080/hook', 'http://10.0.0.1:8080/hook'],
    ['http://localhost', 'http://localhost/'],
  ])('accepts %s, even if it is private', async (url, shown) => {
    expect((await create({ url })).body.url).toBe(shown)
  })

  test.each([
    [{ url: 'ftp://x.test' }, 'url_scheme', 'url'],
    [{ url: 'x.test' }, 'url_parsing', 'url'],
    [{ events: [] }, 'too_short', 'events'],
    [{ events: ['record.created', 'record.created'] }, 'value_error', 'events'],
    [{ description: '' }, 'string_too_short', 'description'],
    [{ description: 'x'.repeat(1001) }, 'string_too_long', 'description'],
  ])('rejects %j', async (more, type, key) => {
    const expectedProblem = { detail: { params: { errors: [{ type, loc: ['body', key] }] } } }
    expect(await create(more)).toMatchObject({ status: 422, body: expectedProblem })
  })

  it('rejects ping as an event', async () => {
    expect((await create({ events: ['ping'] })).status).toBe(422)
  })

  it('is limited to ten, even under concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, () => create()))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), ...Array(4).fill(422)])
    expect(await create()).toMatchObject({ status: 422, body: sentence('10') })
    const [first] = await list()
    must(await fixture.owner.delete(`/webhooks/${first?.id}`))
    expect((await create()).status).toBe(201)
  })
})

describe('changing a webhook', () => {
  it('changes the given values, never the secret, and changes updated_at only for an actual change', async () => {
    const made = must(await create({ description: 'old' }))
    const url = `/webhooks/${made.id}`
    const sent = { url: 'https://y.test', events: ['dataset.deleted'], enabled: false, description: null, secret: 'mine' }
    const changed = must(await fixture.owner.patch<Webhook>(url, sent))
    expect(changed).toEqual({ ...made, ...sent, url: 'https://y.test/', secret: made.secret, updated_at: changed.updated_at })
    expect(changed.updated_at > made.updated_at).toBe(true)
    expect(must(await fixture.owner.patch<Webhook>(url, sent))).toEqual(changed)
    expect(must(await fixture.owner.patch<Webhook>(url, {}))).toEqual(changed)
    expect(await list()).toEqual([changed])
  })

  it('can replace the old secret with a new one', async () => {
    const made = must(await create())
    const rotated = must(await fixture.owner.post<Webhook>(`/webhooks/${made.id}/secret`))
    expect(rotated).toEqual({ ...made, secret: rotated.secret, updated_at: rotated.updated_at })
    expect([rotated.secret === made.secret, Buffer.from(rotated.secret, 'base64').length]).toEqual([false, 64])
    expect(await list()).toEqual([rotated])
  })
})

describe('a ping', () => {
  it('is sent and signed at once, including to a disabled webhook, and returns 204 whatever the response', async () => {
    const made = await fixture.subscribe('/ping', 'record.created')
    await fixture.owner.patch(`/webhooks/${made.id}`, { enabled: false })
    for (const status of [200, 500, 302]) {
      fixture.receiver.answer(status)
      expect(await fixture.owner.post(`/webhooks/${made.id}/ping`)).toMatchObject({ status: 204, body: undefined })
    }
    fixture.receiver.answer(200)
    const [first] = fixture.receiver.receivedAt('/ping')
    expect(first?.message).toEqual({
      type: 'ping',
      version: 1,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/),
      data: { agent: 'argilla-server', version: '2.8.0' },
    })
    expect(await isSigned(first!, made.secret)).toBe(true)
  })

  it('without a response returns 422', async () => {
    const made = await fixture.subscribe('http://127.0.0.1:9/', 'record.created')
    expect(await fixture.owner.post(`/webhooks/${made.id}/ping`)).toMatchObject({
      status: 422,
      body: sentence('127.0.0.1:9 refused the connection'),
    })
  })

  it('to a private address is rejected unless the operator allows it', async () => {
    const closed = await bootFixture({ delivery: QUICK, env: {} })
    const made = await closed.subscribe('/ping', 'record.created')
    const answer = await closed.owner.post(`/webhooks/${made.id}/ping`)
    expect(answer).toMatchObject({ status: 422, body: sentence('127.0.0.1 is not a public address') })
    expect(closed.receiver.received).toEqual([])
    await closed.close()
  })
})

it('is limited to owners, and a missing webhook is reported before missing permission', async () => {
  const made = must(await create())
  const as = fixture.server.clientFor(admin)
  expect([await as.get('/webhooks'), await as.post('/webhooks', { url: 'https://x.test', events })]).toMatchObject([
    { status: 403 },
    { status: 403 },
  ])
  for (const [id, status] of [
    [made.id, 403],
    [nowhere, 404],
  ] as const) {
    const url = `/webhooks/${id}`
    const answers = [
      await as.patch(url, {}),
      await as.post(`${url}/ping`),
      await as.post(`${url}/secret`),
      await as.get(`${url}/deliveries`),
      await as.post(`${url}/deliveries/${nowhere}/resend`),
      await as.delete(url),
    ]
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status))
  }
  expect(await list()).toEqual([made])
})
