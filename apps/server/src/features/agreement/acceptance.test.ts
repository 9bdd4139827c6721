import type { Dataset } from '@postil/contract/datasets.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { actorOf } from '#platform/auth/actor.ts'
import { readAcceptance } from './acceptance.ts'

const options = ['x', 'y'].map((value) => ({ value, text: value }))
let server: TestServer
let dataset: Dataset
let ann: TestUser
let bob: TestUser
let records: readonly string[]

const questionNamed = (name: string) => questions.find((one) => one.name === name)!.id
let questions: readonly { id: string; name: string }[]
type Use = readonly [outcome: string, agent: string | null]
const answer = (user: TestUser, record: number, status: string, uses: { readonly [question: string]: Use } | null) =>
  server.clientFor(user).post(`/records/${records[record]}/responses`, {
    status,
    values: { label: { value: 'x' } },
    suggestion_outcomes:
      uses && Object.fromEntries(Object.entries(uses).map(([name, [outcome, agent]]) => [name, { outcome, agent }])),
  })
const acceptance = (user: TestUser, perUser = false, users: readonly string[] | null = null) =>
  server.app.ctx.store.read(readAcceptance, { user: actorOf(user), dataset_id: dataset.id, users, perUser })

beforeAll(async () => {
  server = await bootServer()
  const workspace = (await server.createWorkspace()).id
  ann = await server.createUser({ workspaces: [workspace] })
  bob = await server.createUser({ workspaces: [workspace] })
  dataset = await server.createDataset({
    workspace_id: workspace,
    distribution: { strategy: 'overlap', min_submitted: 3 },
    questions: ['label', 'other'].map((name) => ({
      name,
      required: name === 'label',
      settings: { type: 'label_selection', options },
    })),
  })
  const items = Array.from({ length: 6 }, (_, i) => ({ fields: { text: `record ${i}` } }))
  const path = `/datasets/${dataset.id}/records/bulk`
  records = (await server.clientFor(server.owner).post<{ items: { id: string }[] }>(path, { items })).body.items.map(
    ({ id }) => id,
  )
  const { body } = await server.clientFor(server.owner).get<{ items: typeof questions }>(`/datasets/${dataset.id}/questions`)
  questions = body.items
  const suggestion = { question_id: questionNamed('other'), value: 'y', agent: 'model-2' }
  await server.clientFor(server.owner).put(`/records/${records[5]}/suggestions`, suggestion)
  await answer(ann, 0, 'submitted', { label: ['confirmed', 'model-1'], other: ['changed', null] })
  await answer(ann, 1, 'submitted', { label: ['confirmed', 'model-1'] })
  await answer(ann, 2, 'submitted', { label: ['accepted_unseen', 'model-2'] })
  await answer(ann, 3, 'draft', { label: ['changed', 'model-1'] })
  await answer(ann, 5, 'submitted', null)
  await answer(bob, 0, 'submitted', { label: ['changed', 'model-1'] })
  await answer(bob, 1, 'submitted', {})
})
afterAll(() => server.close())

const counts = (found: Awaited<ReturnType<typeof acceptance>>) =>
  found.map(({ question, agent, shown, confirmed, changed, accepted_unseen, unknown }) => [
    question,
    agent,
    [shown, confirmed, changed, accepted_unseen, unknown],
  ])

it('counts what became of the suggestions in submitted answers, by question and agent', async () => {
  expect(counts(await acceptance(server.owner))).toEqual([
    ['label', 'model-1', [3, 2, 1, 0, 0]],
    ['label', 'model-2', [1, 0, 0, 1, 0]],
    ['other', null, [1, 0, 1, 0, 0]],
    ['other', 'model-2', [0, 0, 0, 0, 1]],
  ])
})

it('counts each person’s answers separately on request', async () => {
  const found = await acceptance(server.owner, true)
  const own = found.filter(({ user_id, agent }) => user_id === bob.id && agent === 'model-1')
  expect(counts(own)).toEqual([['label', 'model-1', [1, 0, 1, 0, 0]]])
  expect(found.every(({ user_id }) => user_id !== null)).toBe(true)
  expect(counts(await acceptance(server.owner, false, [bob.id]))).toEqual([['label', 'model-1', [1, 0, 1, 0, 0]]])
})

it('is not for annotators', async () => {
  await expect(acceptance(ann)).rejects.toMatchObject({ data: { kind: 'forbidden' } })
})
