import type { AnnotationSetup } from '@postil/contract/annotation-setup.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'

let server: TestServer
let ann: TestUser
let dataset: { readonly id: string; readonly workspace_id: string }

const get = async <T>(user: TestUser | null, path: string) => server.clientFor(user).get<T>(path)
const setupOf = (user: TestUser | null, id: string) => get<AnnotationSetup>(user, `/me/datasets/${id}/annotation`)

beforeAll(async () => {
  server = await bootServer()
  const workspace = await server.createWorkspace()
  ann = await server.createUser({ workspaces: [workspace.id] })
  const options = ['yes', 'no'].map((value) => ({ value, text: value }))
  dataset = await server.createDataset({
    workspace_id: workspace.id,
    guidelines: 'Look twice.',
    fields: [
      { name: 'b', required: true, settings: { type: 'text' } },
      { name: 'a', settings: { type: 'image' } },
    ],
    questions: [
      { name: 'label', required: true, settings: { type: 'label_selection', options } },
      { name: 'note', settings: { type: 'text' } },
    ],
  })
  const owner = server.clientFor(server.owner)
  const { body: vectors } = await owner.post<{ id: string }>(`/datasets/${dataset.id}/vectors-settings`, {
    name: 'embedding',
    title: 'Embedding',
    dimensions: 3,
  })
  expect(vectors.id).toBeDefined()
  const { questions } = (await setupOf(server.owner, dataset.id)).body
  await owner.put(`/questions/${questions[0]?.id}/label-colours`, { colours: [{ value: 'no', hue: 10 }] })
  const items = ['x', 'y', 'z'].map((b) => ({ fields: { b } }))
  const { body } = await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
  await server
    .clientFor(ann)
    .post(`/records/${body.items[0]?.id}/responses`, { status: 'submitted', values: { label: { value: 'yes' } } })
  await server.clientFor(ann).post(`/records/${body.items[1]?.id}/responses`, { status: 'draft', values: {} })
})
afterAll(() => server.close())

it('GET /datasets/{id}/annotation returns the same as the individual routes, for each caller', async () => {
  for (const user of [ann, server.owner]) {
    const { body: setup, status } = await setupOf(user, dataset.id)
    expect(status).toBe(200)
    const at = async <T>(path: string) => (await get<T>(user, path)).body
    const listed = async (part: string) => (await at<{ items: unknown[] }>(`/datasets/${dataset.id}/${part}`)).items
    expect(setup).toEqual({
      dataset: await at(`/datasets/${dataset.id}`),
      workspace: await at(`/workspaces/${dataset.workspace_id}`),
      fields: await listed('fields'),
      questions: await listed('questions'),
      label_colours: await listed('label-colours'),
      vectors_settings: await listed('vectors-settings'),
      search_settings: await at(`/datasets/${dataset.id}/search-settings`),
      suggestion_settings: await at(`/datasets/${dataset.id}/suggestion-settings`),
      progress: await at(`/datasets/${dataset.id}/progress`),
      metrics: (await at<{ responses: unknown }>(`/me/datasets/${dataset.id}/metrics`)).responses,
      ...(await at<object>(`/me/datasets/${dataset.id}/seen-version`)),
    })
    for (const part of [setup.fields, setup.questions]) expect(part).toHaveLength(2)
    for (const part of [setup.label_colours, setup.vectors_settings]) expect(part).toHaveLength(1)
    expect(setup.progress.users).toEqual([{ username: ann.username }])
    expect([setup.metrics.submitted, setup.metrics.left]).toEqual(user === ann ? [1, 1] : [0, 2])
  }
})

it('GET /datasets/{id}/annotation also works for a draft', async () => {
  const draft = await server.createDataset({ workspace_id: dataset.workspace_id, publish: false })
  const { body } = await setupOf(ann, draft.id)
  expect(body.dataset.status).toBe('draft')
  expect(body.progress.total).toBe(0)
})

it('GET /datasets/{id}/annotation is limited to members and owners, and returns 404 for a deleted dataset', async () => {
  const stranger = await server.createUser({ role: 'admin' })
  expect((await setupOf(stranger, dataset.id)).status).toBe(403)
  expect((await setupOf(null, dataset.id)).status).toBe(401)
  const { id } = await server.createDataset({ workspace_id: dataset.workspace_id })
  expect((await setupOf(ann, id)).status).toBe(200)
  await server.clientFor(server.owner).delete(`/datasets/${id}`)
  for (const user of [ann, stranger, server.owner]) expect((await setupOf(user, id)).status).toBe(404)
})
