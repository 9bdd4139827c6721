import { fileURLToPath } from 'node:url'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askLabelStudio, INSTALL_TIMEOUT } from '../oracles/python.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer({ engine: 'sqlite' })
})
afterAll(() => server.close())

const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const settings = {
  fields: [{ name: 'text', required: true, settings: { type: 'text' } }],
  questions: [
    { name: 'mood', required: true, settings: { type: 'label_selection', options: options('calm', 'glad') } },
    { name: 'topics', settings: { type: 'multi_label_selection', options: options('a', 'b') } },
    { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }, { value: 3 }] } },
    { name: 'order', settings: { type: 'ranking', options: options('p', 'q') } },
    { name: 'names', settings: { type: 'span', field: 'text', options: options('per', 'place') } },
    { name: 'note', settings: { type: 'text' } },
  ],
}
const values = {
  mood: { value: 'glad' },
  topics: { value: ['b', 'a'] },
  stars: { value: 3 },
  order: {
    value: [
      { value: 'q', rank: 1 },
      { value: 'p', rank: 2 },
    ],
  },
  names: { value: [{ label: 'per', start: 4, end: 7 }] },
  note: { value: 'fine' },
}
const config = `<View>
  <Text name="text" value="$text"/>
  <Choices name="mood" toName="text"><Choice value="calm"/><Choice value="glad"/></Choices>
  <Choices name="topics" toName="text" choice="multiple"><Choice value="a"/><Choice value="b"/></Choices>
  <Rating name="stars" toName="text" maxRating="3"/>
  <Ranker name="order" toName="text"/>
  <Labels name="names" toName="text"><Label value="per"/><Label value="place"/></Labels>
  <TextArea name="note" toName="text"/>
</View>`

it('writes tasks that are valid for Label Studio', { timeout: INSTALL_TIMEOUT }, async () => {
  const dataset = await server.createDataset(settings)
  const ann = await server.createUser({ username: 'ann@example.org', workspaces: [dataset.workspace_id] })
  const client = server.clientFor(server.owner)
  const questions = (await client.get<{ items: { id: string; name: string }[] }>(`/datasets/${dataset.id}/questions`)).body.items
  const suggestions = questions.map(({ id, name }) => ({
    question_id: id,
    value: values[name as keyof typeof values].value,
    agent: 'model',
  }))
  await client.post(`/datasets/${dataset.id}/records/bulk`, {
    items: [
      {
        external_id: 'one',
        fields: { text: '👩‍🔬 Ada wrote' },
        responses: [{ user_id: ann.id, status: 'submitted', values }],
        suggestions,
      },
      { external_id: 'two', fields: { text: 'Skipped' }, responses: [{ user_id: ann.id, status: 'discarded' }] },
    ],
  })
  const answer = await fetch(`${server.url}/api/v1/datasets/${dataset.id}/records/download?format=label_studio`, {
    headers: { 'x-argilla-api-key': server.owner.api_key },
  })
  const tasks = (await answer.json()) as { annotations: { result: { type: string }[] }[] }[]
  const script = fileURLToPath(new URL('label-studio/validate.py', import.meta.url))
  expect(await askLabelStudio(script, { config, tasks })).toEqual({ tasks: 2, results: 6, faults: [] })
  const [first] = tasks[0]?.annotations ?? []
  const broken = { ...tasks[0], annotations: [{ ...first, result: [{ ...first?.result[0], value: { choices: ['unknown'] } }] }] }
  expect(await askLabelStudio(script, { config, tasks: [broken] })).toMatchObject({
    faults: [expect.anything(), expect.anything()],
  })
})
