import type { PrintedReviewSettings } from '@postil/contract/review.ts'
import type { SavedView } from '@postil/contract/saved-views.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { type CheckedTeam, checks, createCheckedTeam, work } from './testing/checked-team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const byTexts = (...numbers: number[]) =>
  `page=1&status=submitted&search=${encodeURIComponent(`text_(${numbers.join('|')})~all`)}`

const save = async (team: CheckedTeam, query: string, body: object = {}, user: TestUser = server.owner as TestUser) =>
  must(await team.as(user).post<SavedView>(`${team.path}/views`, { name: crypto.randomUUID(), query, ...body }))
const choose = (team: CheckedTeam, view_id: string | null, body: object = {}, user: TestUser = server.owner as TestUser) =>
  team.as(user).put<PrintedReviewSettings & { detail?: string }>(`${team.path}/review-settings`, {
    mode: 'all',
    checks: { ...checks, view_id },
    ...body,
  })
const change = (team: CheckedTeam, { id }: SavedView, query: string) =>
  team.owner.patch<SavedView & { detail?: string }>(`${team.path}/views/${id}`, { query })

/** The numbers of Cyd's test items. */
const testItems = async (team: CheckedTeam, count: number) => {
  const numbers: number[] = []
  for (let i = 0; i < count; i += 1) {
    const { items, kinds } = await team.queue()
    const id = items[0]?.record.id
    if (id === undefined) throw new Error(`the queue ended after ${i} records`)
    if (kinds[0] === 'test') numbers.push(team.ids.indexOf(id))
    must(await team.mine(id, {}))
  }
  return numbers.sort((a, b) => a - b)
}

