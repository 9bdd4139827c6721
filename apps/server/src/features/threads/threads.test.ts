import type { Comment, Mention } from '@postil/contract/comments.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { namesIn } from './mentions.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

type Listed = { readonly items: readonly Comment[] }

const createTeam = async (count = 1) => {
  const { id: dataset, workspace_id } = await server.createDataset()
  const [ann, bob, stranger] = [
    await server.createUser({ workspaces: [workspace_id] }),
    await server.createUser({ workspaces: [workspace_id] }),
    await server.createUser(),
  ]
  const owner = server.clientFor(server.owner)
  const items = Array.from({ length: count }, (_, i) => ({ fields: { text: `text ${i}` } }))
  const added = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, { items }))
  const ids = added.items.map(({ id }) => id)
  const as = (user: TestUser) => server.clientFor(user)
  const path = (i = 0) => `/records/${ids[i]}/comments`
  const say = (user: TestUser, body: object, i = 0) => as(user).post<Comment>(path(i), body)
  return {
    dataset,
    workspace_id,
    ids,
    ann,
    bob,
    stranger,
    owner,
    as,
    say,
    said: async (user: TestUser, text: string, more: object = {}, i = 0) => must(await say(user, { text, ...more }, i)),
    list: async (i = 0, user: TestUser = ann) => must(await as(user).get<Listed>(path(i))).items,
    change: (user: TestUser, { id }: Comment, body: object) => as(user).patch<Comment>(`${path()}/${id}`, body),
    remove: (user: TestUser, { id }: Comment) => as(user).delete(`${path()}/${id}`),
    mentions: async (user: TestUser) => must(await as(user).get<{ items: Mention[] }>('/me/mentions')).items,
    /** The records with open threads. */
    open: async () => {
      const filters = { and: [{ type: 'terms', scope: { entity: 'record', property: 'comments' }, values: ['open'] }] }
      const sent = { filters }
      const found = must(
        await owner.post<{ items: { record: { id: string } }[]; total: number }>(`/datasets/${dataset}/records/search`, sent),
      )
      expect(found.total).toBe(found.items.length)
      return found.items.map(({ record }) => ids.indexOf(record.id)).sort()
    },
  }
}
const by = ({ id, username }: TestUser) => ({ id, username })

