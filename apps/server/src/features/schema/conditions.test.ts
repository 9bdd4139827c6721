import type { Dataset } from '@postil/contract/datasets.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { SchemaVersion } from '@postil/contract/schema-versions.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { problemsOf } from './testing/problems.ts'

let server: TestServer
let owner: Client
beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
})
afterAll(() => server.close())

const options = ['yes', 'no'].map((value) => ({ value, text: value }))
const text = { type: 'text' }
const onYes = { all: [{ question: 'label', in: ['yes'] }] }

const createDataset = async () => {
  const dataset: Dataset = await server.createDataset({ publish: false, questions: [] })
  const path = `/datasets/${dataset.id}`
  const property = (name: string, more: object = {}) =>
    owner.post<MetadataProperty>(`${path}/metadata-properties`, { name, title: name, settings: { type: 'terms' }, ...more })
  const question = (name: string, more: object = {}) =>
    owner.post<Question & { detail: string }>(`${path}/questions`, { name, title: name, settings: text, ...more })
  const label = must(await question('label', { required: true, settings: { type: 'label_selection', options } }))
  return { path, property, question, label, publish: async () => must(await owner.put(`${path}/publish`)) }
}

const refers = (name: string, path: string, reason: string) =>
  expect.stringMatching(new RegExp(`question \`${name}\` is not valid at ${path.replace(/[[\].]/g, '\\$&')}: .*${reason}`))

it('is stored, listed, kept by updates that do not name it, and removed with null', async () => {
  const { path, property, question, label } = await createDataset()
  const lang = must(await property('lang'))
  const condition = {
    any: [
      ...onYes.all,
      {
        all: [
          { metadata: 'lang', in: ['de'] },
          { question: 'label', answered: true },
        ],
      },
    ],
  }
  const why = must(await question('why', { shown_when: condition }))
  expect(why.shown_when).toEqual(condition)
  expect(label).not.toHaveProperty('shown_when')
  const list = async () => must(await owner.get<{ items: Question[] }>(`${path}/questions`)).items
  expect((await list()).map(({ shown_when }) => shown_when)).toEqual([undefined, condition])
  // The published client sends updates without a condition.
  const update = { title: 'Why?', description: 'Say why', settings: { type: 'text', use_markdown: true } }
  expect(must(await owner.patch<Question>(`/questions/${why.id}`, update)).shown_when).toEqual(condition)
  expect(must(await owner.patch<Question>(`/questions/${why.id}`, { shown_when: onYes })).shown_when).toEqual(onYes)
  expect(must(await owner.patch<Question>(`/questions/${why.id}`, { shown_when: condition })).shown_when).toEqual(condition)

  const removed = await owner.delete<{ detail: string }>(`/questions/${label.id}`)
  expect([removed.status, removed.body.detail]).toEqual([
    422,
    expect.stringContaining('condition of question `why` refers to it'),
  ])
  const refused = expect.stringContaining(
    '`lang` cannot be deleted or hidden from annotators, because the condition of question `why`',
  )
  expect((await owner.delete<{ detail: string }>(`/metadata-properties/${lang.id}`)).body.detail).toEqual(refused)
  const hide = () => owner.patch<{ detail: string }>(`/metadata-properties/${lang.id}`, { visible_for_annotators: false })
  expect((await hide()).body.detail).toEqual(refused)

  expect(must(await owner.patch<Question>(`/questions/${why.id}`, { shown_when: null }))).not.toHaveProperty('shown_when')
  must(await hide())
  must(await owner.delete(`/metadata-properties/${lang.id}`))
  must(await owner.delete(`/questions/${label.id}`))
})

