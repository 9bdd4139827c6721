import type { IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SettingsCalls } from './api.ts'

const requests: string[] = []
const respond = ({ method = '', url = '' }: IncomingMessage): unknown => {
  requests.push(`${method} ${url}`)
  const [, , , kind = '', id = ''] = url.split('/')
  return { id: id === 'd1' || kind === 'datasets' ? 'd1' : id, name: 'changed', title: 'changed' }
}

let server: Server
let calls: (client: QueryClient) => SettingsCalls
beforeAll(async () => {
  server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(respond(request)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // Modules read the page's address when they are loaded.
  vi.stubGlobal('document', { baseURI: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => globalFetch(new URL(url, document.baseURI), request))
  const { settingsCalls } = await import('./api.ts')
  calls = (client) => settingsCalls(client, 'd1')
})
const globalFetch = globalThis.fetch
afterAll(() => server.close())
beforeEach(() => {
  requests.length = 0
})

const dataset = ['dataset', 'd1'] as const
const cachedKeys = {
  dataset,
  progress: [...dataset, 'progress'],
  metrics: [...dataset, 'my-metrics'],
  fields: [...dataset, 'fields'],
  questions: [...dataset, 'questions'],
  colours: [...dataset, 'label-colours'],
  metadata: [...dataset, 'metadata-properties', 'mine'],
  vectors: [...dataset, 'vectors-settings', 'list'],
  home: ['home'],
  other: ['dataset', 'd2', 'progress'],
} as const
type Name = keyof typeof cachedKeys

const createClientWithCache = () => {
  const client = new QueryClient()
  for (const key of Object.values(cachedKeys)) client.setQueryData(key, [{ id: 'x', name: 'old' }])
  client.setQueryData(dataset, { id: 'd1', name: 'old' })
  client.setQueryData(cachedKeys.home, { workspaces: [], datasets: [{ dataset: { id: 'd1' } }, { dataset: { id: 'd2' } }] })
  const names = Object.keys(cachedKeys) as Name[]
  const state = (name: Name) => client.getQueryState(cachedKeys[name])
  return {
    calls: calls(client),
    client,
    stale: () => names.filter((name) => state(name)?.isInvalidated === true),
    gone: () => names.filter((name) => state(name) === undefined),
  }
}

describe('the cached data of a dataset is invalidated', () => {
  test('by publishing: the dataset is replaced, and every count reloads', async () => {
    const page = createClientWithCache()
    await page.calls.publish()
    expect(requests).toEqual(['PUT /api/v1/datasets/d1/publish'])
    expect(page.client.getQueryData(dataset)).toMatchObject({ name: 'changed' })
    expect(page.stale()).toEqual(['progress', 'metrics', 'home'])
  })

  test('by an update', async () => {
    const page = createClientWithCache()
    await page.calls.updateDataset({ guidelines: 'x' })
    expect(page.client.getQueryData(dataset)).toMatchObject({ name: 'changed' })
    expect(page.stale()).toEqual(['progress', 'metrics', 'home'])
  })

  test('by deleting the dataset: all of its data, and none of other datasets', async () => {
    const page = createClientWithCache()
    await page.calls.remove()
    expect(page.gone()).toEqual(['dataset', 'progress', 'metrics', 'fields', 'questions', 'colours', 'metadata', 'vectors'])
    expect(page.stale()).toEqual(['home'])
    expect(page.client.getQueryData(cachedKeys.home)).toEqual({ workspaces: [], datasets: [{ dataset: { id: 'd2' } }] })
  })

  test('by changing a part of its settings: that part', async () => {
    const page = createClientWithCache()
    await page.calls.updateField('x', { title: 'changed' })
    await page.calls.updateQuestion('x', { title: 'changed' })
    expect(page.client.getQueryData(cachedKeys.fields)).toMatchObject([{ id: 'x', name: 'changed' }])
    expect(page.client.getQueryData(cachedKeys.questions)).toMatchObject([{ id: 'x', name: 'changed' }])
    await page.calls.updateColours('x', new Map([['a', 1]]))
    await page.calls.updateMetadata('x', { title: 'changed' })
    await page.calls.updateVector('x', 'changed')
    expect(page.stale()).toEqual(['fields', 'questions', 'colours', 'metadata', 'vectors'])
  })
})
