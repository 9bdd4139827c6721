import type { Dataset } from '@postil/contract/datasets.ts'
import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { DatasetSpec } from '@postil/testkit/factories.ts'
import { expect, it } from 'vitest'
import { importer, setUpImports } from './testing/fixtures.ts'

const fixture = setUpImports()
const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const spec: DatasetSpec = {
  fields: [{ name: 'text', required: true, settings: { type: 'text' } }],
  questions: [
    { name: 'label', required: true, settings: { type: 'label_selection', options: options('yes', 'no') } },
    { name: 'tags', settings: { type: 'multi_label_selection', options: options('x, y', 'z') } },
    { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] } },
    { name: 'note', settings: { type: 'text' } },
    { name: 'order', settings: { type: 'ranking', options: options('a', 'b') } },
    { name: 'names', settings: { type: 'span', field: 'text', options: options('per') } },
  ],
  metadata_properties: [{ name: 'source', settings: { type: 'terms' } }],
}

const owner = () => fixture.server.clientFor(fixture.server.owner)
const answersIn = async ({ id }: Dataset) => {
  const { body } = await owner().get<{ items: WireRecord[] }>(`/datasets/${id}/records?include=responses,suggestions&limit=100`)
  const questions = await owner().get<{ items: { id: string; name: string }[] }>(`/datasets/${id}/questions`)
  const names = new Map(questions.body.items.map((one) => [one.id, one.name]))
  return body.items.map(({ external_id, status, fields, metadata, responses = [], suggestions = [] }) => ({
    external_id,
    status,
    fields,
    metadata: metadata ?? {},
    answers: responses
      .map(({ user_id, status, values }) => ({ user_id, status, values }))
      .toSorted((a, b) => a.user_id.localeCompare(b.user_id)),
    suggestions: suggestions.map(({ question_id, value, agent, score }) => [names.get(question_id), value, agent, score]),
  }))
}

const seed = async () => {
  const source = await fixture.server.createDataset(spec)
  const [ann, ben] = await Promise.all(
    ['ann', 'ben'].map((name) =>
      fixture.server.createUser({ username: `${name}-${source.id.slice(-8)}`, workspaces: [source.workspace_id] }),
    ),
  )
  const questions = await owner().get<{ items: { id: string; name: string }[] }>(`/datasets/${source.id}/questions`)
  const idOf = (name: string) => questions.body.items.find((one) => one.name === name)?.id
  const all = {
    label: { value: 'yes' },
    tags: { value: ['x, y', 'z'] },
    stars: { value: 2 },
    note: { value: '=1+1, "quoted"\nand more' },
    order: {
      value: [
        { value: 'b', rank: 1 },
        { value: 'a', rank: 2 },
      ],
    },
    names: { value: [{ label: 'per', start: 0, end: 3 }] },
  }
  const items = [
    {
      external_id: 'both',
      fields: { text: 'Tom is here' },
      metadata: { source: ['web'] },
      suggestions: [
        { question_id: idOf('label'), value: 'no', agent: 'm1', score: 0.25 },
        { question_id: idOf('tags'), value: ['z'], agent: 'm1', score: [0.5] },
      ],
      responses: [
        { user_id: ann?.id, status: 'submitted', values: all },
        { user_id: ben?.id, status: 'submitted', values: { label: { value: 'no' }, note: { value: '[1]' } } },
      ],
    },
    {
      external_id: '2',
      fields: { text: 'Two' },
      responses: [
        { user_id: ann?.id, status: 'draft', values: { tags: { value: ['z'] } } },
        { user_id: ben?.id, status: 'discarded', values: { label: { value: 'no' } } },
      ],
    },
    { external_id: 'none', fields: { text: 'None' } },
  ]
  expect((await owner().post(`/datasets/${source.id}/records/bulk`, { items })).status).toBe(201)
  return { source, users: [ann, ben].flatMap((user) => (user === undefined ? [] : [user])) }
}

const download = async (source: Dataset, query: string): Promise<Uint8Array> => {
  const answer = await fetch(`${fixture.server.url}/api/v1/datasets/${source.id}/records/download?${query}`, {
    headers: { 'x-argilla-api-key': fixture.server.owner.api_key },
  })
  return new Uint8Array(await answer.arrayBuffer())
}

const annotatorsFor = ({ contents }: ImportFile, users: readonly { readonly id: string; readonly username: string }[]) =>
  (contents?.annotations ?? []).map(({ name }) => ({
    name,
    as: 'answers',
    user_id: users.find(({ username }) => username === name)?.id,
  }))

it.each(['jsonl', 'csv', 'parquet', 'csv&escape_formulas=true', 'jsonl&shape=long', 'csv&shape=long', 'parquet&shape=long'])(
  'a download as %s gives the same answers in another dataset',
  async (query) => {
    const { source, users } = await seed()
    const target = await fixture.server.createDataset({ ...spec, workspace_id: source.workspace_id })
    const { upload, start, finish, job } = importer(fixture.server, target)
    const file = (await upload(`own.${query.split('&')[0]}`, await download(source, `format=${query}`))).body
    expect([file.recognized, file.contents?.annotators]).toEqual([null, 2])
    expect(file.contents?.annotations.every(({ annotations }) => annotations === 2)).toBe(true)
    const isLong = query.includes('long')
    for (const again of [false, true]) {
      const uploaded = again ? (await upload(`own.${query.split('&')[0]}`, await download(source, `format=${query}`))).body : file
      const started = await start(uploaded.id, { ...uploaded.mapping, annotators: annotatorsFor(uploaded, users) })
      expect(started.status).toBe(202)
      await finish()
      expect((await job(started.body.id)).import).toMatchObject({
        failed: 0,
        answers: { stored: again ? 0 : 4, kept: again ? 4 : 0, invalid: 0, left_out: 0, unmapped: 0 },
      })
      const expected = await answersIn(source)
      // The long format contains no suggestions and no records without answers
      const shown = isLong ? expected.slice(0, 2).map((one) => ({ ...one, suggestions: [] })) : expected
      expect(await answersIn(target)).toEqual(shown)
    }
  },
)

it('proposes questions for answers without suggestions, with the labels of the answers', async () => {
  const { source } = await seed()
  for (const shape of ['wide', 'long']) {
    const content = await download(source, `format=jsonl&shape=${shape}`)
    const file = (await owner().post<ImportFile>('/me/imports/files?name=own.jsonl', content, { 'content-type': 'text/plain' }))
      .body
    const column = (name: string) =>
      file.columns.find((one) => one.name === (shape === 'wide' ? `${name}.suggestion` : `response.${name}`))
    expect([column('label')?.proposal, column('label')?.values?.toSorted()]).toEqual([
      { role: 'suggestion', type: 'label_selection' },
      ['no', 'yes'],
    ])
    expect(file.columns.find(({ name }) => name === 'id')?.proposal?.role).toBe('external_id')
  }
})
