import type { Agreement } from '@postil/contract/agreement.ts'
import { questionType } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { turnsQuestion } from './turns.ts'

const { settings, fields: content = {} } = questionType('turns').fixtures
const unit = { of: 'turn', roles: ['assistant'], required: 'each', exclusive: true }
const scale = ['1', '2', '3'].map((value) => ({ value, text: value, description: null, ordinal: 'true' }))
const questions = [
  { name: 'tone', required: true, settings },
  { name: 'stars', required: false, settings: { ...settings, options: scale, unit: { ...unit, required: 'any' } } },
  {
    name: 'topics',
    required: false,
    settings: { ...settings, allow_overlapping: true, unit: { ...unit, roles: null, required: 'none', exclusive: false } },
  },
  {
    name: 'names',
    required: false,
    settings: { type: 'span', field: 'chat', options: [{ value: 'per', text: 'Person' }], allow_overlapping: false },
  },
]
const asked = { fields: [{ name: 'chat', required: true, settings: { type: 'chat' } }], questions }

/** Spans of turns. The second and the fourth turn are the assistant's, and the first turn is the user's. */
const second = { start: 5, end: 10 }
const fourth = { start: 15, end: 18 }
const first = { start: 0, end: 4 }
const complete = {
  tone: {
    value: [
      { label: 'good', ...second },
      { label: 'bad', ...fourth },
    ],
  },
}

let server: TestServer
let id: string
let workspace: string
beforeAll(async () => {
  server = await bootServer()
  workspace = (await server.createWorkspace()).id
  id = (
    await server.createDataset({
      ...asked,
      workspace_id: workspace,
      distribution: { strategy: 'overlap', min_submitted: 3 },
    })
  ).id
})
afterAll(() => server.close())

const addRecord = async (more: object = {}, fields: object = content) => {
  const path = `/datasets/${id}/records/bulk`
  const answer = await server.clientFor(server.owner).post<{ items: { id: string }[] }>(path, { items: [{ fields, ...more }] })
  return { ...answer, record: answer.body.items?.[0]?.id ?? '' }
}
const answer = (record: string, values: object, status = 'submitted', user: TestUser | null = null) => {
  const sent = { mutation_id: crypto.randomUUID(), base_version: null, status, values }
  return server.clientFor(user ?? server.owner).put<Response & { detail: string }>(`/records/${record}/responses/mine`, sent)
}
const questionNamed = async (name: string): Promise<Question> => {
  const { items } = must(await server.clientFor(server.owner).get<{ items: Question[] }>(`/datasets/${id}/questions`))
  return items.find((one) => one.name === name)!
}

test('questions about turns and one about spans share a field, and a second one about spans is refused', async () => {
  expect((await questionNamed('tone')).settings).toEqual(settings)
  expect((await questionNamed('stars')).settings).toMatchObject({ options: scale })
  const { id: draft } = await server.createDataset({ ...asked, publish: false })
  const again = { ...questions[3], name: 'more', title: 'More' }
  const refused = await server.clientFor(server.owner).post<{ detail: string }>(`/datasets/${draft}/questions`, again)
  expect([refused.status, refused.body.detail]).toEqual([422, 'Field `chat` is already used by span question `names`'])
})

test('a submitted answer labels whole turns of the roles, and the refusal names the turn', async () => {
  const { record } = await addRecord()
  const refusal = async (values: object, status?: string) => (await answer(record, values, status)).body.detail
  expect(await refusal({ tone: { value: [{ label: 'good', ...second }] } })).toContain('Turn 4 (assistant) has no label')
  expect(await refusal({ tone: { value: [{ label: 'good', ...first }] } })).toContain('Turn 1 has the role user')
  expect(await refusal({ tone: { value: [{ label: 'good', start: 5, end: 9 }] } }, 'draft')).toContain('not a whole turn')
  expect(await refusal({ ...complete, stars: { value: [] } })).toContain('At least one turn')
  const several = ['good', 'bad'].map((label) => ({ label, ...first }))
  expect(await refusal({ ...complete, tone: { value: [...several, ...complete.tone.value] } })).toContain('Turn 1')
  must(await answer(record, { tone: { value: [{ label: 'good', ...second }] } }, 'draft'))
  const { body: stored } = await server
    .clientFor(server.owner)
    .get<{ responses: Response[] }>(`/records/${record}?include=responses`)
  const sent = { mutation_id: crypto.randomUUID(), base_version: stored.responses[0]?.version, status: 'submitted' }
  const all = { ...complete, topics: { value: several }, names: { value: [{ label: 'per', start: 0, end: 2 }] } }
  must(await server.clientFor(server.owner).put(`/records/${record}/responses/mine`, { ...sent, values: all }))
})

