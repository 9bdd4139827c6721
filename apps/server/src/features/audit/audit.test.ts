import type { AuditEntry } from '@postil/contract/audit.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { testEngine } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { begun, codeOf } from '#tests/api/testing/second-factor.ts'
import { changeEntries, removeEntries, replaceEntries, upsertEntries } from './testing/operations.ts'

let server: TestServer
let tool: Store
beforeAll(async () => {
  server = await bootServer({ delivery: null })
  const { dataDir, databaseUrl } = server.app.ctx.config
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
})
afterAll(async () => {
  await tool.close()
  await server.close()
})

const LABEL = {
  name: 'label',
  title: 'Label',
  required: true,
  settings: {
    type: 'label_selection',
    options: [
      { value: 'yes', text: 'Yes' },
      { value: 'no', text: 'No' },
    ],
  },
}

const owner = () => server.clientFor(server.owner)
const log = async (query = ''): Promise<AuditEntry[]> => {
  const { status, body } = await owner().get<{ items: AuditEntry[] }>(`/audit${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.items
}
const last = async (): Promise<AuditEntry> => {
  const [entry] = await log('?limit=1')
  if (entry === undefined) throw new Error('the log is empty')
  return entry
}

describe('audit log entries', () => {
  it('contain who did what, to what, when, and from where', async () => {
    const began = Date.now()
    const { body } = await owner().post<{ id: string }>('/users', {
      username: 'ada',
      first_name: 'Ada',
      role: 'admin',
      password: 'a secret of Ada',
    })
    const entry = await last()
    expect(entry).toMatchObject({
      actor: { id: server.owner.id, name: server.owner.username },
      action: 'users.create',
      target: { id: body.id, name: 'ada' },
      details: { username: 'ada', role: 'admin', first_name: 'Ada' },
    })
    expect(entry.address).toMatch(/^(::ffff:)?127\.0\.0\.1$|^::1$/)
    expect(Math.abs(Date.parse(`${entry.at}Z`) - began)).toBeLessThan(60_000)
    expect(JSON.stringify(await log())).not.toContain('secret')
  })

  it('cover workspaces, members, datasets, webhooks, keys, settings and downloads', async () => {
    const client = owner()
    const workspace = (await client.post<{ id: string }>('/workspaces', { name: 'audited' })).body.id
    const user = await server.createUser({})
    await client.post(`/workspaces/${workspace}/users`, { user_id: user.id })
    const { id } = await server.createDataset({ workspace_id: workspace })
    await client.put(`/datasets/${id}/queue-settings`, { max_per_person: 3 })
    await client.get(`/datasets/${id}/records/download?format=jsonl`)
    await client.post(`/users/${user.id}/api-key`)
    const hook = await client.post<{ id: string }>('/webhooks', {
      url: 'https://example.com/hook',
      events: ['record.created'],
      description: 'x',
    })
    await client.delete(`/webhooks/${hook.body.id}`)
    await client.delete(`/workspaces/${workspace}/users/${user.id}`)
    const entries = await log('?limit=200')
    const acts = entries.map(({ action }) => action)
    for (const action of [
      'workspaces.create',
      'workspaces.add_user',
      'datasets.create',
      'datasets.publish',
      'queue.set_settings',
      'files.download',
      'users.change_api_key',
      'webhooks.create',
      'webhooks.delete',
      'workspaces.remove_user',
    ])
      expect(acts).toContain(action)
    const of = (action: string) => entries.find((entry) => entry.action === action)
    expect(of('queue.set_settings')).toMatchObject({ target: { id }, details: { max_per_person: 3 } })
    expect(of('files.download')).toMatchObject({ target: { id }, details: { format: 'jsonl' } })
    expect(of('webhooks.create')?.target).toEqual({ id: hook.body.id, name: 'https://example.com/hook' })
    // Entries are newest first, one per action.
    expect(acts.filter((action) => action === 'users.change_api_key')).toHaveLength(1)
    expect(entries.map(({ id: entry }) => entry)).toEqual(
      entries
        .map(({ id: entry }) => entry)
        .toSorted()
        .toReversed(),
    )
  })

  it('cover every deletion of records, of one, several or all that a search finds, and label colors', async () => {
    const client = owner()
    const { id } = await server.createDataset({ questions: [LABEL] })
    const { items: questions } = (await client.get<{ items: { id: string }[] }>(`/datasets/${id}/questions`)).body
    const items = ['a', 'b', 'c'].map((text) => ({ fields: { text } }))
    const records = (await client.post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, { items })).body.items
    expect((await client.delete(`/records/${records[0]?.id}`)).status).toBe(200)
    expect(await last()).toMatchObject({ action: 'records.delete', target: { id: records[0]?.id } })
    await client.delete(`/datasets/${id}/records?ids=${records[1]?.id},${records[2]?.id}`)
    expect(await last()).toMatchObject({ action: 'records.delete_many', target: { id } })
    expect((await client.post(`/datasets/${id}/records/delete`, { search: {} })).status).toBe(202)
    expect(await last()).toMatchObject({ action: 'record_deletions.start', target: { id } })
    const question = questions[0]?.id
    expect((await client.put(`/questions/${question}/label-colours`, { colours: [{ value: 'yes', hue: 120 }] })).status).toBe(200)
    expect(await last()).toMatchObject({ action: 'label_colours.update', target: { id: question } })
    // A rejected request is not recorded.
    expect((await client.delete(`/records/${records[0]?.id}`)).status).toBe(404)
    expect((await last()).action).toBe('label_colours.update')
  })

  it('cover changes to second factors, but not the display of a code', async () => {
    const user = await server.createUser({})
    const client = server.clientFor(user)
    const app = await begun(client, user)
    const before = await last()
    expect((await client.put('/me/second-factor', { code: '000000' })).status).toBe(422)
    expect((await last()).id).toBe(before.id)
    await client.put('/me/second-factor', { code: codeOf(app) })
    const entry = await last()
    expect(entry).toMatchObject({ actor: { id: user.id }, action: 'second_factor.activate', details: {} })
    expect(
      (await client.post('/me/second-factor/remove', { current_password: user.password, code: 'ABCD-EFGH-JKLM' })).status,
    ).toBe(422)
    expect((await last()).id).toBe(entry.id)
    const code = codeOf(app, 1)
    expect((await client.post('/me/second-factor/remove', { current_password: user.password, code })).status).toBe(204)
    expect(await last()).toMatchObject({ actor: { id: user.id }, action: 'second_factor.remove' })
    expect(JSON.stringify(await log())).not.toContain(code)
  })

  it('contain names for their IDs: current ones, or the logged ones of deleted objects', async () => {
    const client = owner()
    const workspace = (await client.post<{ id: string }>('/workspaces', { name: 'called' })).body.id
    const user = (
      await client.post<{ id: string }>('/users', {
        username: 'grace',
        first_name: 'Grace',
        role: 'annotator',
        password: 'a secret of Grace',
      })
    ).body.id
    await client.post(`/workspaces/${workspace}/users`, { user_id: user })
    expect(await last()).toMatchObject({
      action: 'workspaces.add_user',
      target: { id: workspace, name: 'called' },
      details: { user_id: user },
      names: { user_id: 'grace' },
    })
    const { id } = await server.createDataset({ name: 'things', workspace_id: workspace })
    const created = (await log('?action=questions.create&limit=1'))[0]
    expect(created).toMatchObject({ details: { dataset_id: id }, names: { dataset_id: 'things' } })
    await client.delete(`/workspaces/${workspace}/users/${user}`)
    expect(await last()).toMatchObject({
      target: { id: user, name: 'grace' },
      details: { workspace_id: workspace },
      names: { workspace_id: 'called' },
    })
    await client.patch(`/users/${user}`, { username: 'hopper' })
    expect((await log('?action=workspaces.add_user&limit=1'))[0]?.names).toEqual({ user_id: 'hopper' })
    await client.delete(`/users/${user}`)
    await client.delete(`/datasets/${id}`)
    await client.delete(`/workspaces/${workspace}`)
    expect((await log('?action=workspaces.add_user&limit=1'))[0]).toMatchObject({
      target: { id: workspace, name: 'called' },
      names: { user_id: 'hopper' },
    })
    expect((await log(`?target_id=${created?.target.id}`))[0]).toMatchObject({ names: { dataset_id: 'things' } })
  })

  it('cover completed actions only: not refused ones, reads or annotation', async () => {
    const before = await last()
    const { id } = await server.createUser({})
    const created = await last()
    expect(created.target.id).toBe(id)
    expect(created.id).not.toBe(before.id)
    const annotator = server.clientFor(await server.createUser({}))
    const known = await last()
    expect((await annotator.post('/workspaces', { name: 'not-mine' })).status).toBe(403)
    expect((await owner().post('/workspaces', { name: '' })).status).toBe(422)
    expect((await owner().patch('/users/00000000-0000-7000-8000-000000000001', { first_name: 'x' })).status).toBe(404)
    await owner().get('/users')
    expect((await last()).id).toBe(known.id)
  })
})

describe('the audit log', () => {
  it('is paged and can be filtered by person, action and target', async () => {
    const admin = await server.createUser({ role: 'admin' })
    for (const name of ['one', 'two', 'three']) await owner().post('/workspaces', { name: `paged ${name}`.replace(' ', '-') })
    const [first, second, third] = await log('?limit=3')
    expect((await log(`?limit=2&before=${first?.id}`)).map(({ id }) => id)).toEqual([second?.id, third?.id])
    expect((await log('?action=workspaces.create&limit=1'))[0]?.target.name).toBe('paged-three')
    expect((await log('?action=workspaces')).every(({ action }) => action.startsWith('workspaces.'))).toBe(true)
    expect(await log(`?actor_id=${admin.id}`)).toEqual([])
    expect((await log(`?target_id=${admin.id}`)).map(({ action }) => action)).toEqual(['users.create'])
  })

  it('is available to owners only', async () => {
    expect((await server.clientFor(await server.createUser({ role: 'admin' })).get('/audit')).status).toBe(403)
  })

  it('can’t be changed by any database statement', async () => {
    const entry = await last()
    await expect(tool.write(changeEntries, {})).rejects.toThrow('only ever added to')
    await expect(tool.write(removeEntries, {})).rejects.toThrow('only ever added to')
    await expect(tool.write(upsertEntries, {})).rejects.toThrow('only ever added to')
    if (testEngine() === 'sqlite')
      for (const by of ['id', 'rowid'] as const)
        await expect(tool.write(replaceEntries, { by })).rejects.toThrow('only ever added to')
    expect(await last()).toEqual(entry)
  })
})