it('is refused with the question, the path and the reason', async () => {
  const { property, question } = await createDataset()
  must(await property('secret', { visible_for_annotators: false }))
  must(await property('size', { settings: { type: 'integer', min: 1 } }))
  must(await question('note'))
  const cases: readonly (readonly [object, string, string])[] = [
    [{ all: [{ question: 'nope', in: ['yes'] }] }, 'shown_when.all[0]', 'no question `nope`'],
    [{ all: [{ question: 'why', answered: true }] }, 'shown_when.all[0]', 'does not come before'],
    [{ any: [...onYes.all, { question: 'label', in: ['maybe'] }] }, 'shown_when.any[1]', '"maybe" is not a valid option'],
    [{ any: [{ all: [{ question: 'note', in: ['x'] }] }] }, 'shown_when.any[0].all[0]', 'only `answered`'],
    [{ all: [{ metadata: 'nope', in: ['x'] }] }, 'shown_when.all[0]', 'no metadata property `nope`'],
    [{ all: [{ metadata: 'secret', in: ['x'] }] }, 'shown_when.all[0]', 'annotators cannot see'],
    [{ all: [{ metadata: 'size', in: [0] }] }, 'shown_when.all[0]', 'must be at least 1'],
  ]
  for (const [shown_when, path, reason] of cases) {
    const { status, body } = await question('why', { shown_when })
    expect([status, body.detail]).toEqual([422, refers('why', path, reason)])
  }
  const shapes: readonly (readonly [unknown, (string | number)[]])[] = [
    [{ all: [] }, ['too_short', 'shown_when', 'all']],
    [{ all: [{ any: [] }] }, ['too_short', 'shown_when', 'all', 0, 'any']],
    [{ all: [{ any: [{ all: [{ any: onYes.all }] }] }] }, ['value_error', 'shown_when', 'all', 0, 'any', 0, 'all', 0]],
    [{ all: [{ question: 'label', in: [] }] }, ['too_short', 'shown_when', 'all', 0, 'in']],
    ['yes', ['dict_type', 'shown_when']],
  ]
  for (const [shown_when, problem] of shapes) expect(problemsOf(await question('why', { shown_when }))).toEqual([problem])
})

it('can only refer to earlier questions, so there are no cycles', async () => {
  const { question, label } = await createDataset()
  const one = must(await question('one', { shown_when: onYes }))
  const two = must(await question('two', { shown_when: { all: [{ question: 'one', answered: true }] } }))
  const back = await owner.patch<{ detail: string }>(`/questions/${one.id}`, {
    shown_when: { all: [{ question: 'two', answered: true }] },
  })
  expect([back.status, back.body.detail]).toEqual([422, refers('one', 'shown_when.all[0]', 'does not come before')])
  const first = await owner.patch<{ detail: string }>(`/questions/${label.id}`, {
    shown_when: { all: [{ question: 'one', answered: true }] },
  })
  expect(first.status).toBe(422)
  expect(two.shown_when).toBeDefined()
})

it('creates a version of a published dataset that can be reverted', async () => {
  const { path, question, publish } = await createDataset()
  const why = must(await question('why', { shown_when: onYes }))
  await publish()
  const onNo = { all: [{ question: 'label', in: ['no'] }] }
  must(await owner.patch(`/questions/${why.id}`, { shown_when: onNo }))
  const versions = async () => must(await owner.get<{ items: SchemaVersion[] }>(`${path}/schema-versions`)).items
  const edit = { type: 'edit_condition', question_id: why.id, before: onYes, after: onNo }
  expect(await versions()).toMatchObject([{ no: 1, changes: [edit], revertible: true }])
  const reverted = must(await owner.post<SchemaVersion>(`${path}/schema/1/revert`))
  expect(reverted.changes).toEqual([
    { type: 'revert', no: 1 },
    { ...edit, before: onNo, after: onYes },
  ])
  const [, now] = must(await owner.get<{ items: Question[] }>(`${path}/questions`)).items
  expect(now?.shown_when).toEqual(onYes)
  expect(await versions()).toMatchObject([{ revertible: false }, { no: 1, revertible: false }])
  expect((await owner.post(`${path}/schema/1/revert`)).status).toBe(409)
})
