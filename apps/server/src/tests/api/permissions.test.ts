import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Response } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { Action } from './testing/actions/action.ts'
import { matrix } from './testing/actions/matrix.ts'
import { publicButMissing, publicRequests } from './testing/actions/people.ts'
import { forbiddenBody, sentenceBody, unauthorizedBody, validationBody } from './testing/bodies.ts'
import { type ApiFixture, createApiFixture, people, strangers, type Who } from './testing/fixture.ts'
import { wireHub } from './testing/hub.ts'
import { endpointOf, paramsOf, type Sent, send, served } from './testing/send.ts'

/** Part of every text inside the workspace. Outsiders must never see it. */
const canary = 'canary'

let server: TestServer
let fixture: ApiFixture
let hub: Awaited<ReturnType<typeof wireHub>>
beforeAll(async () => {
  // Private addresses are allowed, because webhooks call the server itself.
  hub = await wireHub()
  server = await bootServer({ env: { POSTIL_WEBHOOKS_ALLOW_PRIVATE: 'true', POSTIL_MODELS_ALLOW_PRIVATE: 'true', ...hub.env } })
  fixture = await createApiFixture(server, canary)
})
afterAll(async () => {
  await server.close()
  await hub.close()
})

const named = matrix.map((action) => [`${action.id}${action.what === undefined ? '' : `, ${action.what}`}`, action] as const)

const ask = ({ id, anonymous }: Action, who: Who | null, sent: Sent) => send(fixture.as(anonymous ? null : who), id, sent)
const outcomeOf = ({ outcome }: Action, answer: Response<unknown>) => outcome?.(answer) ?? answer.status
const isSuccess = ({ id }: Action, status: number) => endpointOf(id).successes.includes(status)
/** Asserts that a response to an outsider contains nothing from the workspace. */
const tellsNothing = ({ body, headers }: Response<unknown>) => {
  expect(JSON.stringify([body, [...headers]])).not.toContain(canary)
}

it('lists every route that the server serves', () => {
  const lines = new Set([...matrix.map(({ id }) => id), ...Object.keys(publicRequests), ...Object.keys(publicButMissing)])
  expect(served.map(({ id }) => id).filter((id) => !lines.has(id))).toEqual([])
  expect([...lines].filter((id) => !served.some((endpoint) => endpoint.id === id))).toEqual([])
})

it('defines the response to unknown IDs for every route that takes one', () => {
  const judged = new Set(matrix.filter(({ missing }) => missing !== undefined).map(({ id }) => id))
  const naming = served.filter((endpoint) => paramsOf(endpoint).length > 0 && endpoint.access === 'user')
  expect(naming.map(({ id }) => id).filter((id) => !judged.has(id))).toEqual([])
})

describe('permissions', () => {
  test.each(named)('%s', async (_name, action) => {
    const first = await action.request(fixture, 'owner')
    const requestOf = (who: Who) => (action.personal ? action.request(fixture, who) : first)
    for (const who of people.filter((one) => !action.allowed.includes(one))) {
      const answer = await ask(action, who, await requestOf(who))
      expect([who, outcomeOf(action, answer)]).toEqual([who, 403])
      if (answer.status === 403) expect(answer.body).toEqual(forbiddenBody)
      if (strangers.includes(who)) tellsNothing(answer)
    }
    const { headers: _, ...sent } = first
    const nobody = await ask(action, null, sent)
    expect([nobody.status, nobody.body]).toEqual([401, unauthorizedBody])
    for (const who of action.allowed) {
      const answer = await ask(action, who, who === 'owner' ? first : await action.request(fixture, who))
      expect([who, answer.body, isSuccess(action, outcomeOf(action, answer))]).toEqual([who, answer.body, true])
      if (strangers.includes(who) && !action.echoes) tellsNothing(answer)
    }
  })
})

describe('a missing object', () => {
  const naming = named.filter(([, { missing }]) => missing !== undefined)
  test.each(naming)('%s', async (_name, action) => {
    const { params: _, ...sent } = await action.request(fixture, 'owner')
    for (const who of people) {
      const answer = await ask(action, who, sent)
      const canSeeMissing = action.missing === 'found first' || who === 'owner'
      expect([who, answer.status, answer.body]).toEqual([who, ...(canSeeMissing ? [404, sentenceBody] : [403, forbiddenBody])])
      if (strangers.includes(who)) tellsNothing(answer)
    }
  })

  it('is looked up only after the body is validated', async () => {
    for (const { id, allowed } of matrix.filter((action) => endpointOf(action.id).bodyKind === 'json')) {
      const refused = people.find((who) => !allowed.includes(who)) ?? 'annotatorOut'
      const answer = await send(fixture.as(refused), id, { body: [] })
      expect([id, answer.status, answer.body]).toEqual([id, 422, validationBody(['model_attributes_type', 'body'])])
    }
  })
})

describe('requests that need no object, or name it outside the path', () => {
  const nowhere = '00000000-0000-7000-8000-000000000009'
  it('check permission before they look up the workspace to list or create in', async () => {
    for (const who of people) {
      const list = await send(fixture.as(who), 'datasets.list_mine', { query: { workspace_id: nowhere } })
      const create = await send(fixture.as(who), 'datasets.create', { body: { name: 'x', workspace_id: nowhere } })
      expect([who, list.status, create.status]).toEqual([who, ...(who === 'owner' ? [200, 422] : [403, 403])])
    }
  })

  it('report an unknown record in its item of a bulk answer request, to every caller', async () => {
    for (const who of people) {
      const items = [{ record_id: nowhere, status: 'draft' }]
      const answer = await send<{ items: unknown[] }>(fixture.as(who), 'responses.bulk', { body: { items } })
      expect(answer.body.items).toEqual([{ item: null, error: { detail: expect.stringContaining(nowhere) } }])
    }
  })
})

describe('requests open to everyone', () => {
  test.each(Object.entries(publicRequests))('%s', async (id, request) => {
    for (const who of [...people, null]) {
      const answer = await send(fixture.as(who), id, await request(fixture))
      expect([who, answer.status]).toEqual([who, endpointOf(id).status])
    }
  })

  test.each(Object.entries(publicButMissing))('%s, for a missing object', async (id, sent) => {
    for (const who of [...people, null]) {
      const answer = await send(fixture.as(who), id, sent)
      expect([who, answer.status, answer.body]).toEqual([who, 404, sentenceBody])
    }
  })
})
