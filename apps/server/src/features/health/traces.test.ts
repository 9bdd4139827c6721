import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bootServer } from '@postil/testkit/boot.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'

/* The format of the requests that a collector receives. The collector here keeps every span. */

type Attribute = { readonly key: string; readonly value: { readonly stringValue?: string; readonly intValue?: number } }
type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly Attribute[]
}
type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

let collector: Server
let url: string
const sent: Sent[] = []
const paths: string[] = []
beforeEach(async () => {
  sent.length = 0
  paths.length = 0
  collector = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      paths.push(request.url ?? '')
      sent.push(JSON.parse(Buffer.concat(parts).toString('utf8')) as Sent)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
})
afterEach(() => new Promise<void>((done) => collector.close(() => done())))

const spans = (): readonly Span[] => sent.flatMap((one) => one.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)))
const attributeOf = ({ attributes }: { attributes: readonly Attribute[] }, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

it('contain each request with its store operations, in the caller’s trace', async () => {
  const server = await bootServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SERVICE_NAME: 'ours' } })
  const dataset = await server.createDataset()
  const path = `/datasets/${dataset.id}/records`
  const { status } = await server.clientFor(server.owner).get(path, { traceparent: `00-${TRACE}-${CALLER}-01` })
  expect(status).toBe(200)
  await server.close()
  expect(new Set(paths)).toEqual(new Set(['/v1/traces']))
  const root = spans().find(({ parentSpanId }) => parentSpanId === CALLER) as Span
  expect([root.traceId, root.name, attributeOf(root, 'http.response.status_code')]).toEqual([
    TRACE,
    'GET /api/v1/datasets/:dataset_id/records',
    200,
  ])
  const below = spans().filter(({ parentSpanId }) => parentSpanId === root.spanId)
  expect(below.map(({ name }) => name)).toContain('records.list')
  expect(attributeOf(sent[0]?.resourceSpans[0]?.resource ?? { attributes: [] }, 'service.name')).toBe('ours')
  // No IDs or values are sent.
  expect(JSON.stringify(sent)).not.toContain(dataset.id)
  expect(JSON.stringify(sent)).not.toContain(server.owner.api_key)
})

it('contain nothing about unsampled requests', async () => {
  const server = await bootServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: '0' } })
  await server.clientFor(server.owner).get('/me')
  await server.close()
  expect(spans()).toEqual([])
})

it('block neither requests nor shutdown when the collector is unreachable', async () => {
  const server = await bootServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } })
  expect((await server.clientFor(server.owner).get('/me')).status).toBe(200)
  await server.close()
})