test('answers and suggestions inside records follow the same rules', async () => {
  const tone = await questionNamed('tone')
  const suggestion = (value: object[]) => ({ suggestions: [{ question_id: tone.id, value, agent: 'model', score: [0.5] }] })
  const refused = await addRecord(suggestion([{ label: 'good', start: 5, end: 9 }]))
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('not a whole turn')])
  expect((await addRecord(suggestion([{ label: 'good', ...second }]))).status).toBe(201)
  const response = (values: object) => ({ responses: [{ user_id: server.owner.id, status: 'submitted', values }] })
  const incomplete = await addRecord(response({ tone: { value: [{ label: 'good', ...fourth }] } }))
  expect([incomplete.status, JSON.stringify(incomplete.body)]).toEqual([422, expect.stringContaining('Turn 2 (assistant)')])
  expect((await addRecord(response(complete))).status).toBe(201)
  const { record } = await addRecord()
  const final = { tone: { value: [{ label: 'good', ...second }], source: 'adjudicated' } }
  const put = await server.clientFor(server.owner).put<{ detail: string }>(`/records/${record}/gold`, {
    mutation_id: crypto.randomUUID(),
    base_version: null,
    values: final,
    final: true,
  })
  expect([put.status, put.body.detail]).toEqual([422, expect.stringContaining('Turn 4 (assistant)')])
})

test('an update of the published type leaves the unit and the scale alone', async () => {
  const stars = await questionNamed('stars')
  const options = scale.map(({ ordinal: _, ...option }) => ({ ...option, text: `${option.value}!` }))
  const patch = (body: object) =>
    server.clientFor(server.owner).patch<Question & { detail: string }>(`/questions/${stars.id}`, body)
  const { body } = await patch({ settings: { type: 'span', options, visible_options: null, allow_overlapping: false } })
  expect(body.settings).toEqual({ ...stars.settings, options: scale.map((one) => ({ ...one, text: `${one.value}!` })) })
  const narrowed = await patch({ settings: { type: 'span', postil_kind: 'turns', unit: { roles: ['user'] } } })
  expect([narrowed.status, narrowed.body.detail]).toEqual([422, expect.stringContaining("'assistant' must stay")])
})

