import type { IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SettingsCalls } from './api.ts'

const asked: string[] = []
const answer = ({ method = '', url = '' }: IncomingMessage): unknown => {
  asked.push(`${method} ${url}`)
  const [, , , kind = '', id = ''] = url.split('/')
  return { id: id === 'd1' || kind === 'datasets' ? 'd1' : id, name: 'changed', title: 'changed' }
}

let server: Server
let calls: (client: QueryClient) => SettingsCalls
beforeAll(async () => {
  server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(request)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // The page's address is read when its modules are.
  vi.stubGlobal('document', { baseURI: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => globalFetch(new URL(url, document.baseURI), request))
  const { settingsCalls } = await import('./api.ts')
  calls = (client) => settingsCalls(client, 'd1')
})
const globalFetch = globalThis.fetch
afterAll(() => server.close())
beforeEach(() => {
  asked.length = 0
})

const dataset = ['dataset', 'd1'] as const
/** What a page that was open for a while remembers, by name. */
const remembered = {
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
type Name = keyof typeof remembered

const open = () => {
  const client = new QueryClient()
  for (const key of Object.values(remembered)) client.setQueryData(key, [{ id: 'x', name: 'old' }])
  client.setQueryData(dataset, { id: 'd1', name: 'old' })
  client.setQueryData(remembered.home, { workspaces: [], datasets: [{ dataset: { id: 'd1' } }, { dataset: { id: 'd2' } }] })
  const names = Object.keys(remembered) as Name[]
  const state = (name: Name) => client.getQueryState(remembered[name])
  return {
    calls: calls(client),
    client,
    stale: () => names.filter((name) => state(name)?.isInvalidated === true),
    gone: () => names.filter((name) => state(name) === undefined),
  }
}

describe('what a page remembers of a dataset is dropped', () => {
  test('with a publication: the dataset as it is now, and every count', async () => {
    const page = open()
    await page.calls.publish()
    expect(asked).toEqual(['PUT /api/v1/datasets/d1/publish'])
    expect(page.client.getQueryData(dataset)).toMatchObject({ name: 'changed' })
    expect(page.stale()).toEqual(['progress', 'metrics', 'home'])
  })

  test('with an update', async () => {
    const page = open()
    await page.calls.updateDataset({ guidelines: 'x' })
    expect(page.client.getQueryData(dataset)).toMatchObject({ name: 'changed' })
    expect(page.stale()).toEqual(['progress', 'metrics', 'home'])
  })

  test('with its deletion: all of it, and of no other', async () => {
    const page = open()
    await page.calls.remove()
    expect(page.gone()).toEqual(['dataset', 'progress', 'metrics', 'fields', 'questions', 'colours', 'metadata', 'vectors'])
    expect(page.stale()).toEqual(['home'])
    expect(page.client.getQueryData(remembered.home)).toEqual({ workspaces: [], datasets: [{ dataset: { id: 'd2' } }] })
  })

  test('with a part of its settings: that part', async () => {
    const page = open()
    await page.calls.updateField('x', { title: 'changed' })
    await page.calls.updateQuestion('x', { title: 'changed' })
    expect(page.client.getQueryData(remembered.fields)).toMatchObject([{ id: 'x', name: 'changed' }])
    expect(page.client.getQueryData(remembered.questions)).toMatchObject([{ id: 'x', name: 'changed' }])
    await page.calls.updateColours('x', new Map([['a', 1]]))
    await page.calls.updateMetadata('x', { title: 'changed' })
    await page.calls.updateVector('x', 'changed')
    expect(page.stale()).toEqual(['fields', 'questions', 'colours', 'metadata', 'vectors'])
  })
})
