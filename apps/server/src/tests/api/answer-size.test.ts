import type { Dataset } from '@postil/contract/datasets.ts'
import type { History } from '@postil/contract/history.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkDataset, datasetsToCheck } from '#features/doctor/public.ts'

const LIMIT = 200_000
const long = 'x'.repeat(LIMIT)
const values = (text: string) => ({ note: { value: text } })

let server: TestServer
let dataset: Dataset
let question = ''
let ann: TestUser
beforeAll(async () => {
  server = await bootServer({ env: { POSTIL_MAX_ANSWER: '200kB' } })
  dataset = await server.createDataset({ questions: [{ name: 'note', required: true, settings: { type: 'text' } }] })
  ann = await server.createUser({ workspaces: [dataset.workspace_id] })
  const { body } = await owner().get<{ items: { id: string }[] }>(`/datasets/${dataset.id}/questions`)
  question = body.items[0]?.id ?? ''
})
afterAll(() => server.close())

const owner = () => server.clientFor(server.owner)
const newRecord = async (): Promise<string> => {
  const items = [{ fields: { text: 'x' } }]
  const { body } = await owner().post<{ items: RecordPayload[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
  return body.items[0]?.id ?? ''
}

const size = JSON.stringify(values(long)).length
const sentence = `The answer has ${size} bytes, and the maximum is ${LIMIT}. POSTIL_MAX_ANSWER sets the limit`
const message = { code: 'answerTooLarge', params: { size: `${size}`, limit: `${LIMIT}` } }
const messageIn = (headers: Headers) => JSON.parse(decodeURIComponent(headers.get('postil-error') ?? 'null'))

describe('an answer over the limit is refused', () => {
  it('by every route that writes one answer', async () => {
    const client = server.clientFor(ann)
    const [record, answered] = [await newRecord(), await newRecord()]
    const { body: first } = await client.post<Response>(`/records/${answered}/responses`, {
      status: 'draft',
      values: values('a'),
    })
    const mutation_id = '00000000-0000-7000-8000-000000000001'
    for (const status of ['draft', 'submitted', 'discarded']) {
      const body = { status, values: values(long) }
      for (const refused of [
        await client.post(`/records/${record}/responses`, body),
        await client.put(`/responses/${first.id}`, body),
        await client.put(`/records/${record}/responses/mine`, { ...body, mutation_id, base_version: null }),
      ]) {
        expect([refused.status, refused.body]).toEqual([422, { detail: sentence }])
        expect(messageIn(refused.headers)).toEqual(message)
      }
    }
    const { body } = await client.get<RecordPayload>(`/records/${answered}`)
    expect(body.responses?.map((one) => one.values)).toEqual([values('a')])
  })

  it('without refusing the other answers of a bulk request', async () => {
    const items = [
      { record_id: await newRecord(), status: 'draft', values: values(long) },
      { record_id: await newRecord(), status: 'draft', values: values('b') },
    ]
    const { body } = await server.clientFor(ann).post('/me/responses/bulk', { items })
    expect(body).toMatchObject({
      items: [
        { item: null, error: { detail: sentence } },
        { item: { values: values('b') }, error: null },
      ],
    })
  })

  it('inside records, including in a body that a thread parses', async () => {
    const large = 'y'.repeat(400_000)
    for (const text of [long, large]) {
      const items = [
        { fields: { text: 'a' } },
        { fields: { text: 'b' }, responses: [{ user_id: ann.id, status: 'draft', values: values(text) }] },
      ]
      for (const send of [owner().post, owner().put]) {
        const { status, body } = await send<{ detail: string }>(`/datasets/${dataset.id}/records/bulk`, { items })
        expect([status, body.detail]).toEqual([
          422,
          expect.stringMatching(/^Record at position 1 is not valid because The answer has /),
        ])
      }
    }
  })

  it('by an answer for all that a search finds', async () => {
    const body = { search: {}, status: 'draft', values: values(long) }
    const refused = await server.clientFor(ann).post(`/me/datasets/${dataset.id}/responses/bulk-jobs`, body)
    expect([refused.status, refused.body]).toEqual([422, { detail: sentence }])
  })
})

it('a suggestion over the limit is refused by every route', async () => {
  const record = await newRecord()
  const suggestion = { question_id: question, value: long }
  for (const refused of [
    await owner().put(`/records/${record}/suggestions`, suggestion),
    await owner().patch(`/records/${record}`, { suggestions: [suggestion] }),
    await owner().post(`/datasets/${dataset.id}/records/bulk`, { items: [{ fields: { text: 'a' }, suggestions: [suggestion] }] }),
  ])
    expect([refused.status, refused.body]).toEqual([422, { detail: expect.stringContaining(`the maximum is ${LIMIT}`) }])
})

it('an answer that is larger than a limit set later stays readable, and cannot be restored', async () => {
  const place = { folder: server.app.ctx.config.dataDir, url: server.app.ctx.config.databaseUrl }
  const record = await newRecord()
  await server.clientFor(ann).post(`/records/${record}/responses`, { status: 'draft', values: values('z'.repeat(150_000)) })
  await server.app.close()
  const stricter = await bootServer({ place, env: { POSTIL_MAX_ANSWER: '100kB' } })
  const client = stricter.clientFor(ann)
  const { body } = await client.get<RecordPayload>(`/records/${record}`)
  expect(body.responses?.map((one) => one.values)).toEqual([values('z'.repeat(150_000))])
  const [checked] = await datasetsToCheck(stricter.app.ctx)
  expect((await checkDataset(stricter.app.ctx, checked!)).largeAnswers).toBe(1)
  await client.put(`/responses/${body.responses?.[0]?.id}`, { status: 'draft', values: values('short') })
  expect((await checkDataset(stricter.app.ctx, checked!)).largeAnswers).toBe(0)
  const history = await client.get<History>(`/records/${record}/history`)
  const restored = await client.post<{ detail: string }>(`/records/${record}/history/${history.body.items[0]?.id}/restore`, {})
  expect([restored.status, restored.body.detail]).toEqual([422, expect.stringContaining('the maximum is 100000')])
  await stricter.close()
})
