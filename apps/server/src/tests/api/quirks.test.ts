import type { Dataset } from '@postil/contract/datasets.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { DatasetProgress, UsersProgress } from '@postil/contract/progress.ts'
import type { Record } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { SearchResult } from '@postil/contract/search.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type ApiFixture, createApiFixture, must } from './testing/fixture.ts'
import { richValues } from './testing/rich.ts'

/* Mistakes in the published server that Postil deliberately doesn't reproduce, and related behavior that clients rely on. */

const word = 'quirk'
let server: TestServer
let fixture: ApiFixture
let owner: Client
let path: string
beforeAll(async () => {
  server = await bootServer()
  fixture = await createApiFixture(server, word)
  owner = fixture.owner
  path = `/datasets/${fixture.rich.dataset.id}`
})
afterAll(() => server.close())

type Items = { readonly items: readonly Record[] }
const textual = { [`${word}-text`]: 'one two' }
const custom = { ...textual, [`${word}-custom`]: { deep: { list: [1, null] } } }

describe('a record', () => {
  it('is returned as it is stored by everything that writes it, without the fields that were not sent', async () => {
    const created = must(await owner.post<Items>(`${path}/records/bulk`, { items: [{ fields: custom }] })).items[0]!
    expect(created.fields).toEqual(custom)
    const upserted = must(await owner.put<Items>(`${path}/records/bulk`, { items: [{ id: created.id, fields: textual }] }))
      .items[0]!
    expect(upserted.fields).toEqual(textual)
    const patched = must(await owner.patch<Record>(`/records/${created.id}`, { fields: custom }))
    expect(patched.fields).toEqual(custom)
    expect(must(await owner.get<Record>(`/records/${created.id}`))).toEqual(patched)
  })

  it('always has vectors as an object when they are included, never null', async () => {
    const { id } = must(await owner.post<Items>(`${path}/records/bulk`, { items: [{ fields: textual, vectors: null }] }))
      .items[0]!
    expect(must(await owner.get<Record>(`/records/${id}`)).vectors).toEqual({})
    const { items } = must(await owner.get<Items>(`${path}/records?include=vectors&limit=1000`))
    expect(items.find((one) => one.id === id)?.vectors).toEqual({})
    const bare = must(await owner.delete<Record>(`/records/${id}`))
    expect(['responses', 'suggestions', 'vectors'].filter((key) => key in bare)).toEqual([])
  })

  it('accepts an answer of a user who isn’t a member, but not of an unknown user', async () => {
    const response = (user_id: string) => ({ fields: textual, responses: [{ user_id, status: 'draft', values: {} }] })
    const { id } = fixture.users.annotatorOut
    const made = must(await owner.post<Items>(`${path}/records/bulk`, { items: [response(id)] })).items[0]!
    expect(made.responses?.map(({ user_id }) => user_id)).toEqual([id])
    expect((await owner.post(`${path}/records/bulk`, { items: [response(crypto.randomUUID())] })).status).toBe(422)
  })
})

describe('an answer', () => {
  const answerOf = async (body: object) => {
    const { id } = await fixture.newRecord()
    return { id, answer: await owner.post<Response>(`/records/${id}/responses`, body) }
  }

  test.each(['draft', 'discarded'])('without values is stored as %s and read as an empty object', async (status) => {
    const { id, answer } = await answerOf({ status, values: null })
    expect(answer).toMatchObject({ status: 201, body: { status, values: {} } })
    const { responses = [] } = must(await owner.get<Record>(`/records/${id}`))
    expect(responses.map(({ values }) => values)).not.toContain(null)
    const bulk = { items: [{ record_id: id, status }] }
    expect((await owner.post('/me/responses/bulk', bulk)).body).toMatchObject({ items: [{ item: { values: {} }, error: null }] })
  })

  test.each([
    ['plain texts', [`${word}-p`, `${word}-q`]],
    [
      'a null rank',
      [
        { value: `${word}-p`, rank: 1 },
        { value: `${word}-q`, rank: null },
      ],
    ],
  ])('that ranks with %s is rejected with a message', async (_name, value) => {
    const { answer } = await answerOf({ status: 'submitted', values: { ...richValues(word), [`${word}-order`]: { value } } })
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining(`${word}-order`) } })
  })
})

