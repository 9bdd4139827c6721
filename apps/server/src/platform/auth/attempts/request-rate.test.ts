import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'

const MAX_COUNT = 20
let server: TestServer
beforeAll(async () => {
  server = await bootServer({ env: { POSTIL_REQUESTS_PER_MINUTE: String(MAX_COUNT) } })
})
afterAll(() => server.close())

type Refusal = { readonly detail: string }
const untilRefused = async (as: { readonly api_key: string } | null, path: string) => {
  for (let through = 0; through <= MAX_COUNT; through++) {
    const answer = await server.clientFor(as).get<Refusal>(path)
    if (answer.status === 429) return { through, answer }
  }
  throw new Error('nothing was refused')
}

it('a user who sends too many requests is limited, and nobody else', async () => {
  const [one, other] = [await server.createUser(), await server.createUser()]
  const { through, answer } = await untilRefused(one, '/me')
  expect(through).toBe(MAX_COUNT)
  expect(answer.body.detail).toMatch(/Too many requests/)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await server.clientFor(one).post('/workspaces', { name: 'more' })).status).toBe(429)
  expect((await server.clientFor(other).get('/me')).status).toBe(200)
})

it('unauthenticated requests are limited by address, including those with unknown keys', async () => {
  await untilRefused({ api_key: 'nobody.has.this' }, '/me')
  expect((await server.clientFor(null).get('/version')).status).toBe(429)
  expect((await server.clientFor(server.owner).get('/me')).status).toBe(200)
})
