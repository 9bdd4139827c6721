import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'

const MOST = 20
let server: TestServer
beforeAll(async () => {
  server = await bootServer({ env: { POSTIL_REQUESTS_PER_MINUTE: String(MOST) } })
})
afterAll(() => server.close())

type Refusal = { readonly detail: string }
/** Asks until it is refused. @returns how often it was let through, and the refusal */
const untilRefused = async (as: { readonly api_key: string } | null, path: string) => {
  for (let through = 0; through <= MOST; through++) {
    const answer = await server.as(as).get<Refusal>(path)
    if (answer.status === 429) return { through, answer }
  }
  throw new Error('nothing was refused')
}

it('somebody who asks without end has to wait, and nobody else', async () => {
  const [one, other] = [await server.createUser(), await server.createUser()]
  const { through, answer } = await untilRefused(one, '/me')
  expect(through).toBe(MOST)
  expect(answer.body.detail).toMatch(/Too many requests/)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await server.as(one).post('/workspaces', { name: 'more' })).status).toBe(429)
  expect((await server.as(other).get('/me')).status).toBe(200)
})

it('whoever has not said who they are is counted by address, also with keys that nobody has', async () => {
  await untilRefused({ api_key: 'nobody.has.this' }, '/me')
  expect((await server.as(null).get('/version')).status).toBe(429)
  expect((await server.as(server.owner).get('/me')).status).toBe(200)
})
