import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { StoredTrace } from '@postil/contract/traces.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { otlpRequest, otlpSpan, spanId, traceId } from '@postil/testkit/otlp.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const trace = { name: 'trace', title: 'Trace', required: true, settings: { type: 'custom', view: 'trace' } }
const setUp = async (fields: readonly { readonly name: string }[] = [trace]) => {
  const dataset = await server.createDataset({ fields })
  const client = server.clientFor(server.owner)
  const send = (body: object, query = '') =>
    client.post<{ items: StoredTrace[]; detail?: string }>(`/datasets/${dataset.id}/traces${query}`, body)
  const records = async () => (await client.get<{ items: WireRecord[] }>(`/datasets/${dataset.id}/records`)).body.items
  const stepIds = async () =>
    (await records()).map(({ external_id, fields: { trace: value } }) => [
      external_id,
      (value as { readonly steps: readonly { readonly id: string }[] }).steps.map(({ id }) => id),
    ])
  return { dataset, client, send, records, stepIds }
}

it('stores each trace as a record, and adds later spans to it, in any order and any number of times', async () => {
  const { send, stepIds, client, dataset } = await setUp()
  const first = otlpRequest(otlpSpan(2, { parent: 1 }), otlpSpan(3, { trace: 2 }))
  const second = otlpRequest(otlpSpan(1), otlpSpan(4, { trace: 3 }))
  const sent = await send(first)
  expect(sent.status).toBe(200)
  expect(sent.body.items.map(({ external_id, created, steps }) => [external_id, created, steps])).toEqual([
    [traceId(1), true, 1],
    [traceId(2), true, 1],
  ])
  const more = await send(second)
  expect(more.body.items.map(({ created, steps }) => [created, steps])).toEqual([
    [false, 2],
    [true, 1],
  ])
  expect(more.body.items[0]?.record_id).toBe(sent.body.items[0]?.record_id)
  const expected = [
    [traceId(1), [spanId(2), spanId(1)]],
    [traceId(2), [spanId(3)]],
    [traceId(3), [spanId(4)]],
  ]
  expect(await stepIds()).toEqual(expected)
  const before = await client.get<WireRecord>(`/records/${sent.body.items[0]?.record_id}`)
  await Promise.all([send(first), send(second), send(first)])
  expect(await stepIds()).toEqual(expected)
  const after = await client.get<WireRecord>(`/records/${sent.body.items[0]?.record_id}`)
  expect(after.body.updated_at).toBe(before.body.updated_at)
  expect(dataset.id).toBe(after.body.dataset_id)
})

it('loses no span of a trace that many requests send at the same time', async () => {
  const { send, stepIds } = await setUp()
  const numbers = Array.from({ length: 20 }, (_, i) => i + 1)
  const answers = await Promise.all(numbers.map((id) => send(otlpRequest(otlpSpan(id)))))
  expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200))
  const [[, ids] = []] = await stepIds()
  expect([...(ids ?? [])].sort()).toEqual(numbers.map(spanId))
})

it('keeps other fields, and keys beside the steps', async () => {
  const note = { name: 'note', title: 'Note', settings: { type: 'text' } }
  const { send, client, dataset, records } = await setUp([trace, note])
  const item = { external_id: traceId(1), fields: { trace: { steps: [], source: 'import' }, note: 'kept' } }
  expect((await client.post(`/datasets/${dataset.id}/records/bulk`, { items: [item] })).status).toBe(201)
  await send(otlpRequest(otlpSpan(1)))
  expect((await records())[0]?.fields).toMatchObject({ note: 'kept', trace: { source: 'import', steps: [{ id: spanId(1) }] } })
})

it('refuses what it cannot store as a whole, and says why', async () => {
  const { send, records, client } = await setUp()
  const bad = otlpRequest(otlpSpan(1), { ...otlpSpan(2), spanId: 'x' })
  const refused = await send(bad)
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    'The traces cannot be stored: resourceSpans[0].scopeSpans[0].spans[1].spanId must be an ID of 16 hexadecimal digits',
  ])
  expect((await send({ spans: [] })).status).toBe(422)
  const spans = Array.from({ length: 501 }, (_, i) => otlpSpan(1, { trace: i + 1 }))
  expect((await send(otlpRequest(...spans))).body.detail).toBe('The request has 501 traces. Send at most 500 at a time')
  const long = Array.from({ length: 5001 }, (_, i) => otlpSpan(i + 1))
  expect((await send(otlpRequest(...long))).body.detail).toBe(
    `Trace ${traceId(1)} cannot be stored: must not have more than 5000 steps`,
  )
  expect(await records()).toEqual([])
  const plain = await server.createDataset({})
  const other = await client.post<{ detail: string }>(`/datasets/${plain.id}/traces`, otlpRequest(otlpSpan(1)))
  expect([other.status, other.body.detail]).toEqual([422, 'The dataset has no trace field'])
})

it('needs the name of the field if there are several', async () => {
  const { send } = await setUp([trace, { ...trace, name: 'second', required: false }])
  const body = otlpRequest(otlpSpan(1))
  expect((await send(body)).body.detail).toBe('The dataset has several trace fields. Choose one with `field`: `trace`, `second`')
  expect((await send(body, '?field=other')).body.detail).toBe('`other` is not a trace field of the dataset')
  // The required field is missing.
  expect((await send(body, '?field=second')).status).toBe(422)
  expect((await send(body, '?field=trace')).status).toBe(200)
})