describe('comments', () => {
  it('form threads, which anyone who sees the dataset can resolve and a reply opens again', async () => {
    const team = await createTeam(2)
    const first = await team.said(team.ann, 'Is this irony?', { about: { question: 'label' } })
    expect(first).toMatchObject({
      record_id: team.ids[0],
      parent: null,
      about: { question: 'label', response_id: null, span: null },
      by: by(team.ann),
      resolved: null,
      edited_at: null,
    })
    const reply = await team.said(team.bob, 'Yes', { parent: first.id })
    expect((await team.list()).map(({ id }) => id)).toEqual([first.id, reply.id])
    expect(await team.open()).toEqual([0])
    expect(await team.change(team.ann, reply, { resolved: true })).toMatchObject({ status: 422 })
    expect(must(await team.change(team.bob, first, { resolved: true })).resolved?.by).toEqual(by(team.bob))
    expect(await team.open()).toEqual([])
    await team.said(team.ann, 'Really?', { parent: first.id })
    expect((await team.list())[0]?.resolved).toBeNull()
    expect(await team.open()).toEqual([0])
    expect((await team.say(team.ann, { text: 'Again', parent: reply.id })).status).toBe(422)
  })

  it('can be changed and deleted by their authors only, and replies stay', async () => {
    const team = await createTeam()
    const first = await team.said(team.ann, 'Is this irony?')
    const reply = await team.said(team.bob, 'Yes', { parent: first.id })
    expect((await team.change(team.bob, first, { text: 'No' })).status).toBe(403)
    expect((await team.remove(team.bob, first)).status).toBe(403)
    expect(must(await team.change(team.ann, first, { text: 'Is it irony?' }))).toMatchObject({
      text: 'Is it irony?',
      edited_at: expect.any(String),
    })
    expect((await team.remove(team.ann, first)).status).toBe(204)
    expect(await team.list()).toMatchObject([
      { id: first.id, text: '', deleted: true },
      { id: reply.id, text: 'Yes' },
    ])
    expect((await team.change(team.ann, first, { text: 'x' })).status).toBe(404)
    expect(must(await team.change(team.bob, first, { resolved: true })).resolved).not.toBeNull()
    expect((await team.remove(team.bob, reply)).status).toBe(204)
    expect(await team.list()).toEqual([])
  })

  it('are refused if they are about nothing that the record has', async () => {
    const team = await createTeam(2)
    const other = must(
      await team.as(team.ann).post<{ id: string }>(`/records/${team.ids[1]}/responses`, { status: 'draft', values: {} }),
    )
    const refused = async (about: object) => (await team.say(team.ann, { text: 'Hm', about })).status
    expect(await refused({ question: 'nothing' })).toBe(422)
    expect(await refused({ response_id: other.id })).toBe(404)
    expect(await refused({ span: { field: 'nothing', start: 0, end: 1 } })).toBe(422)
    expect(await refused({ span: { field: 'text', start: 2, end: 2 } })).toBe(422)
    expect(await refused({})).toBe(422)
    expect(await refused({ question: 'label', span: { field: 'text', start: 0, end: 1 } })).toBe(422)
    expect((await team.say(team.ann, { text: 'Hm', parent: crypto.randomUUID() })).status).toBe(404)
    await team.said(team.ann, 'Here', { about: { response_id: other.id } }, 1)
    await team.said(team.ann, 'Here', { about: { span: { field: 'text', start: 0, end: 4 } } })
  })

  it('stay when their author is deleted, and go with their record and dataset', async () => {
    const team = await createTeam(2)
    const first = await team.said(team.bob, `@${team.ann.username} look`)
    await team.said(team.ann, `@${team.bob.username} yes`, { parent: first.id })
    await team.said(team.bob, `@${team.ann.username} this too`, {}, 1)
    must(await team.owner.delete(`/users/${team.bob.id}`))
    expect((await team.list())[0]).toMatchObject({ text: `@${team.ann.username} look`, by: { id: team.bob.id, username: null } })
    must(await team.owner.delete(`/datasets/${team.dataset}/records?ids=${team.ids[1]}`))
    expect(await team.mentions(team.ann)).toEqual([])
    must(await team.owner.delete(`/datasets/${team.dataset}`))
    expect((await team.as(team.ann).get(`/records/${team.ids[0]}/comments`)).status).toBe(404)
  })

  it('are part of a JSON Lines download', async () => {
    const team = await createTeam(2)
    const path = `/datasets/${team.dataset}/records/download?format=jsonl`
    const lines = async () => {
      const { body } = await team.owner.get<unknown>(path)
      return String(typeof body === 'string' ? body : JSON.stringify(body))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    }
    expect(await lines()).not.toContainEqual(expect.objectContaining({ comments: expect.anything() }))
    const comment = await team.said(team.ann, 'Is this irony?', {}, 1)
    expect((await lines()).map(({ comments }) => comments)).toEqual([[], [comment]])
  })
})

describe('mentions', () => {
  it('finds names in a text', () => {
    expect(namesIn('@ann, ask @bob.smith. Not me@mail.org (@cyd)')).toEqual([
      'ann,',
      'ann',
      'bob.smith.',
      'bob.smith',
      'cyd)',
      'cyd',
    ])
  })

  it('are listed for people who see the dataset, until they reply or the thread is resolved', async () => {
    const team = await createTeam()
    const { ann, bob, stranger } = team
    const first = await team.said(ann, `@${bob.username}, @${stranger.username} and @nobody: what now?`)
    expect(first.mentions).toEqual([by(bob)])
    expect(await team.mentions(bob)).toMatchObject([
      { comment_id: first.id, record_id: team.ids[0], dataset_id: team.dataset, by: by(ann) },
    ])
    expect(await team.mentions(stranger)).toEqual([])
    must(await team.change(ann, first, { resolved: true }))
    expect(await team.mentions(bob)).toEqual([])
    must(await team.change(ann, first, { resolved: false }))
    expect(await team.mentions(bob)).toHaveLength(1)
    const reply = await team.said(bob, `No idea, @${ann.username}`, { parent: first.id })
    expect(await team.mentions(bob)).toEqual([])
    expect(await team.mentions(ann)).toMatchObject([{ comment_id: reply.id }])
    must(await team.change(bob, reply, { text: 'No idea' }))
    expect(await team.mentions(ann)).toEqual([])
    const own = await team.said(ann, `@${ann.username} @${bob.username}`)
    expect(own.mentions).toHaveLength(2)
    expect(await team.mentions(ann)).toEqual([])
    must(await team.owner.delete(`/workspaces/${team.workspace_id}/users/${bob.id}`))
    expect(await team.mentions(bob)).toEqual([])
  })
})
