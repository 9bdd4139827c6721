import type { Dataset } from '@postil/contract/datasets.ts'
import type { MetadataMetrics } from '@postil/contract/metadata-properties.ts'
import type { User } from '@postil/contract/people/users.ts'
import type { Record } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { SearchResult, SuggestionOptions } from '@postil/contract/search.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { must, partsOf, type Rich } from './testing/fixture.ts'
import { hostileNames } from './testing/hostile-names.ts'

let server: TestServer
let owner: Client
let workspace: string
/** A dataset that has a field, a question and a metadata property for each of `names`. */
let parts: Rich
let made: readonly Record[]

/** The hostile names that are used for parts of the dataset. All hostile names are tried as values, IDs and options. */
const names = hostileNames.filter((name, i) => i % 4 === 0 || /^__|^constr|^toStr|^['"%.$\\]|[,:]|\*$/.test(name))
const isCustom = (name: string) => names.indexOf(name) % 7 === 6
/** `{ [name]: value }`, including names that an object literal treats specially. */
const keyed = <T>(value: (name: string) => T) => Object.fromEntries(names.map((name) => [name, value(name)]))
const options = hostileNames.map((value) => ({ value, text: value, description: value }))

beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
  workspace = (await server.createWorkspace()).id
  const dataset = await server.createDataset({
    workspace_id: workspace,
    fields: names.map((name, i) => ({
      name,
      required: i === 0,
      settings: isCustom(name) ? { type: 'custom', template: name } : { type: 'text' },
    })),
    questions: [
      { name: 'choice', required: true, settings: { type: 'label_selection', options } },
      { name: 'choices', settings: { type: 'multi_label_selection', options } },
      ...names.map((name) => ({ name, description: name, settings: { type: 'text' } })),
    ],
    metadata_properties: names.map((name) => ({ name, settings: { type: 'terms' } })),
  })
  parts = await partsOf(owner, dataset)
  const items = hostileNames.map((name, i) => ({
    external_id: name,
    fields: keyed((field) => (isCustom(field) ? keyed((key) => key) : `in ${field} record${i}`)),
    metadata: {
      ...keyed((key) => (key === name ? [name, 'list'] : name)),
      [`extra ${name}`]: Object.fromEntries([[name, name]]),
    },
    suggestions: [
      { question_id: parts.questions.choice, value: name, agent: `agent-${i}` },
      { question_id: parts.questions.choices, value: [name], score: [1] },
    ],
    responses: [
      {
        user_id: server.owner.id,
        status: 'submitted',
        values: { choice: { value: name }, choices: { value: hostileNames }, ...keyed((key) => ({ value: key })) },
      },
    ],
  }))
  made = must(await owner.post<{ items: Record[] }>(`/datasets/${dataset.id}/records/bulk`, { items })).items
})
afterAll(() => server.close())

const records = () => `/datasets/${parts.dataset.id}/records`
const search = async (body: object, limit = 1) => must(await owner.post<SearchResult>(`${records()}/search?limit=${limit}`, body))

