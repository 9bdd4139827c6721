import type { Dataset } from '@postil/contract/datasets.ts'
import type { Client } from '@postil/testkit/client.ts'
import { createFactories, type TestUser } from '@postil/testkit/factories.ts'

const options = (...values: string[]) => values.map((value) => ({ value, text: value.toUpperCase() }))

const fields = [
  { name: 'text', title: 'The text', required: true, settings: { type: 'text', use_markdown: true } },
  { name: 'picture', settings: { type: 'image' } },
  { name: 'talk', settings: { type: 'chat', use_markdown: false } },
  { name: 'own', settings: { type: 'custom', template: '<b>{{record.fields.own.a}}</b>', advanced_mode: true } },
]
const questions = [
  { name: 'why', required: true, description: 'In a word', settings: { type: 'text', use_markdown: true } },
  { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }, { value: 3 }] } },
  { name: 'label', settings: { type: 'label_selection', options: options('yes', 'no', 'maybe'), visible_options: 3 } },
  {
    name: 'labels',
    settings: { type: 'multi_label_selection', options: options('a', 'b', 'c'), options_order: 'suggestion' },
    shown_when: { any: [{ question: 'stars', answered: true }, { all: [{ question: 'label', in: ['yes'] }] }] },
  },
  {
    name: 'tree',
    settings: { type: 'label_selection', options: [...options('animal'), { value: 'dog', text: 'Dog', parent: 'animal' }] },
  },
  {
    name: 'turns',
    settings: {
      type: 'span',
      postil_kind: 'turns',
      field: 'talk',
      options: options('good', 'bad'),
      unit: { of: 'turn', roles: ['user'] },
    },
  },
  {
    name: 'better',
    settings: {
      type: 'label_selection',
      postil_kind: 'comparison',
      options: options('left', 'same', 'right'),
      compare: { options: { left: 'text', right: 'talk' }, ties: 'same' },
    },
  },
  { name: 'pick', settings: { type: 'text', postil_kind: 'choice', choose_from: 'text' } },
  { name: 'past', settings: { type: 'text' }, shown_when: { any: [] } },
  { name: 'order', settings: { type: 'ranking', options: options('x', 'y') } },
  { name: 'marks', settings: { type: 'span', field: 'text', options: options('per', 'loc'), allow_overlapping: true } },
]

const answer = (i: number) => ({
  why: { value: `because ${i}` },
  stars: { value: (i % 3) + 1 },
  label: { value: i % 2 ? 'yes' : 'no' },
  labels: { value: ['b', 'a'] },
  order: {
    value: [
      { value: 'y', rank: 1 },
      { value: 'x', rank: 1 },
    ],
  },
  marks: { value: [{ label: 'per', start: 1, end: 3 }] },
  tree: { value: 'dog' },
  better: { value: i % 2 ? 'left' : 'same' },
  past: { value: `earlier ${i}` },
})
const textOf = (i: number): string => `😀 Ada is in Rome ${i}`
/** Returns the answers to those questions whose valid answers depend on the record. */
const ownAnswer = (i: number) => ({
  pick: { value: textOf(i) },
  ...(i % 3 && { turns: { value: [{ label: 'good', start: 0, end: 2 }] } }),
})

export type MigrationSource = {
  readonly dataset: Dataset
  readonly draft: Dataset
  readonly other: Dataset
  readonly users: { readonly ann: TestUser; readonly ben: TestUser; readonly cy: TestUser }
}

const expectOk = <T>({ status, body }: { readonly status: number; readonly body: T }): T => {
  if (status >= 300) throw new Error(`the server answered ${status} ${JSON.stringify(body).slice(0, 500)}`)
  return body
}

/**
 * Fills an empty server with every type of field and question, three annotators, answers of every status, a draft and a second
 * workspace.
 */