describe('test items from a view', () => {
  it('are records that the view finds when they are placed', async () => {
    const team = await createCheckedTeam(server, 4, 12)
    const view = await save(team, byTexts(1, 2, 9))
    const settings = must(await choose(team, view.id))
    expect(settings.checks).toEqual({ ...checks, tolerance: 0, view_id: view.id, view_name: view.name })
    expect((await team.results()).available).toBe(2)
    expect(await work(team, 3)).toEqual(['open', 'open', 'test'])
    must(await change(team, view, byTexts(3)))
    expect((await team.results()).available).toBe(1)
    expect(await testItems(team, 3)).toEqual([3])
    // The view finds no more records that Cyd hasn't answered.
    expect(await testItems(team, 3)).toEqual([])
    must(await change(team, view, byTexts(0, 1, 2)))
    expect((await team.queue()).kinds).toEqual(['test'])
    must(await team.owner.patch(`/records/${team.ids[0]}`, { fields: { text: 'other' } }))
    must(await choose(team, null))
    expect(await team.results()).toMatchObject({ enabled: true, available: 3 })
  })

  it('are found for all people alike, whatever the view says about status, order, metadata and suggestions', async () => {
    const team = await createCheckedTeam(server, 3, 6)
    const { owner, path, ids } = team
    must(
      await owner.post(`${path}/metadata-properties`, {
        ...{ name: 'kind', title: 'Kind', settings: { type: 'terms' } },
        visible_for_annotators: false,
      }),
    )
    const questions = must(await owner.get<{ items: { id: string }[] }>(`${path}/questions`)).items
    const suggestions = [{ question_id: questions[0]?.id, value: 'no', agent: 'model' }]
    for (const i of [0, 1]) must(await owner.patch(`/records/${ids[i]}`, { metadata: { kind: 'hard' } }))
    for (const i of [1, 2]) must(await owner.put(`/records/${ids[i]}/suggestions`, suggestions[0]))
    const view = await save(
      team,
      'page=1~25&status=draft&metadata=kind.hard&suggestion=label.value.values.no~label.agent.model&sort=response.label.value.asc',
    )
    must(await choose(team, view.id))
    expect((await team.results()).available).toBe(1)
    expect(await testItems(team, 6)).toEqual([1])
    // After a property of the view is deleted, no more test items are assigned. The queue keeps working, and other settings can
    // be saved.
    const { items } = must(await owner.get<{ items: { id: string }[] }>(`/me${path}/metadata-properties`))
    must(await owner.delete(`/metadata-properties/${items[0]?.id}`))
    expect((await team.results()).available).toBe(0)
    expect((await team.queue()).kinds).toEqual(['open'])
    must(await choose(team, view.id, { own_answers: true }))
    const again = await save(team, view.query)
    expect(await choose(team, again.id)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('`kind`') } })
  })

  it('are searched for only when one is due', async () => {
    const team = await createCheckedTeam(server, 3, 6)
    must(await choose(team, (await save(team, byTexts(0, 1, 2))).id))
    const reads = vi.spyOn(server.app.ctx.store, 'read')
    const searches = () => reads.mock.calls.filter(([{ name }]) => name === 'search.find-test-records').length
    const counts: number[] = []
    for (let i = 0; i < 6; i += 1) {
      const { items } = await team.queue()
      // Repeating the request returns the same record.
      await team.queue()
      must(await team.mine(items[0]?.record.id ?? '', {}))
      counts.push(searches())
    }
    expect(counts).toEqual([0, 0, 1, 1, 1, 2])
    reads.mockRestore()
  })

  it('need a view that means the same for everyone', async () => {
    const team = await createCheckedTeam(server, 1, 1)
    const own = await save(team, 'status=pending&response=label.yes')
    const similar = await save(team, `similarity=record.${team.ids[0]}.vector.mini.limit.10.order.most`)
    const unknown = await save(team, 'metadata=nobody.no')
    for (const [view, words] of [
      [own, 'filters by the answers of the person who opens it'],
      [similar, 'is a similarity search'],
    ] as const) {
      const refused = await choose(team, view.id)
      expect(refused.status).toBe(422)
      expect(refused.body.detail).toContain(`View \`${view.name}\` ${words}`)
    }
    expect(await choose(team, unknown.id)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('`nobody`') } })
    const usable = await save(team, byTexts(0))
    must(await choose(team, usable.id))
    for (const { query } of [own, similar, unknown]) expect((await change(team, usable, query)).status).toBe(422)
    must(await team.owner.patch(`${team.path}/views/${usable.id}`, { name: 'Renamed' }))
    expect((await team.results()).available).toBe(1)
  })

  it('need a view of the dataset that the lead can see', async () => {
    const team = await createCheckedTeam(server, 1, 1)
    const other = await createCheckedTeam(server, 1, 1)
    const admin = await server.createUser({ role: 'admin', workspaces: [team.workspace_id] })
    const foreign = await save(other, byTexts(0))
    const hidden = await save(team, byTexts(0), {}, team.ann)
    for (const id of [foreign.id, hidden.id, crypto.randomUUID()]) {
      const refused = await choose(team, id)
      expect(refused.status).toBe(422)
      expect(refused.body.detail).toBe(`View with id \`${id}\` not found in the dataset`)
    }
    // Annotators must not be able to choose the test items or to find out which records are test items.
    const shared = await save(team, byTexts(0), { shared: true }, team.ann)
    expect(await choose(team, shared.id)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('belongs to an annotator') },
    })
    // If a lead's private view is in use, other leads see its name. They can change other settings without choosing another view.
    const own = await save(team, byTexts(0), { name: 'Private' }, admin)
    must(await choose(team, own.id, {}, admin))
    const settings = must(await choose(team, own.id, { own_answers: true }))
    expect(settings.checks).toMatchObject({ view_id: own.id, view_name: 'Private' })
  })

  it('keep their view, and its author, from being deleted', async () => {
    const team = await createCheckedTeam(server, 1, 1)
    const admin = await server.createUser({ role: 'admin', workspaces: [team.workspace_id] })
    const view = await save(team, byTexts(0), { name: 'Mine' }, admin)
    must(await choose(team, view.id, {}, admin))
    const removeView = () => team.as(admin).delete<{ detail: string }>(`${team.path}/views/${view.id}`)
    const removeAdmin = () => team.owner.delete<{ detail: string }>(`/users/${admin.id}`)
    const refused = await removeView()
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('View `Mine` selects the test items') },
    })
    expect(await removeAdmin()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('View `Mine`') } })
    // Of two concurrent requests, the first one succeeds. The settings never name a view that no longer exists.
    must(await choose(team, null))
    const [chosen, removed] = await Promise.all([choose(team, view.id, {}, admin), removeView()])
    expect([chosen.status, removed.status].sort()).toEqual(chosen.status === 200 ? [200, 409] : [200, 422])
    must(await choose(team, null))
    must(await removeAdmin())
  })
})
