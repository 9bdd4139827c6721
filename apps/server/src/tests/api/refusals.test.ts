import { Gold } from '@postil/contract/gold.ts'
import { Response } from '@postil/contract/responses.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { matrix } from './testing/actions/matrix.ts'
import { businessBody, forbiddenBody, sentenceBody, unauthorizedBody } from './testing/bodies.ts'
import { type ApiFixture, createApiFixture, people } from './testing/fixture.ts'
import { refusals } from './testing/refusals/all.ts'
import { nobody } from './testing/refusals/refusal.ts'
import { send, served } from './testing/send.ts'

/** Business rules: a violation is rejected with a one-sentence message, after credentials and permissions are checked. */
let server: TestServer
let fixture: ApiFixture
beforeAll(async () => {
  server = await bootServer()
  fixture = await createApiFixture(server, 'refused')
})
afterAll(() => server.close())

const allowed = (id: string) => new Set(matrix.filter((action) => action.id === id).flatMap((action) => action.allowed))

test.each(refusals.map((refusal) => [`${refusal.id}: ${refusal.why}`, refusal] as const))('%s', async (_name, refusal) => {
  const { id, status, code, current, beforePermission } = refusal
  const sent = await refusal.sent(fixture)
  const response = expect.toSatisfy((value) => value === null || Response.safeParse(value).success)
  const gold = expect.toSatisfy((value) => value === null || Gold.safeParse(value).success)
  const sentence = current === undefined ? sentenceBody : { ...sentenceBody, [current]: { response, gold }[current] }
  const expected = [status, code === undefined ? sentence : businessBody(code)]
  const others = people.filter((who) => !allowed(id).has(who))
  for (const who of others) {
    const answer = await send(fixture.as(who), id, sent)
    expect([who, answer.status, answer.body]).toEqual([who, ...(beforePermission ? expected : [403, forbiddenBody])])
  }
  const stranger = await send(fixture.as(null), id, sent)
  expect([stranger.status, stranger.body]).toEqual([401, unauthorizedBody])
  // Each request is sent twice to check that a rejected request has no effect.
  for (const _ of [1, 2]) {
    const answer = await send(fixture.as('owner'), id, sent)
    expect([answer.status, answer.body]).toEqual(expected)
  }
})

test.each([
  ['records.delete_many', { dataset_id: nobody }],
  ['suggestions.delete_many', { record_id: nobody }],
  ['queue.give_back', { dataset_id: nobody }],
] as const)('%s: a missing object is reported before invalid IDs', async (id, params) => {
  for (const ids of ['x', '', Array(101).fill(nobody).join(',')]) {
    const answer = await send(fixture.as('owner'), id, { params, query: { ids } })
    expect([answer.status, answer.body]).toEqual([404, sentenceBody])
  }
})

it('has a case for every conflict that a signed-in route documents', () => {
  const documented = served.filter(({ errors, access }) => access === 'user' && errors.includes(409)).map(({ id }) => id)
  const shown = new Set(refusals.filter(({ status }) => status === 409).map(({ id }) => id))
  expect(documented.filter((id) => !shown.has(id))).toEqual([])
})
