import type { Home } from '@postil/contract/home.ts'
import { questionType } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { settings } = questionType('comparison').fixtures
const fields = ['text', 'other'].map((name) => ({ name, required: true, settings: { type: 'text' } }))
const asked = { fields, questions: [{ name: 'q', required: true, settings }] }
const content = { text: 'Paris', other: 'The capital is Paris.' }
let server: TestServer

beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const answered = async (answer: object): Promise<{ readonly record: string; readonly response: Response }> => {
  const owner = server.clientFor(server.owner)
  const { id } = await server.createDataset(asked)
  const { body } = await owner.post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, { items: [{ fields: content }] })
  const record = body.items[0]?.id ?? ''
  const sent = { mutation_id: crypto.randomUUID(), base_version: null, status: 'submitted', values: { q: { value: 'b' } } }
  const { body: response } = await owner.put<Response>(`/records/${record}/responses/mine`, { ...sent, ...answer })
  return { record, response }
}

test('is created, answered and found by its answers', async () => {
  const owner = server.clientFor(server.owner)
  const { id } = await server.createDataset(asked)
  const [question] = (await owner.get<{ items: Question[] }>(`/datasets/${id}/questions`)).body.items
  expect(question?.settings).toEqual(settings)
  const [home] = (await owner.get<Home>('/me/home')).body.datasets
  expect(home?.question_types).toEqual(['comparison'])

  const items = ['a', 'b', 'tie'].map((value) => ({
    fields: content,
    responses: [{ user_id: server.owner.id, status: 'submitted', values: { q: { value } } }],
  }))
  expect(await owner.post(`/datasets/${id}/records/bulk`, { items })).toMatchObject({ status: 201 })
  const wrong = [{ ...items[0], responses: [{ ...items[0]?.responses[0], values: { q: { value: 'maybe' } } }] }]
  expect(await owner.post(`/datasets/${id}/records/bulk`, { items: wrong })).toMatchObject({ status: 422 })

  const scope = { entity: 'response', question: 'q' }
  const filters = { type: 'and', and: [{ type: 'terms', scope, values: ['b', 'tie'] }] }
  expect(await owner.post(`/datasets/${id}/records/search`, { filters })).toMatchObject({ status: 200, body: { total: 2 } })

  // A client that doesn't know comparison questions sends their published type: `label_selection`.
  const options = ['tie', 'b', 'a'].map((value) => ({ value, text: `${value}!`, description: null }))
  const changed = await owner.patch<Question>(`/questions/${question?.id}`, {
    settings: { type: 'label_selection', options, visible_options: null },
  })
  expect(changed.body.settings).toEqual({ ...settings, options })
})

test('is refused for fields that the dataset does not have', async () => {
  await expect(server.createDataset({ ...asked, fields: fields.slice(0, 1) })).rejects.toThrow(/`other` is not a field/)
})

test('an answer keeps the order in which its author saw the fields', async () => {
  const owner = server.clientFor(server.owner)
  const shown = { q: ['other', 'text'] }
  const { record, response } = await answered({ shown })
  expect(response.shown).toEqual(shown)
  const read = async () => (await owner.get<{ responses: Response[] }>(`/records/${record}`)).body.responses[0]?.shown
  expect(await read()).toEqual(shown)
  // A client that doesn't know `shown` omits it and sends the same values back.
  await owner.put(`/responses/${response.id}`, { status: 'submitted', values: { q: { value: 'b' } } })
  expect(await read()).toEqual(shown)
  // The new value may have been chosen while the fields were shown in a different order.
  await owner.put(`/responses/${response.id}`, { status: 'submitted', values: { q: { value: 'a' } } })
  expect(await read()).toBeUndefined()
})

test('the answer is stored without entries of the shown order that fit no comparison', async () => {
  const wrong = { q: ['text', 'text'], another: ['text', 'other'] }
  const { response } = await answered({ shown: wrong })
  expect([response.status, response.shown]).toEqual(['submitted', undefined])
})
