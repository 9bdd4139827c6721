import 'fake-indexeddb/auto'
import type { IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { emptyQuery } from '@postil/contract/annotation-query/grammar.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { storePack } from '#lib/offline/store.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { createRecord } from './testing/record.ts'

type SentRequest = { readonly method: string; readonly body: unknown }
const requests: SentRequest[] = []
const releases: URLSearchParams[] = []
let isDown = false
/** Records that others hold. */
const held = new Set<string>()
/** Delays the responses to releases. */
let whileReleasing: Promise<void> = Promise.resolve()

const respond = async ({ method = '', url = '' }: IncomingMessage, body: { readonly record_ids?: readonly string[] } | null) => {
  requests.push({ method, body })
  if (method === 'DELETE') {
    releases.push(new URL(url, document.baseURI).searchParams)
    await whileReleasing
  }
  if (method === 'POST') return { items: [], left: 1, closed: [...held], cap: null, stopped: false }
  const leaseOf = (id: string) => (held.has(id) ? null : { until: '2030-01-01T00:00:00.000000' })
  return { items: (body?.record_ids ?? []).map((record_id) => ({ record_id, lease: leaseOf(record_id) })) }
}

let server: Server
const { fetch: realFetch } = globalThis
beforeAll(async () => {
  server = createServer(async (request, response) => {
    if (isDown) return void request.socket.destroy()
    const body = await text(request)
    const result = await respond(request, body === '' ? null : JSON.parse(body))
    response.writeHead(request.method === 'DELETE' ? 204 : 200, { 'content-type': 'application/json' })
    response.end(request.method === 'DELETE' ? undefined : JSON.stringify(result))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const page = new EventTarget()
  const baseURI = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', Object.assign(page, { baseURI, cookie: '', visibilityState: 'visible', hasFocus: () => true }))
  vi.stubGlobal('fetch', (url: string, request: RequestInit) => realFetch(new URL(url, baseURI), request))
})
afterAll(() => {
  vi.unstubAllGlobals()
  server.close()
})
beforeEach(() => {
  isDown = false
  requests.length = 0
})

test('records from this device are renewed for work when the server is reachable, and those that others hold are removed', async () => {
  const records = ['a', 'b', 'c'].map(createRecord)
  await storePack({ userId: 'u', datasetId: 'd', responses: new Map(), records, files: new Map() })
  preferences.write({ keptFor: 'u' })
  const { createContext, createList } = await import('../context/annotation-context.ts')
  const { annotator } = createContext(new QueryClient(), { datasetId: 'd', userId: 'u', questions: [] })
  isDown = true
  const { records: list, renew } = createList(new QueryClient(), 'd', annotator, emptyQuery)
  await list.open()
  expect(list.snapshot()).toMatchObject({ total: 3, item: { record: { id: 'a' } } })
  isDown = false
  held.add('b')
  await renew()
  expect(requests).toContainEqual({ method: 'PUT', body: { record_ids: ['a', 'b', 'c'], purpose: 'work', acquire: false } })
  expect([list.find('a'), list.find('b'), list.find('c')].map((item) => item?.record.id)).toEqual(['a', undefined, 'c'])
  requests.length = 0
  await renew()
  expect(requests.map(({ method }) => method)).toEqual(['POST'])
})

test('a lease is renewed only after earlier releases have finished, because a late release would end it', async () => {
  const { releaseRecords, renewRecords } = await import('../api.ts')
  let finishRelease = (): void => {}
  whileReleasing = new Promise((done) => {
    finishRelease = done
  })
  const released = releaseRecords('d', ['a'], 'view')
  const renewed = renewRecords('d', ['a'], { purpose: 'work', acquire: true })
  await expect.poll(() => requests.map(({ method }) => method)).toEqual(['DELETE'])
  // If the renewal didn't wait for the release, it would arrive before this request is answered.
  await realFetch(new URL('/other', document.baseURI), { method: 'HEAD' })
  expect(requests.map(({ method }) => method)).toEqual(['DELETE', 'HEAD'])
  finishRelease()
  await Promise.all([released, renewed])
  expect(requests.map(({ method }) => method)).toEqual(['DELETE', 'HEAD', 'PUT'])
})

test('a page that closes releases its leases with a delay, unless another page has renewed them', async () => {
  const { releaseOnClose, releaseRecords, renewRecords } = await import('../api.ts')
  whileReleasing = Promise.resolve()
  releases.length = 0
  await renewRecords('d', ['known'], { purpose: 'view', acquire: true })
  await releaseOnClose('d', ['known', 'unknown'])
  await releaseRecords('d', ['known'], 'view')
  expect(releases.map((query) => Object.fromEntries(query))).toEqual([
    { ids: 'known', purpose: 'view', delay: '5', until: '2030-01-01T00:00:00.000000' },
    { ids: 'unknown', purpose: 'view', delay: '5' },
    { ids: 'known', purpose: 'view' },
  ])
})
