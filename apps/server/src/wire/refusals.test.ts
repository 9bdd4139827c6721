import { Response } from '@postil/contract/responses.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { matrix } from './testing/actions/matrix.ts'
import { businessBody, forbiddenBody, sentenceBody, unauthorizedBody } from './testing/bodies.ts'
import { refusals } from './testing/refusals/all.ts'
import { nobody } from './testing/refusals/refusal.ts'
import { send, served } from './testing/send.ts'
import { people, type Stage, setStage } from './testing/stage.ts'

/** Rules of the business: refused in one sentence, after credentials and permission. */
let server: TestServer
let stage: Stage
beforeAll(async () => {
  server = await bootServer()
  stage = await setStage(server, 'refused')
})
afterAll(() => server.close())

const allowed = (id: string) => new Set(matrix.filter((action) => action.id === id).flatMap((action) => action.allowed))

test.each(refusals.map((refusal) => [`${refusal.id}: ${refusal.why}`, refusal] as const))('%s', async (_name, refusal) => {
  const { id, status, code, standing, beforePermission } = refusal
  const sent = await refusal.sent(stage)
  const response = expect.toSatisfy((value) => value === null || Response.safeParse(value).success)
  const sentence = standing ? { ...sentenceBody, response } : sentenceBody
  const told = [status, code === undefined ? sentence : businessBody(code)]
  const others = people.filter((who) => !allowed(id).has(who))
  for (const who of others) {
    const answer = await send(stage.as(who), id, sent)
    expect([who, answer.status, answer.body]).toEqual([who, ...(beforePermission ? told : [403, forbiddenBody])])
  }
  const stranger = await send(stage.as(null), id, sent)
  expect([stranger.status, stranger.body]).toEqual([401, unauthorizedBody])
  // Twice: nothing of a refused request is done.
  for (const _ of [1, 2]) {
    const answer = await send(stage.as('owner'), id, sent)
    expect([answer.status, answer.body]).toEqual(told)
  }
})

test.each([
  ['records.delete_many', { dataset_id: nobody }],
  ['suggestions.delete_many', { record_id: nobody }],
  ['queue.give_back', { dataset_id: nobody }],
] as const)('%s: what is not there comes before wrong ids', async (id, params) => {
  for (const ids of ['x', '', Array(101).fill(nobody).join(',')]) {
    const answer = await send(stage.as('owner'), id, { params, query: { ids } })
    expect([answer.status, answer.body]).toEqual([404, sentenceBody])
  }
})

it('there is a case for every conflict that a route behind sign-in documents', () => {
  const documented = served.filter(({ errors, access }) => access === 'user' && errors.includes(409)).map(({ id }) => id)
  const shown = new Set(refusals.filter(({ status }) => status === 409).map(({ id }) => id))
  expect(documented.filter((id) => !shown.has(id))).toEqual([])
})