export const fillSource = async (owner: Client, records: number): Promise<MigrationSource> => {
  const { createDataset, createUser, createWorkspace } = createFactories(owner)
  const team = (await createWorkspace('team')).id
  // Shifts the internal dataset numbers, so that they differ from those at the target.
  expectOk(await owner.delete(`/datasets/${(await createDataset({ workspace_id: team })).id}`))
  const otherWorkspace = (await createWorkspace('elsewhere')).id
  const ann = await createUser({ username: 'ann', last_name: 'Ångström', workspaces: [team, otherWorkspace] })
  const cy = await createUser({ username: 'cy', role: 'admin', workspaces: [team] })
  const ben = await createUser({ username: 'ben ✓ with spaces', workspaces: [team] })
  const dataset = await createDataset({
    name: 'Everything / ünd more',
    workspace_id: team,
    guidelines: '# Read\n\nall',
    allow_extra_metadata: true,
    distribution: { strategy: 'overlap', min_submitted: 2 },
    // An object literal would lose the key `__proto__`.
    metadata: JSON.parse('{ "repoId": "a/b", "__proto__": { "a": 1 } }') as { repoId: string },
    fields,
    questions,
    metadata_properties: [
      { name: 'lang', settings: { type: 'terms', values: ['en', 'de'] } },
      { name: 'n', settings: { type: 'integer', min: 0, max: 100_000 }, visible_for_annotators: false },
      { name: 'x', settings: { type: 'float', min: -1e18, max: 1e18 } },
    ],
    vectors_settings: [
      { name: 'small', dimensions: 2 },
      { name: 'wide', dimensions: 5 },
    ],
  })
  const ids = expectOk(await owner.get<{ items: { id: string; name: string }[] }>(`/datasets/${dataset.id}/questions`)).items
  const question = (name: string) => ids.find((one) => one.name === name)?.id
  const { id: me } = expectOk(await owner.get<{ id: string }>('/me'))
  const recordOf = (i: number) => ({
    ...(i % 5 > 0 && { external_id: `r ${i}` }),
    fields: {
      text: textOf(i),
      ...(i % 2 && { picture: 'https://example.org/a.png', own: { a: [1, { b: 'ü' }] } }),
      ...(i % 3 && { talk: [{ role: 'user', content: 'hi' }] }),
    },
    metadata: i % 4 ? { lang: 'en', n: i, x: i / 3 + 0.1, extra: { deep: [true, null] } } : null,
    vectors: { ...(i % 2 && { small: [i + 0.1, -1] }), ...(i % 3 && { wide: [1, 2, 3, 4, i] }) },
    suggestions: [
      { question_id: question('label'), value: 'maybe', score: 0.25, agent: 'a/model:1', type: 'model' },
      ...(i % 2 ? [{ question_id: question('labels'), value: ['c', 'a'], score: [0.5, 1], type: 'human' }] : []),
      { question_id: question('marks'), value: [{ label: 'loc', start: 2, end: 5 }] },
    ],
    responses: [
      ...(i % 2 ? [{ user_id: ann.id, status: 'submitted', values: { ...answer(i), ...ownAnswer(i) } }] : []),
      ...(i % 3 ? [{ user_id: ben.id, status: 'submitted', values: { ...answer(i + 1), ...ownAnswer(i) } }] : []),
      ...(i % 4 === 1 ? [{ user_id: me, status: 'draft', values: { why: { value: 'hm' } } }] : []),
      ...(i % 4 === 2 ? [{ user_id: me, status: 'discarded', values: {} }] : []),
    ],
  })
  for (let from = 0; from < records; from += 200) {
    const items = Array.from({ length: Math.min(200, records - from) }, (_, i) => recordOf(from + i))
    expectOk(await owner.post(`/datasets/${dataset.id}/records/bulk`, { items }))
  }
  const draft = await createDataset({ name: 'not yet', workspace_id: team, publish: false })
  const other = await createDataset({ name: 'elsewhere', workspace_id: otherWorkspace })
  expectOk(await owner.post(`/datasets/${other.id}/records/bulk`, { items: [{ fields: { text: 'one' } }] }))
  return { dataset, draft, other, users: { ann, ben, cy } }
}

type Items = { readonly items: readonly { readonly id: string; readonly [key: string]: unknown }[] }

const fetchItems = async (client: Client, path: string) => expectOk(await client.get<Items>(path)).items

/** Everything that a server returns about a dataset. */
const fetchDataset = async (client: Client, id: string) => {
  const records: unknown[] = []
  for (;;) {
    const path = `/datasets/${id}/records?offset=${records.length}&limit=500&include=responses,suggestions,vectors`
    const page = await fetchItems(client, path)
    if (page.length === 0) break
    records.push(...page)
  }
  return {
    dataset: expectOk(await client.get(`/datasets/${id}`)),
    fields: await fetchItems(client, `/datasets/${id}/fields`),
    questions: await fetchItems(client, `/datasets/${id}/questions`),
    properties: await fetchItems(client, `/me/datasets/${id}/metadata-properties`),
    vectors: await fetchItems(client, `/datasets/${id}/vectors-settings`),
    progress: expectOk(await client.get(`/datasets/${id}/progress`)),
    users: expectOk(await client.get(`/datasets/${id}/users/progress`)),
    records,
  }
}

/** Everything that a server returns, to compare it with another server. */
export const fetchEverything = async (client: Client) => {
  const workspaces = await fetchItems(client, '/me/workspaces')
  const datasets = await fetchItems(client, '/me/datasets')
  return {
    users: await fetchItems(client, '/users'),
    workspaces,
    members: await Promise.all(
      workspaces.map(async ({ id }) => (await fetchItems(client, `/workspaces/${id}/users`)).map((one) => one.id)),
    ),
    datasets: await Promise.all(datasets.map(({ id }) => fetchDataset(client, id))),
  }
}
