import type { SavedView } from '@postil/contract/saved-views.ts'
import type { Response } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bootWithTool, type ResponsesServer } from '#features/responses/testing/boot.ts'
import { rowsOf } from '#features/responses/testing/operations.ts'

let server: ResponsesServer
let [dataset, workspace] = ['', '']
let [ann, bob, admin] = [] as unknown as [TestUser, TestUser, TestUser]

beforeAll(async () => {
  server = await bootWithTool()
  workspace = (await server.createWorkspace()).id
  const workspaces = [workspace]
  ann = await server.createUser({ workspaces, username: 'ann' })
  bob = await server.createUser({ workspaces, username: 'bob' })
  admin = await server.createUser({ role: 'admin', workspaces })
  dataset = (await server.createDataset({ workspace_id: workspace })).id
})
afterAll(() => server.close())

const must = <T>({ status, body }: Response<T>): T => {
  expect([status, status < 300 ? '' : body]).toEqual([status, ''])
  return body
}
const query = 'page=1&status=submitted&sort=record.inserted_at.desc'
const post = (user: TestUser, body: object, id = dataset) =>
  server.clientFor(user).post<SavedView>(`/datasets/${id}/views`, { query, ...body })
const patch = (user: TestUser, { id }: SavedView, body: object) =>
  server.clientFor(user).patch<SavedView>(`/datasets/${dataset}/views/${id}`, body)
const listed = async (user: TestUser, id = dataset) =>
  must(await server.clientFor(user).get<{ items: SavedView[] }>(`/datasets/${id}/views`)).items
const namesOf = async (user: TestUser) => (await listed(user)).map(({ name }) => name)
const remove = (user: TestUser, { id }: SavedView) => server.clientFor(user).delete<SavedView>(`/datasets/${dataset}/views/${id}`)

