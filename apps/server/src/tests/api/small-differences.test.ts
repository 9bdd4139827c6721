import type { ImportFile } from '@postil/contract/files/imports.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let server: TestServer
let owner: Client
let dataset: { readonly id: string }
let questions: readonly string[]
let record: { readonly id: string }

beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
  const text = (name: string) => ({ name, required: name === 'one', settings: { type: 'text' as const } })
  dataset = await server.createDataset({
    questions: [text('one'), text('two'), text('three')],
    metadata_properties: [{ name: 'term', settings: { type: 'terms' as const } }],
  })
  const { body } = await owner.get<{ items: { id: string }[] }>(`/datasets/${dataset.id}/questions`)
  questions = body.items.map(({ id }) => id)
  const items = [{ fields: { text: 'a' }, metadata: { term: '7' } }]
  const made = await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
  record = made.body.items[0] ?? { id: '' }
})
afterAll(() => server.close())

describe('a record', () => {
  type Changed = { readonly suggestions: readonly { readonly question_id: string; readonly value: string }[] }
  it('returns its suggestions in the order in which PATCH sent them', async () => {
    const patch = async (...order: readonly number[]) => {
      const suggestions = order.map((no) => ({ question_id: questions[no], value: 'same' }))
      const { body } = await owner.patch<Changed>(`/records/${record.id}`, { suggestions })
      return body.suggestions.map(({ question_id }) => questions.indexOf(question_id))
    }
    expect(await patch(0, 1)).toEqual([0, 1])
    expect(await patch(2, 1, 0)).toEqual([2, 1, 0])
    expect(await patch(1, 2)).toEqual([1, 2])
    expect(await patch()).toEqual([])
  })

  it('is not deleted by an id with a blank', async () => {
    for (const ids of [`%20${record.id}`, `${record.id}%20`, `${record.id},%20${record.id}`]) {
      expect((await owner.delete(`/datasets/${dataset.id}/records?ids=${ids}`)).status).toBe(422)
      expect((await owner.delete(`/records/${record.id}/suggestions?ids=${ids}`)).status).toBe(422)
    }
    expect((await owner.get(`/records/${record.id}`)).status).toBe(200)
  })
})

describe('a filter', () => {
  const found = async (filter: object) => {
    const path = `/datasets/${dataset.id}/records/search`
    const { status, body } = await owner.post<{ total: number }>(path, { filters: { and: [filter] } })
    return [status, body.total]
  }
  it('matches ids exactly', async () => {
    const byId = (id: string) => found({ type: 'terms', scope: { entity: 'record', property: 'id' }, values: [id] })
    expect(await byId(record.id)).toEqual([200, 1])
    expect(await byId(record.id.toUpperCase())).toEqual([200, 0])
    expect(await byId(record.id.replaceAll('-', ''))).toEqual([200, 0])
  })

  it('finds nothing for a range of numbers on a property of terms if the numbers are reversed as text', async () => {
    const scope = { entity: 'metadata', metadata_property: 'term' }
    expect(await found({ type: 'range', scope, ge: 5, le: 10 })).toEqual([200, 0])
    expect(await found({ type: 'range', scope, ge: 5, le: 9 })).toEqual([200, 1])
  })
})

it('a username signs in with composed and decomposed accents', async () => {
  const [composed, decomposed] = ['Zoé', 'René'].map((name, i) => name.normalize(i === 0 ? 'NFC' : 'NFD')) as [string, string]
  for (const username of [composed, decomposed]) {
    const { password, id } = await server.createUser({ username })
    for (const form of ['NFC', 'NFD']) {
      const body = { username: username.normalize(form), password }
      const answer = await server.clientFor(null).post<{ user: { id: string } }>('/session', body, { 'x-postil-csrf': '1' })
      expect([form, answer.status, answer.body.user?.id]).toEqual([form, 201, id])
    }
  }
  const other = await server.createUser({ username: composed.normalize('NFD') })
  const body = { username: other.username, password: other.password }
  expect((await server.clientFor(null).post('/session', body, { 'x-postil-csrf': '1' })).body).toMatchObject({
    user: { id: other.id },
  })
})

it('a .json file with one object is read like the same bytes in .jsonl', async () => {
  for (const name of ['one.json', 'one.jsonl']) {
    const answer = await fetch(`${server.url}/api/v1/datasets/${dataset.id}/imports/files?name=${name}`, {
      method: 'POST',
      headers: { 'x-argilla-api-key': server.owner.api_key, 'content-type': 'application/octet-stream' },
      body: '{"text": "only"}\n',
    })
    const file = (await answer.json()) as ImportFile
    expect([name, answer.status, file.format, file.columns?.map((column) => column.name)]).toEqual([name, 201, 'jsonl', ['text']])
  }
})