describe('a distribution', () => {
  it('can only be set to its current value once there are answers', async () => {
    await fixture.newRecord()
    const { distribution } = must(await owner.get<Dataset>(path))
    expect((await owner.patch(path, { distribution })).status).toBe(200)
    expect((await owner.patch(path, { distribution: { ...distribution, min_submitted: 5 } })).status).toBe(422)
  })
})

describe('a metadata property', () => {
  it('keeps its visibility when an update omits it', async () => {
    for (const visible_for_annotators of [true, false]) {
      const body = { name: `seen ${visible_for_annotators}`, title: 'T', settings: { type: 'terms' }, visible_for_annotators }
      const { id } = must(await owner.post<MetadataProperty>(`${path}/metadata-properties`, body))
      const changed = must(await owner.patch<MetadataProperty>(`/metadata-properties/${id}`, { title: 'U' }))
      expect([changed.title, changed.visible_for_annotators]).toEqual(['U', visible_for_annotators])
    }
  })

  it('has float metrics to five decimals, exact integer metrics, and null without values', async () => {
    const dataset = await server.createDataset({
      metadata_properties: ['float', 'integer', 'terms'].map((type) => ({ name: type, settings: { type } })),
    })
    const list = must(await owner.get<{ items: MetadataProperty[] }>(`/me/datasets/${dataset.id}/metadata-properties`)).items
    const metrics = () => Promise.all(list.map(async ({ id }) => must(await owner.get(`/metadata-properties/${id}/metrics`))))
    const none = { min: null, max: null }
    expect(await metrics()).toEqual([
      { type: 'float', ...none },
      { type: 'integer', ...none },
      { type: 'terms', total: 0, values: [] },
    ])
    const metadata = [
      { float: 1 / 3, integer: 7, terms: ['b', 'a'] },
      { float: 2 / 3, integer: 2 ** 53 - 1, terms: 'b' },
    ]
    const items = metadata.map((one) => ({ fields: { text: 'x' }, metadata: one }))
    must(await owner.post(`/datasets/${dataset.id}/records/bulk`, { items }))
    const values = [
      { term: 'b', count: 2 },
      { term: 'a', count: 1 },
    ]
    expect(await metrics()).toEqual([
      { type: 'float', min: 0.33333, max: 0.66667 },
      { type: 'integer', min: 7, max: 2 ** 53 - 1 },
      { type: 'terms', total: 3, values },
    ])
  })
})

describe('a search', () => {
  it('always returns a score: 1 in insertion order, null when sorted', async () => {
    await fixture.newRecord()
    const search = async (body: object) => must(await owner.post<SearchResult>(`${path}/records/search`, body)).items
    const scope = { entity: 'record', property: 'inserted_at' }
    expect(new Set((await search({})).map(({ query_score }) => query_score))).toEqual(new Set([1]))
    const sorted = await search({ sort: [{ scope, order: 'desc' }] })
    expect(new Set(sorted.map(({ query_score }) => query_score))).toEqual(new Set([null]))
    const found = await search({ query: { text: { q: word } } })
    expect(found.every(({ query_score }) => typeof query_score === 'number')).toBe(true)
  })
})

describe('progress', () => {
  it('keeps everyone who ever answered, while user progress counts users who have answers now', async () => {
    const dataset = await server.createDataset({ workspace_id: fixture.workspace.id, name: 'remembered' })
    const { items } = must(
      await owner.post<Items>(`/datasets/${dataset.id}/records/bulk`, { items: [{ fields: { text: 'x' } }] }),
    )
    const body = { status: 'submitted', values: { label: { value: 'yes' } } }
    const member = fixture.as('annotatorIn')
    const answer = must(await member.post<Response>(`/records/${items[0]!.id}/responses`, body))
    must(await member.delete(`/responses/${answer.id}`))
    const { username } = fixture.users.annotatorIn
    const progress = must(await owner.get<DatasetProgress>(`/datasets/${dataset.id}/progress`))
    expect(progress).toEqual({
      total: 1,
      completed: 0,
      pending: 1,
      surplus: 0,
      answers: 0,
      answers_needed: 1,
      users: [{ username }],
    })
    expect(must(await owner.get<UsersProgress>(`/datasets/${dataset.id}/users/progress`))).toEqual({ users: [] })
  })
})
