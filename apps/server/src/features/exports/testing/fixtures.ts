import type { Dataset } from '@postil/contract/datasets.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'

const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value.toUpperCase() }))
/** Begins with a joined emoji, so that counts of UTF-16 units, code points and characters differ. */
export const TEXT = '👩‍👩‍👧 Ada Lovelace, of London\r\n"wrote" to Babbage'

const settings = {
  name: 'Größe, "1"',
  distribution: { strategy: 'overlap' as const, min_submitted: 5 },
  fields: [
    { name: 'text', required: true, settings: { type: 'text' } },
    { name: 'talk', settings: { type: 'chat' } },
  ],
  questions: [
    { name: 'label', settings: { type: 'label_selection', options: options('yes', 'no') } },
    { name: 'tags', settings: { type: 'multi_label_selection', options: options('x', 'y', 'z') } },
    { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] } },
    { name: 'order', settings: { type: 'ranking', options: options('p', 'q') } },
    { name: 'names', settings: { type: 'span', field: 'text', options: options('per', 'big city') } },
    { name: 'note', required: true, settings: { type: 'text' } },
  ],
  metadata_properties: [
    { name: 'source', settings: { type: 'terms' } },
    { name: 'size', settings: { type: 'integer' } },
    { name: 'ratio', settings: { type: 'float' } },
  ],
  vectors_settings: [{ name: 'v', dimensions: 2 }],
}

export const ORDER = [
  { value: 'q', rank: 1 },
  { value: 'p', rank: 2 },
]
export const NAMES = [
  { label: 'big city', start: 23, end: 29 },
  { label: 'per', start: 6, end: 18 },
]

export type ExportFixture = {
  readonly dataset: Dataset
  readonly ann: TestUser
  readonly bob: TestUser
  readonly admin: TestUser
  /** An admin of another workspace. */
  readonly stranger: TestUser
  readonly records: readonly { readonly id: string }[]
  readonly fetchFile: (query: string, user?: { readonly api_key: string }) => Promise<Response>
  /** The file as text. Throws for any status but 200. */
  readonly text: (query: string) => Promise<string>
}

/** Creates a dataset with every type of question, three records, and three answers by two annotators. */
export const createFixture = async (server: TestServer): Promise<ExportFixture> => {
  const dataset = await server.createDataset(settings)
  const workspaces = [dataset.workspace_id]
  const ann = await server.createUser({ username: 'ann', workspaces })
  const bob = await server.createUser({ username: 'bob', workspaces })
  const admin = await server.createUser({ role: 'admin', workspaces })
  const stranger = await server.createUser({ role: 'admin' })
  const owner = server.clientFor(server.owner)
  const questions = (await owner.get<{ items: { id: string; name: string }[] }>(`/datasets/${dataset.id}/questions`)).body.items
  const idOf = (name: string) => questions.find((question) => question.name === name)?.id
  const made = await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, {
    items: [
      {
        external_id: 'one',
        fields: { text: TEXT, talk: [{ role: 'user', content: 'hi' }] },
        metadata: { source: ['web', 'book'], size: 12, ratio: 0.25, more: { a: 1 } },
        vectors: { v: [0.5, -1] },
        suggestions: [
          { question_id: idOf('label'), value: 'no', score: 0.75, agent: 'm' },
          { question_id: idOf('tags'), value: ['x', 'y'], score: [0.5, 0.25], agent: 'm' },
        ],
      },
      { fields: { text: '=1+1' }, metadata: { source: 'web' } },
      { external_id: '3', fields: { text: 'plain' } },
    ],
  })
  const records = made.body.items
  const values = {
    label: { value: 'yes' },
    tags: { value: ['x', 'z'] },
    stars: { value: 2 },
    order: { value: ORDER },
    names: { value: NAMES },
    note: { value: 'fine' },
  }
  const [first, second] = records
  const suggestion_outcomes = {
    label: { outcome: 'changed', agent: 'm' },
    tags: { outcome: 'confirmed', agent: null },
  }
  await server.clientFor(ann).post(`/records/${first?.id}/responses`, { status: 'submitted', values, suggestion_outcomes })
  await server.clientFor(bob).post(`/records/${first?.id}/responses`, { status: 'draft', values: { stars: { value: 1 } } })
  await server.clientFor(bob).post(`/records/${second?.id}/responses`, { status: 'discarded', values: {} })
  const fetchFile: ExportFixture['fetchFile'] = (query, user = admin) =>
    fetch(`${server.url}/api/v1/datasets/${dataset.id}/records/download?${query}`, {
      headers: { 'x-argilla-api-key': user.api_key },
    })
  const text = async (query: string): Promise<string> => {
    const answer = await fetchFile(query)
    if (answer.status !== 200) throw new Error(`the server answered ${answer.status} ${await answer.text()}`)
    return answer.text()
  }
  return { dataset, ann, bob, admin, stranger, records, fetchFile, text }
}

export type Row = { readonly [column: string]: unknown }
export const lines = (content: string): Row[] =>
  content
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