describe('saved views', () => {
  it('are stored as sent, and are private or shared', async () => {
    const own = must(await post(ann, { name: 'Mine' }))
    expect(own).toMatchObject({ name: 'Mine', query, shared: false, user: { id: ann.id, username: 'ann' } })
    expect(own.updated_at).toBe(own.inserted_at)
    const shared = must(await post(ann, { name: 'Ours', shared: true }))
    expect(await listed(ann)).toEqual([own, shared])
    for (const user of [bob, admin, server.owner]) expect(await listed(user)).toEqual([shared])
    const other = must(await post(bob, { name: 'Mine' }))
    expect(await listed(bob)).toEqual([shared, other])
    for (const [user, view] of [
      [ann, own],
      [ann, shared],
      [bob, other],
    ] as const) {
      expect(must(await remove(user, view))).toEqual(view)
    }
    expect(await listed(bob)).toEqual([])
  })

  it('are renamed, overwritten and shared by their author, and others can edit a shared view but not unshare it', async () => {
    const view = must(await post(ann, { name: 'First' }))
    const renamed = must(await patch(ann, view, { name: 'Second', query: 'status=draft' }))
    expect(renamed).toMatchObject({ id: view.id, name: 'Second', query: 'status=draft', shared: false })
    expect(renamed.updated_at > view.updated_at).toBe(true)
    expect(must(await patch(ann, view, { name: 'Second' })).updated_at).toBe(renamed.updated_at)
    expect((await patch(admin, view, { name: 'Third' })).status).toBe(404)
    must(await patch(ann, view, { shared: true }))
    expect((await patch(bob, view, { name: 'Third' })).status).toBe(403)
    expect(must(await patch(admin, view, { name: 'Third', shared: true })).user.username).toBe('ann')
    expect((await patch(admin, view, { shared: false })).status).toBe(403)
    expect(must(await patch(ann, view, { shared: false })).shared).toBe(false)
    expect((await remove(admin, view)).status).toBe(404)
    must(await remove(ann, view))
  })

  it('have unique names, even under concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(bob, { name: 'Same' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    const other = must(await post(bob, { name: 'Other' }))
    expect((await patch(bob, other, { name: 'Same' })).status).toBe(409)
    // View names are compared exactly, without normalization.
    must(await post(bob, { name: 'same' }))
    expect(await namesOf(bob)).toEqual(['Same', 'Other', 'same'])
  })

  it('that use hidden metadata are hidden from annotators until the metadata is visible', async () => {
    const metadata_properties = ['open', 'secret_one'].map((name) => ({
      name,
      title: name,
      settings: { type: 'terms' },
      visible_for_annotators: name === 'open',
    }))
    const { id } = await server.createDataset({ workspace_id: workspace, metadata_properties })
    const queries = {
      open: 'metadata=open.yes&sort=metadata.open.asc',
      filtered: 'status=draft&metadata=open.yes~secret!5Fone.no',
      unescaped: 'metadata=secret_one.no',
      sorted: 'sort=record.inserted_at.asc~metadata.secret!5Fone.desc',
      unknown: 'metadata=nobody.no',
      words: 'search=secret_one',
    }
    const views = new Map<string, SavedView>()
    for (const [name, text] of Object.entries(queries))
      views.set(name, must(await post(admin, { name, shared: true, query: text }, id)))
    const own = must(await post(ann, { name: 'own', query: queries.filtered }, id))
    const seen = async (user: TestUser) => (await listed(user, id)).map(({ name }) => name)
    expect(await seen(admin)).toEqual(Object.keys(queries))
    expect(await seen(server.owner)).toEqual(Object.keys(queries))
    expect(await seen(bob)).toEqual(['open', 'words'])
    expect(await seen(ann)).toEqual(['open', 'words', 'own'])
    const at = (name: string) => `/datasets/${id}/views/${views.get(name)?.id}`
    for (const name of ['filtered', 'unescaped', 'sorted', 'unknown']) {
      expect((await server.clientFor(bob).patch(at(name), { name: 'x' })).status).toBe(404)
      expect((await server.clientFor(bob).delete(at(name))).status).toBe(404)
    }
    expect((await server.clientFor(bob).delete(at('open'))).status).toBe(403)
    must(await server.clientFor(ann).delete(`/datasets/${id}/views/${own.id}`))
    const { items } = must(
      await server.clientFor(admin).get<{ items: { id: string; name: string }[] }>(`/me/datasets/${id}/metadata-properties`),
    )
    const secret = items.find(({ name }) => name === 'secret_one')
    must(await server.clientFor(admin).patch(`/metadata-properties/${secret?.id}`, { visible_for_annotators: true }))
    expect(await seen(bob)).toEqual(['open', 'filtered', 'unescaped', 'sorted', 'words'])
  })

  it('can’t be found through another dataset', async () => {
    const view = must(await post(ann, { name: 'Here' }))
    const elsewhere = (await server.createDataset({ workspace_id: workspace })).id
    expect((await server.clientFor(ann).delete(`/datasets/${elsewhere}/views/${view.id}`)).status).toBe(404)
    must(await remove(ann, view))
  })

  it('are deleted with their author and with the dataset', async () => {
    const leaver = await server.createUser({ workspaces: [workspace] })
    const gone = must(await post(leaver, { name: 'Gone', shared: true }))
    expect(await namesOf(admin)).toContain('Gone')
    must(await server.clientFor(server.owner).delete(`/users/${leaver.id}`))
    expect(await namesOf(admin)).not.toContain('Gone')
    const ids = async () => (await server.tool.read(rowsOf, { table: 'saved_views' })).map(({ id }) => id)
    expect(await ids()).not.toContain(gone.id)
    const doomed = (await server.createDataset({ workspace_id: workspace })).id
    const view = must(await post(ann, { name: 'Doomed' }, doomed))
    expect(await ids()).toContain(view.id)
    must(await server.clientFor(server.owner).delete(`/datasets/${doomed}`))
    await vi.waitFor(async () => expect(await ids()).not.toContain(view.id), { timeout: 15_000, interval: 100 })
  })
})
