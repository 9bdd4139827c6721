import type { Dataset } from '@postil/contract/datasets.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { UserShares } from '#platform/shares.ts'

/* Expensive reads are limited for each user. If a user has reached the limit, that user's next read waits. Other users' reads
   don't wait. */

let server: TestServer
let dataset: Dataset
let colleague: TestUser
let record = ''
beforeAll(async () => {
  server = await bootServer()
  dataset = await server.createDataset({ questions: [{ name: 'note', required: true, settings: { type: 'text' } }] })
  colleague = await server.createUser({ role: 'admin', workspaces: [dataset.workspace_id] })
  const items = Array.from({ length: 500 }, (_, i) => ({ fields: { text: `word${i}` } }))
  for (let i = 0; i < 12; i += 1) {
    const made = await as(server.owner).post<{ items: RecordPayload[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
    record = made.body.items[0]?.id ?? ''
  }
  for (const user of [server.owner, colleague]) {
    const answer = (letter: string) => ({ status: 'draft', values: { note: { value: letter.repeat(900_000) } } })
    const { body } = await as(user).post<{ id: string }>(`/records/${record}/responses`, answer('a'))
    await as(user).put(`/responses/${body.id}`, answer('b'))
  }
  const large = { fields: { text: 'x'.repeat(3_000_000) } }
  for (let i = 0; i < 3; i += 1) await as(server.owner).post(`/datasets/${dataset.id}/records/bulk`, { items: [large] })
  // The first search by words also indexes the texts.
  await slowSearch(colleague)
}, 120_000)
afterAll(() => server.close())

const as = (user: TestUser) => server.clientFor(user)
/** Counts the searches. Each search has different words, so that no result comes from the cache. */
let searches = 0
const slowSearch = (user: TestUser) => {
  const q = Array.from({ length: 32 }, (_, i) => `other${searches}x${i}~`).join(' | ')
  searches += 1
  return as(user).post(`/datasets/${dataset.id}/records/search`, { query: { text: { q } } })
}
const download = async (user: TestUser) => {
  const answer = await fetch(`${server.url}/api/v1/datasets/${dataset.id}/records/download?format=jsonl`, {
    headers: { 'x-argilla-api-key': user.api_key },
  })
  await answer.arrayBuffer()
  return answer
}

it.each<[string, keyof UserShares, number, (user: TestUser) => Promise<{ readonly status: number }>]>([
  ['a slow search', 'slowSearches', 1, slowSearch],
  ['a list of large records', 'largeReads', 2, (user) => as(user).get(`/datasets/${dataset.id}/records?offset=6000`)],
  ['the history of large answers', 'largeReads', 2, (user) => as(user).get(`/records/${record}/history`)],
  ['a download', 'downloads', 2, download],
])('%s waits until the user has a free share', async (_, kind, shares, read) => {
  const releases: (() => void)[] = []
  for (let i = 0; i < shares; i += 1) releases.push(await server.app.ctx[kind].take(server.owner.id))
  let isDone = false
  const waiting = read(server.owner).finally(() => {
    isDone = true
  })
  // The owner's read started first, but it waits until one of the owner's earlier reads ends. The colleague's reads don't wait.
  for (let i = 0; i < 3; i += 1) expect((await read(colleague)).status).toBe(200)
  expect(isDone).toBe(false)
  releases[0]?.()
  expect((await waiting).status).toBe(200)
  for (const release of releases) release()
})
