import { fileURLToPath } from 'node:url'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askTrainingLibraries, INSTALL_TIMEOUT } from '../oracles/python.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer({ engine: 'sqlite' })
})
afterAll(() => server.close())

const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const TEXT = '👩‍🔬 Ada Lovelace wrote to \nCharles Babbage in London'
const at = (part: string, label: string) => {
  const start = Array.from(TEXT.slice(0, TEXT.indexOf(part))).length
  return { label, start, end: start + Array.from(part).length }
}

const settings = {
  distribution: { strategy: 'overlap' as const, min_submitted: 2 },
  fields: [
    { name: 'text', required: true, settings: { type: 'text' } },
    { name: 'other', settings: { type: 'text' } },
    { name: 'talk', settings: { type: 'chat' } },
  ],
  questions: [
    { name: 'mood', required: true, settings: { type: 'label_selection', options: options('calm', 'glad') } },
    { name: 'topics', settings: { type: 'multi_label_selection', options: options('a', 'b', 'c') } },
    { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }, { value: 3 }] } },
    { name: 'order', settings: { type: 'ranking', options: options('p', 'q') } },
    { name: 'flat', settings: { type: 'span', field: 'text', options: options('per', 'big city') } },
    { name: 'free', settings: { type: 'span', field: 'other', options: options('per', 'place'), allow_overlapping: true } },
    { name: 'note', settings: { type: 'text' } },
  ],
  metadata_properties: [{ name: 'size', settings: { type: 'integer' } }],
}

const ORDER = [
  { value: 'q', rank: 1 },
  { value: 'p', rank: 2 },
]
const values = {
  mood: { value: 'glad' },
  topics: { value: ['c', 'a'] },
  stars: { value: 3 },
  order: { value: ORDER },
  // Whitespace at the edges, a span that follows another span, and a span that crosses a line break
  flat: { value: [at(' Ada Lovelace', 'per'), at(' wrote', 'per'), at('to \nCharles', 'per'), at('London', 'big city')] },
  free: { value: [at('Charles Babbage', 'per'), at('Babbage', 'per'), at('London', 'place')] },
  note: { value: 'fine' },
}

it('writes files that spaCy, seqeval, conllu and datasets read', { timeout: INSTALL_TIMEOUT }, async () => {
  const dataset = await server.createDataset(settings)
  const ann = await server.createUser({ username: 'ann', workspaces: [dataset.workspace_id] })
  await server.clientFor(server.owner).post(`/datasets/${dataset.id}/records/bulk`, {
    items: [
      {
        external_id: 'one',
        fields: { text: TEXT, other: TEXT, talk: [{ role: 'user', content: 'hi' }] },
        metadata: { size: 12 },
        responses: [{ user_id: ann.id, status: 'submitted', values }],
      },
      { external_id: 'two', fields: { text: 'no answer' } },
    ],
  })
  const file = async (query: string): Promise<Buffer> => {
    const answer = await fetch(`${server.url}/api/v1/datasets/${dataset.id}/records/download?${query}`, {
      headers: { 'x-argilla-api-key': server.owner.api_key },
    })
    expect(answer.status).toBe(200)
    return Buffer.from(await answer.arrayBuffer())
  }
  const text = async (query: string) => (await file(query)).toString()
  const read = (await askTrainingLibraries(fileURLToPath(new URL('formats.py', import.meta.url)), {
    spacy: [await text('format=spacy&question=flat'), await text('format=spacy&question=free')],
    conll: await text('format=conll&question=flat'),
    datasets: (await file('format=datasets')).toString('base64'),
  })) as {
    readonly spacy: unknown
    readonly conll: {
      readonly sentences: readonly (readonly [string, string])[][]
      readonly support: object
      readonly f1: number
    }
    readonly datasets: { readonly rows: readonly object[]; readonly names: object }
  }
  expect(read.spacy).toEqual([
    [
      {
        entities: [
          ['Ada Lovelace', 'per'],
          ['wrote', 'per'],
          ['to \nCharles', 'per'],
          ['London', 'big city'],
        ],
        spans: [],
      },
    ],
    [
      {
        entities: [],
        spans: [
          ['Charles Babbage', 'per'],
          ['Babbage', 'per'],
          ['London', 'place'],
        ],
      },
    ],
  ])
  const tagged = read.conll.sentences.flat().filter(([, tag]) => tag !== 'O')
  expect(tagged).toEqual([
    ['Ada', 'B-per'],
    ['Lovelace', 'I-per'],
    ['wrote', 'B-per'],
    ['to', 'B-per'],
    ['Charles', 'B-per'],
    ['London', 'B-big_city'],
  ])
  // The span that crosses a line break counts once in each sentence
  expect(read.conll).toMatchObject({ support: { per: 4, big_city: 1 }, f1: 1 })
  expect(read.datasets.names).toEqual({ mood: ['calm', 'glad'] })
  expect(read.datasets.rows).toEqual([
    {
      id: 'one',
      annotator: 'ann',
      mood: 1,
      topics: [2, 0],
      stars: 3,
      order: [
        { value: 1, rank: 1 },
        { value: 0, rank: 2 },
      ],
      flat: values.flat.value.map(({ label, ...place }) => ({ ...place, label: label === 'per' ? 0 : 1 })),
      free: values.free.value.map(({ label, ...place }) => ({ ...place, label: label === 'per' ? 0 : 1 })),
      note: 'fine',
      size: 12,
      text: TEXT,
      other: TEXT,
      talk: [{ role: 'user', content: 'hi' }],
    },
  ])
})
