import type { QuestionColours } from '@postil/contract/label-colours.ts'
import type { Question } from '@postil/contract/questions.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Response } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'

let server: TestServer
let [dataset, workspace] = ['', '']
let questions: readonly Question[] = []
const labels = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))

beforeAll(async () => {
  server = await bootServer()
  workspace = (await server.createWorkspace()).id
  const made = await server.createDataset({
    workspace_id: workspace,
    questions: [
      { name: 'label', required: true, settings: { type: 'label_selection', options: labels('a', 'b', '__proto__') } },
      { name: 'order', settings: { type: 'ranking', options: labels('p', 'q') } },
      { name: 'words', settings: { type: 'span', field: 'text', options: labels('s') } },
      { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] } },
    ],
  })
  dataset = made.id
  questions = must(await server.clientFor(server.owner).get<{ items: Question[] }>(`/datasets/${dataset}/questions`)).items
})
afterAll(() => server.close())

const must = <T>({ status, body }: Response<T>): T => {
  expect([status, status < 300 ? '' : body]).toEqual([status, ''])
  return body
}
const idOf = (name: string) => questions.find((question) => question.name === name)?.id ?? ''
const choose = async (name: string, ...colours: readonly (readonly [string, number])[]) => {
  const body = { colours: colours.map(([value, hue]) => ({ value, hue })) }
  return must(await server.clientFor(server.owner).put<QuestionColours>(`/questions/${idOf(name)}/label-colours`, body))
}
const listed = async () =>
  must(await server.clientFor(server.owner).get<{ items: QuestionColours[] }>(`/datasets/${dataset}/label-colours`)).items

it('returns colors for labels of every type, in label order, to everyone who can see the dataset', async () => {
  expect(await listed()).toEqual([])
  const label = await choose('label', ['__proto__', 359], ['a', 0])
  expect(label.colours).toEqual([
    { value: 'a', hue: 0 },
    { value: '__proto__', hue: 359 },
  ])
  const words = await choose('words', ['s', 120])
  const order = await choose('order', ['q', 30])
  expect(await listed()).toEqual([label, order, words])
  const ann = await server.createUser({ workspaces: [workspace] })
  expect(must(await server.clientFor(ann).get(`/datasets/${dataset}/label-colours`))).toEqual({ items: [label, order, words] })
})

it('removes omitted colors, and keeps the question as the wire defines it', async () => {
  await choose('label', ['a', 10], ['b', 20])
  expect((await choose('label', ['b', 20])).colours).toEqual([{ value: 'b', hue: 20 }])
  await choose('label')
  expect((await listed()).map(({ question_id }) => question_id)).not.toContain(idOf('label'))
  expect(must(await server.clientFor(server.owner).get(`/datasets/${dataset}/questions`))).toEqual({ items: questions })
})

it('keeps colors when the order and texts of labels change', async () => {
  await choose('label', ['b', 20])
  const options = labels('__proto__', 'b', 'a').map((option) => ({ ...option, text: `${option.text}!` }))
  must(
    await server.clientFor(server.owner).patch(`/questions/${idOf('label')}`, { settings: { type: 'label_selection', options } }),
  )
  expect((await listed())[0]?.colours).toEqual([{ value: 'b', hue: 20 }])
})