describe('names are returned as they were sent', () => {
  it('for fields, questions and properties', () => {
    for (const ids of [parts.fields, parts.questions, parts.properties]) {
      expect(
        Object.keys(ids)
          .filter((name) => names.includes(name))
          .sort(),
      ).toEqual([...names].sort())
    }
  })

  it('in records and their related data, by every route that reads them', async () => {
    const list = must(await owner.get<{ items: Record[] }>(`${records()}?limit=1000&include=responses,suggestions,vectors`)).items
    const hits = (await search({}, 1000)).items.map(({ record }) => record)
    const annotator = server.clientFor(await server.createUser({ workspaces: [workspace] }))
    for (const [i, name] of hostileNames.entries()) {
      const record = made[i]!
      expect(record.external_id).toBe(name)
      expect(Object.keys(record.fields).sort()).toEqual([...names].sort())
      expect(record.fields[names[6]!]).toEqual(keyed((key) => key))
      const terms = names.map((key) => record.metadata?.[key])
      expect(terms).toEqual(names.map((key) => (key === name ? [name, 'list'] : name)))
      expect(Object.entries(record.metadata?.[`extra ${name}`] ?? {})).toEqual([[name, name]])
      expect(record.suggestions?.map(({ value }) => value)).toEqual([name, [name]])
      expect(record.responses?.[0]?.values.choices).toEqual({ value: hostileNames })
      expect(Object.keys(record.responses?.[0]?.values ?? {}).length).toBe(names.length + 2)
      expect(list[i]).toEqual(record)
      const { responses: _, suggestions: __, vectors: ___, ...bare } = record
      expect(hits[i]).toEqual(bare)
    }
    expect((await owner.get(`/records/${made[5]!.id}`)).body).toEqual(made[5])
    expect(must(await annotator.get<Record>(`/records/${made[5]!.id}`)).metadata).toEqual(
      Object.fromEntries(Object.entries(made[5]!.metadata ?? {}).filter(([key]) => !key.startsWith('extra '))),
    )
  })

  test.each(hostileNames)('%j for a user and a dataset', async (name) => {
    const user = { username: name, first_name: `x${name}x`, last_name: `y${name}y` }
    expect(must(await owner.post<User>('/users', { ...user, password: 'long enough' }))).toMatchObject(user)
    const spec = { name, guidelines: `x${name}`, metadata: Object.fromEntries([[name, name]]), workspace_id: workspace }
    const dataset = must(await owner.post<Dataset>('/datasets', spec))
    expect(dataset).toMatchObject({ name, guidelines: `x${name}`, workspace_id: workspace })
    expect(Object.entries(dataset.metadata ?? {})).toEqual([[name, name]])
    const query = `/me/datasets?name=${encodeURIComponent(name)}`
    expect(must(await owner.get<{ items: Dataset[] }>(query)).items).toEqual([dataset])
  })

  it('for users who sign in', async () => {
    for (const username of hostileNames.slice(0, 10)) {
      const form = new URLSearchParams({ username, password: 'long enough' })
      expect((await fetch(`${server.url}/api/v1/token`, { method: 'POST', body: form })).status).toBe(201)
    }
  })

  it('for vector settings and their vectors', async () => {
    const special = hostileNames.filter((name) => /[';,:%_*"\\$?]|proto|constructor/.test(name))
    for (let first = 0; first < special.length; first += 5) {
      const names = special.slice(first, first + 5)
      const dataset = await server.createDataset({
        workspace_id: workspace,
        vectors_settings: names.map((name, i) => ({ name, dimensions: i + 1 })),
      })
      const vectors = Object.fromEntries(names.map((name, i) => [name, Array.from({ length: i + 1 }, (_, j) => j + 0.1)]))
      const path = `/datasets/${dataset.id}/records`
      const stored = must(await owner.post<{ items: Record[] }>(`${path}/bulk`, { items: [{ fields: { text: 'x' }, vectors }] }))
        .items[0]!
      expect(Object.entries(stored.vectors ?? {})).toEqual(Object.entries(vectors))
      for (const [name, value] of Object.entries(vectors)) {
        const answer = must(await owner.post<SearchResult>(`${path}/search`, { query: { vector: { name, value } } }))
        expect([name, answer.total, Math.abs((answer.items[0]?.query_score ?? 0) - 1) < 1e-6]).toEqual([name, 1, true])
        const one = await owner.get<{ items: Record[] }>(`${path}?include=${encodeURIComponent(`vectors:${name}`)}`)
        if (!name.includes(',')) expect(Object.entries(must(one).items[0]!.vectors ?? {})).toEqual([[name, value]])
      }
    }
  })
})

describe('names are matched as plain text', () => {
  it('by external ID, when records are written again', async () => {
    const items = hostileNames.map((external_id) => ({
      external_id,
      metadata: made[hostileNames.indexOf(external_id)]!.metadata,
    }))
    const again = must(await owner.put<{ items: Record[] }>(`${records()}/bulk`, { items })).items
    expect(again).toEqual(made)
  })

  test.each(hostileNames)('%j in filters and sorts', async (name) => {
    const terms = (scope: object, value: string) => ({ type: 'terms', scope, values: [value] })
    const and = [
      terms({ entity: 'record', property: 'external_id' }, name),
      ...(names.includes(name) ? [terms({ entity: 'metadata', metadata_property: name }, 'list')] : []),
      terms({ entity: 'metadata', metadata_property: names[0] }, name),
      terms({ entity: 'suggestion', question: 'choice' }, name),
      terms({ entity: 'suggestion', question: 'choices', property: 'value' }, name),
      terms({ entity: 'response', question: 'choice' }, name),
    ]
    const sort = [{ scope: { entity: 'metadata', metadata_property: names.includes(name) ? name : names[1] }, order: 'asc' }]
    const { items, total } = await search({ filters: { and }, sort })
    expect([total, items.map(({ record }) => record.external_id)]).toEqual([1, [name]])
  })

  test.each(hostileNames)('%j in a text query, where no character causes an error', async (q) => {
    const { status } = await owner.post(`${records()}/search?limit=1`, { query: { text: { q } } })
    expect(status).toBe(200)
  })

  test.each(names)('%j as the field of a text query', async (field) => {
    const { total } = await search({ query: { text: { q: 'record1', field } } })
    expect(total).toBe(isCustom(field) ? 0 : 1)
  })

  it('in metadata and suggestion overviews', async () => {
    const { items } = must(await owner.get<SuggestionOptions>(`${records()}/search/suggestions/options`))
    expect(items.map(({ question }) => question.name)).toEqual(['choice', 'choices', ...names])
    for (const name of names) {
      const metrics = must(await owner.get<MetadataMetrics>(`/metadata-properties/${parts.properties[name]}/metrics`))
      if (metrics.type !== 'terms') throw new Error('metrics of another type')
      const terms = Object.fromEntries(metrics.values.map(({ term, count }) => [term, count]))
      expect(Object.entries(terms).sort()).toEqual([...hostileNames.map((term) => [term, 1]), ['list', 1]].sort())
    }
  })
})

it('names can be used in single answers and suggestions', async () => {
  const { id } = must(await owner.post<{ items: Record[] }>(`${records()}/bulk`, { items: [{ fields: { [names[0]!]: 'x' } }] }))
    .items[0]!
  for (const name of names) {
    const question_id = parts.questions[name]
    const suggestion = await owner.put(`/records/${id}/suggestions`, { question_id, value: name })
    expect(suggestion).toMatchObject({ status: 201, body: { question_id, value: name } })
    const values = Object.fromEntries([
      ['choice', { value: name }],
      [name, { value: name }],
    ])
    const ownAnswer = { mutation_id: crypto.randomUUID(), base_version: null, status: 'submitted', values }
    const answer = must(await owner.put<Response>(`/records/${id}/responses/mine`, ownAnswer))
    expect(Object.entries(answer.values)).toEqual(Object.entries(values))
    must(await owner.delete(`/responses/${answer.id}`))
  }
})
