import type { ComparisonReport } from '@postil/contract/comparisons.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const option = (value: string) => ({ value, text: value })
const compare = {
  options: { a: 'one', a_much: 'one', b: 'two', b_much: 'two' },
  strong: ['a_much', 'b_much'],
  ties: 'tie',
  both_bad: 'bad',
}
const asked = {
  fields: ['one', 'two'].map((name) => ({ name, required: true, settings: { type: 'text' } })),
  questions: [
    {
      name: 'better',
      required: true,
      settings: {
        type: 'label_selection',
        postil_kind: 'comparison',
        options: ['a', 'a_much', 'tie', 'bad', 'b', 'b_much'].map(option),
        compare,
      },
    },
    { name: 'tone', settings: { type: 'label_selection', options: ['x', 'y'].map(option) } },
  ],
  metadata_properties: ['model_one', 'model_two'].map((name) => ({ name, settings: { type: 'terms' } })),
}

type Given = {
  readonly value: string
  readonly models?: readonly [string, string]
  readonly shown?: readonly [string, string]
  readonly status?: string
}

const datasetWith = async (answers: readonly Given[]): Promise<string> => {
  const { id } = await server.createDataset(asked)
  const owner = server.clientFor(server.owner)
  for (let from = 0; from < answers.length; from += 500) {
    const items = answers.slice(from, from + 500).map(({ value, models, shown, status = 'submitted' }) => ({
      fields: { one: '1', two: '2' },
      ...(models && { metadata: { model_one: models[0], model_two: models[1] } }),
      responses: [
        { user_id: server.owner.id, status, values: { better: { value } }, ...(shown && { shown: { better: shown } }) },
      ],
    }))
    expect(await owner.post(`/datasets/${id}/records/bulk`, { items })).toMatchObject({ status: 201 })
  }
  return id
}
const get = <T>(id: string, query = '') => server.clientFor(server.owner).get<T>(`/datasets/${id}/comparisons${query}`)
const reportOf = (id: string, query = '') => get<{ items: ComparisonReport[] }>(id, query)
const withModels = '?first=model_one&second=model_two'
const times = (n: number, given: Given): Given[] => Array.from({ length: n }, () => given)

it('counts preferred fields, ties and choices of the first side', async () => {
  const id = await datasetWith([
    { value: 'a', shown: ['one', 'two'] },
    { value: 'a_much', shown: ['two', 'one'] },
    { value: 'b', shown: ['two', 'one'] },
    { value: 'b_much' },
    { value: 'tie', shown: ['one', 'two'] },
    { value: 'bad' },
    { value: 'a', status: 'draft' },
  ])
  const { body } = await reportOf(id)
  expect(body.items).toMatchObject([
    {
      name: 'better',
      answers: 6,
      fields: [
        { name: 'one', preferred: 2 },
        { name: 'two', preferred: 2 },
      ],
      ties: 1,
      both_bad: 1,
      sides: { answers: 3, first: 2, share: { value: 2 / 3 } },
      models: null,
    },
  ])
})

it('ranks models, and lists models that cannot be compared without a score', async () => {
  const id = await datasetWith([
    ...times(6, { value: 'a', models: ['x', 'y'] }),
    ...times(2, { value: 'b', models: ['x', 'y'] }),
    // The same models on swapped sides.
    ...times(3, { value: 'b_much', models: ['y', 'x'] }),
    { value: 'a', models: ['y', 'x'] },
    { value: 'tie', models: ['y', 'z'] },
    // A model that has won every comparison has no finite strength.
    { value: 'a', models: ['winner', 'x'] },
    { value: 'a', models: ['x', 'x'] },
    { value: 'bad' },
  ])
  const { body } = await reportOf(id, withModels)
  const [report] = body.items
  expect([report?.models?.comparisons, report?.models?.left_out]).toEqual([14, 2])
  const ranking = report?.models?.ranking ?? []
  expect(ranking.map(({ name, wins, losses, ties }) => [name, wins, losses, ties])).toEqual([
    ['x', 9, 4, 0],
    ['y', 3, 9, 1],
    ['z', 0, 0, 1],
    ['winner', 1, 0, 0],
  ])
  expect(ranking.map(({ score }) => score === null)).toEqual([false, false, false, true])
  // x wins 3 of 4 comparisons with y, and y ties with z.
  const strength = (name: string) => {
    const score = ranking.find((one) => one.name === name)?.score ?? Number.NaN
    return Math.log(score / (1 - score))
  }
  expect(strength('x') - strength('y')).toBeCloseTo(Math.log(3), 6)
  expect(strength('y') - strength('z')).toBeCloseTo(0, 6)
})

it('explains what is wrong with a request', async () => {
  const id = await datasetWith([])
  const detailOf = async (query: string) => {
    const { status, body } = await get<{ detail: unknown }>(id, query)
    return [status, body.detail]
  }
  expect(await detailOf('?first=model_one')).toEqual([422, 'Send both `first` and `second`, or neither'])
  expect(await detailOf('?first=model_one&second=other')).toEqual([422, 'Metadata property `other` not found in the dataset'])
  const models = Array.from({ length: 51 }, (_, at): Given => ({ value: 'a', models: [`model ${at}`, `model ${at + 1}`] }))
  expect((await reportOf(await datasetWith(models), withModels)).body).toEqual({
    detail: 'The metadata properties name 52 different models, and the maximum is 50',
  })
})

it('has no reports for datasets without comparison questions', async () => {
  const { id } = await server.createDataset()
  expect((await reportOf(id)).body).toEqual({ items: [] })
})
