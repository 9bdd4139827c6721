import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Response } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { Action } from './testing/actions/action.ts'
import { matrix } from './testing/actions/matrix.ts'
import { publicButMissing, publicRequests } from './testing/actions/people.ts'
import { forbiddenBody, sentenceBody, unauthorizedBody, validationBody } from './testing/bodies.ts'
import { wireHub } from './testing/hub.ts'
import { endpointOf, paramsOf, type Sent, send, served } from './testing/send.ts'
import { people, type Stage, setStage, strangers, type Who } from './testing/stage.ts'

/** Part of every text inside the workspace that strangers ask about. */
const canary = 'canary'

let server: TestServer
let stage: Stage
let hub: Awaited<ReturnType<typeof wireHub>>
beforeAll(async () => {
  // NOTE: webhooks reach the server itself
  hub = await wireHub()
  server = await bootServer({ env: { POSTIL_WEBHOOKS_ALLOW_PRIVATE: 'true', ...hub.env } })
  stage = await setStage(server, canary)
})
afterAll(async () => {
  await server.close()
  await hub.close()
})

const named = matrix.map((action) => [`${action.id}${action.what === undefined ? '' : `, ${action.what}`}`, action] as const)

const ask = ({ id, anonymous }: Action, who: Who | null, sent: Sent) => send(stage.as(anonymous ? null : who), id, sent)
const outcomeOf = ({ outcome }: Action, answer: Response<unknown>) => outcome?.(answer) ?? answer.status
const isSuccess = ({ id }: Action, status: number) => endpointOf(id).successes.includes(status)
/** Nothing of the workspace is in an answer to a stranger. */
const tellsNothing = ({ body, headers }: Response<unknown>) => {
  expect(JSON.stringify([body, [...headers]])).not.toContain(canary)
}

it('has a line for every route that the server serves', () => {
  const lines = new Set([...matrix.map(({ id }) => id), ...Object.keys(publicRequests), ...Object.keys(publicButMissing)])
  expect(served.map(({ id }) => id).filter((id) => !lines.has(id))).toEqual([])
  expect([...lines].filter((id) => !served.some((endpoint) => endpoint.id === id))).toEqual([])
})

it('says what becomes of unknown ids for every route that names one', () => {
  const judged = new Set(matrix.filter(({ missing }) => missing !== undefined).map(({ id }) => id))
  const naming = served.filter((endpoint) => paramsOf(endpoint).length > 0 && endpoint.access === 'user')
  expect(naming.map(({ id }) => id).filter((id) => !judged.has(id))).toEqual([])
})

describe('permission', () => {
  test.each(named)('%s', async (_name, action) => {
    const first = await action.request(stage, 'owner')
    const requestOf = (who: Who) => (action.personal ? action.request(stage, who) : first)
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
      const answer = await ask(action, who, who === 'owner' ? first : await action.request(stage, who))
      expect([who, answer.body, isSuccess(action, outcomeOf(action, answer))]).toEqual([who, answer.body, true])
      if (strangers.includes(who) && !action.echoes) tellsNothing(answer)
    }
  })
})

describe('an object that does not exist', () => {
  const naming = named.filter(([, { missing }]) => missing !== undefined)
  test.each(naming)('%s', async (_name, action) => {
    const { params: _, ...sent } = await action.request(stage, 'owner')
    for (const who of people) {
      const answer = await ask(action, who, sent)
      const told = action.missing === 'found first' || who === 'owner'
      expect([who, answer.status, answer.body]).toEqual([who, ...(told ? [404, sentenceBody] : [403, forbiddenBody])])
      if (strangers.includes(who)) tellsNothing(answer)
    }
  })

  it('is looked for only after the body was found to be one', async () => {
    for (const { id, allowed } of matrix.filter((action) => endpointOf(action.id).bodyKind === 'json')) {
      const refused = people.find((who) => !allowed.includes(who)) ?? 'annotatorOut'
      const answer = await send(stage.as(refused), id, { body: [] })
      expect([id, answer.status, answer.body]).toEqual([id, 422, validationBody(['model_attributes_type', 'body'])])
    }
  })
})

describe('what needs no object, or names it elsewhere than in the path', () => {
  const nowhere = '00000000-0000-7000-8000-000000000009'
  it('a workspace to list or to create in is checked for permission first', async () => {
    for (const who of people) {
      const list = await send(stage.as(who), 'datasets.list_mine', { query: { workspace_id: nowhere } })
      const create = await send(stage.as(who), 'datasets.create', { body: { name: 'x', workspace_id: nowhere } })
      expect([who, list.status, create.status]).toEqual([who, ...(who === 'owner' ? [200, 422] : [403, 403])])
    }
  })

  it('an unknown record of a bulk of answers is told in its item, to everybody', async () => {
    for (const who of people) {
      const items = [{ record_id: nowhere, status: 'draft' }]
      const answer = await send<{ items: unknown[] }>(stage.as(who), 'responses.bulk', { body: { items } })
      expect(answer.body.items).toEqual([{ item: null, error: { detail: expect.stringContaining(nowhere) } }])
    }
  })
})

describe('what anybody may ask', () => {
  test.each(Object.entries(publicRequests))('%s', async (id, request) => {
    for (const who of [...people, null]) {
      const answer = await send(stage.as(who), id, await request(stage))
      expect([who, answer.status]).toEqual([who, endpointOf(id).status])
    }
  })

  test.each(Object.entries(publicButMissing))('%s, of what does not exist', async (id, sent) => {
    for (const who of [...people, null]) {
      const answer = await send(stage.as(who), id, sent)
      expect([who, answer.status, answer.body]).toEqual([who, 404, sentenceBody])
    }
  })
})