test('the unit of agreement is a turn, and turns without a label are missing', async () => {
  const people = [await server.createUser({ workspaces: [workspace] }), await server.createUser({ workspaces: [workspace] })]
  const lead = server.clientFor(server.owner)
  const { id: compared } = await server.createDataset({
    fields: asked.fields,
    workspace_id: workspace,
    distribution: { strategy: 'overlap', min_submitted: 2 },
    questions: questions
      .map((one) => ({
        ...one,
        required: one.name === 'tone',
        settings: { ...one.settings, unit: { ...unit, required: 'none' } },
      }))
      .slice(0, 2),
  })
  const contents = ['one', 'two', 'ten', 'six']
  const chat = contents.map((text) => ({ role: 'assistant', content: text }))
  const items = [{ fields: { chat } }]
  const { body } = await lead.post<{ items: { id: string }[] }>(`/datasets/${compared}/records/bulk`, { items })
  const record = body.items[0]?.id ?? ''
  const labels = (given: readonly (string | null)[]) =>
    given.flatMap((label, i) => (label === null ? [] : [{ label, start: 4 * i, end: 4 * i + 3 }]))
  const [ann, bob] = people
  must(
    await answer(
      record,
      { tone: { value: labels(['good', 'good', 'bad', 'bad']) }, stars: { value: labels(['1', '1', '3']) } },
      'submitted',
      ann,
    ),
  )
  must(
    await answer(
      record,
      { tone: { value: labels(['good', 'bad', 'bad', null]) }, stars: { value: labels(['1', '2', '3']) } },
      'submitted',
      bob,
    ),
  )
  const { questions: found } = must(await lead.get<Agreement>(`/datasets/${compared}/agreement`))
  // Six pairable labels, three of each kind, and one turn with different labels: α = 1 − 5·2 / (2·3·3).
  expect(found[0]).toMatchObject({
    measure: 'alpha_nominal',
    value: expect.closeTo(4 / 9),
    units: 3,
    units_single: 1,
    answers: 7,
    labels: [
      { value: 'good', count: 3 },
      { value: 'bad', count: 4 },
    ],
  })
  // Ratings 1·1, 1·2, 3·3. The ordinal distances are δ²(1,2) = 4, δ²(1,3) = 12.25 and δ²(2,3) = 2.25: α = 1 − 5·8 / 180.
  expect(found[1]).toMatchObject({ measure: 'alpha_ordinal', value: expect.closeTo(7 / 9), units: 3, units_single: 0 })
  const [user_a, user_b] = people.map((person) => person.id)
  const tone = found[0]?.question_id
  const confusion = await lead.get(`/questions/${tone}/agreement/confusion?a=${user_a}&b=${user_b}`)
  expect(confusion.body).toEqual({
    rows: ['good', 'bad'],
    columns: ['good', 'bad'],
    counts: [
      [1, 1],
      [0, 1],
    ],
  })
})

test('downloads name the turn and its role', async () => {
  const { id: downloaded } = await server.createDataset({ ...asked, workspace_id: workspace })
  const lead = server.clientFor(server.owner)
  const responses = [{ user_id: server.owner.id, status: 'submitted', values: complete }]
  const items = [{ fields: content, responses }]
  expect((await lead.post(`/datasets/${downloaded}/records/bulk`, { items })).status).toBe(201)
  const file = async (query: string) => {
    const url = `${server.url}/api/v1/datasets/${downloaded}/records/download?format=jsonl&${query}`
    return JSON.parse(await (await fetch(url, { headers: { 'x-argilla-api-key': server.owner.api_key } })).text())
  }
  const named = [
    { label: 'good', ...second, turn: 1, role: 'assistant' },
    { label: 'bad', ...fourth, turn: 3, role: 'assistant' },
  ]
  expect((await file('')) as object).toMatchObject({ 'tone.responses': [named] })
  expect((await file('shape=long')) as object).toMatchObject({ 'response.tone': named })
  expect((await file('shape=final')) as object).toMatchObject({ 'final.tone': named })
  // Uploaded answers may contain the additional keys of a download, such as `role`. The server drops them.
  const sent = { fields: content, responses: [{ ...responses[0], values: { tone: { value: named } } }] }
  expect((await lead.post(`/datasets/${downloaded}/records/bulk`, { items: [sent] })).status).toBe(201)
})

test('a model names turns by number', () => {
  const { model } = turnsQuestion
  const read = (given: unknown) => model.read(given, settings, content as never)
  expect(
    read([
      { turn: 2, label: 'good' },
      { turn: 4, label: 'bad' },
    ]),
  ).toEqual({ ...complete.tone, from: [0, 1], unmatched: 0 })
  // Turn 1 is the user's, turn 9 doesn't exist, and turn 2 can have only one label.
  const wrong = [1, 9, 2, 2, 2].map((turn, i) => ({ turn, label: i === 3 ? 'bad' : 'good' }))
  expect(read(wrong)).toEqual({ value: [{ label: 'good', ...second }], from: [2], unmatched: 3 })
  for (const other of [null, 'good', [{ turn: '2', label: 'good' }], [{ label: 'good' }]]) expect(read(other)).toBeNull()
  const shown = model.show(complete.tone.value, settings, content as never)
  expect(shown).toEqual([
    { turn: 2, label: 'good' },
    { turn: 4, label: 'bad' },
  ])
  expect(read(shown)?.value).toEqual(complete.tone.value)
})
