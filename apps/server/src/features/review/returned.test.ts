import type { History } from '@postil/contract/history.ts'
import type { Response } from '@postil/contract/responses.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

type Queue = {
  readonly items: readonly { record: { id: string; responses: readonly Response[] }; lease: { until: string } | null }[]
  readonly left: number
  readonly closed: readonly string[]
}
const submitted = { status: 'submitted', values: { label: { value: 'yes' } } }

/** A dataset with three annotators, whose records need `overlap` answers. One of the annotators, Cyd, is also a reviewer. */
const createTeam = async (count: number, overlap = 1) => {
  const { id: dataset, workspace_id } = await server.createDataset({
    distribution: { strategy: 'overlap', min_submitted: overlap },
    questions: [
      {
        name: 'label',
        required: true,
        settings: { type: 'label_selection', options: ['yes', 'no'].map((value) => ({ value, text: value })) },
      },
    ],
  })
  const newUser = () => server.createUser({ workspaces: [workspace_id] })
  const [ann, bob, cyd] = [await newUser(), await newUser(), await newUser()]
  const as = (user: TestUser) => server.clientFor(user)
  const owner = server.clientFor(server.owner)
  const records = Array.from({ length: count }, (_, i) => ({ fields: { text: `text ${i}` } }))
  const added = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, { items: records }))
  const ids = added.items.map(({ id }) => id)
  must(await owner.put(`/datasets/${dataset}/review-settings`, { mode: 'all', reviewers: [cyd.id] }))
  return {
    dataset,
    workspace_id,
    ids,
    ann,
    bob,
    cyd,
    as,
    owner,
    answer: async (user: TestUser, i: number) => must(await as(user).post<Response>(`/records/${ids[i]}/responses`, submitted)),
    giveBack: (user: TestUser, { id }: { id: string }, body: object = {}) =>
      as(user).post<Response & { response?: Response }>(`/responses/${id}/return`, { comment: 'Look again', ...body }),
    /** Gets records from the queue for a user. `places` contains the indexes of the records in `ids`. */
    queue: async (user: TestUser, body: object = {}) => {
      const sent = { limit: 10, drafts: false, purpose: 'work', ...body }
      const { items, left, closed } = must(await as(user).post<Queue>(`/me/datasets/${dataset}/queue`, sent))
      return { places: items.map(({ record }) => ids.indexOf(record.id)), left, items, closed }
    },
    release: async (user: TestUser) => must(await as(user).delete(`/me/datasets/${dataset}/queue/leases`)),
  }
}

describe('a returned answer', () => {
  it('is a draft with the reviewer’s comment until its author submits it again', async () => {
    const team = await createTeam(1)
    const answer = await team.answer(team.ann, 0)
    expect(answer.returned).toBeNull()
    const returned = must(await team.giveBack(team.cyd, answer, { base_version: 1 }))
    const by = { id: team.cyd.id, username: team.cyd.username }
    const note = { by, at: expect.any(String), comment: 'Look again' }
    expect(returned).toMatchObject({ id: answer.id, user_id: team.ann.id, status: 'draft', version: 2, values: submitted.values })
    expect(returned.returned).toEqual(note)
    const record = must(await team.owner.get<{ status: string; responses: Response[] }>(`/records/${team.ids[0]}`))
    expect(record).toMatchObject({ status: 'pending', responses: [{ returned: note }] })
    const mine = (base_version: number, body: object) =>
      team.as(team.ann).put<Response>(`/records/${team.ids[0]}/responses/mine`, {
        mutation_id: crypto.randomUUID(),
        base_version,
        ...body,
      })
    expect(await mine(1, submitted)).toMatchObject({ status: 409, body: { response: { version: 2, returned: note } } })
    expect(must(await mine(2, { status: 'draft', values: {} })).returned).toEqual(note)
    expect(must(await mine(3, submitted)).returned).toBeNull()
    const { items } = must(await team.owner.get<History>(`/records/${team.ids[0]}/history`))
    const notes = items.flatMap(({ before }) => ('returned' in before ? [before.returned?.comment ?? null] : []))
    expect(notes).toEqual(['Look again', 'Look again', null])
    expect(await recount(server.app.ctx)).toEqual([])
  })

  it('gets its comment back if the next change is undone', async () => {
    const team = await createTeam(1)
    const answer = await team.answer(team.ann, 0)
    must(await team.giveBack(team.cyd, answer))
    must(await team.as(team.ann).put(`/responses/${answer.id}`, submitted))
    const path = `/records/${team.ids[0]}/history`
    const [last] = must(await team.as(team.ann).get<History>(path)).items
    const restored = must(await team.as(team.ann).post<{ response: Response }>(`${path}/${last?.id}/restore`, {}))
    expect(restored.response).toMatchObject({ status: 'draft', returned: { comment: 'Look again' } })
  })

  it('can be returned only by reviewers, only while it is submitted, and only in the version that was seen', async () => {
    const team = await createTeam(2)
    const answer = await team.answer(team.ann, 0)
    const own = await team.answer(team.cyd, 1)
    expect((await team.giveBack(team.bob, answer)).status).toBe(403)
    expect((await team.giveBack(team.ann, answer)).status).toBe(403)
    expect(await team.giveBack(team.cyd, own)).toMatchObject({ status: 422 })
    expect(await team.giveBack(team.cyd, answer, { base_version: 7 })).toMatchObject({
      status: 409,
      body: { response: { version: 1 } },
    })
    expect((await team.giveBack(team.cyd, answer, { comment: '' })).status).toBe(422)
    must(await team.giveBack(server.owner as TestUser, answer))
    expect((await team.giveBack(team.cyd, answer)).status).toBe(409)
  })

  it('comes first in its author’s queue and is held for the author', async () => {
    const team = await createTeam(4)
    const answer = await team.answer(team.ann, 2)
    expect(await team.queue(team.ann)).toMatchObject({ places: [0, 1, 3], left: 3 })
    await team.release(team.ann)
    must(await team.giveBack(team.cyd, answer))
    expect(await team.queue(team.bob)).toMatchObject({ places: [0, 1, 3], left: 3 })
    await team.release(team.bob)
    for (const drafts of [false, true]) {
      expect(await team.queue(team.ann, { drafts })).toMatchObject({ places: [2, 0, 1, 3], left: 4 })
      expect(await team.queue(team.ann, { drafts, limit: 1 })).toMatchObject({ places: [2], left: 4 })
      const exclude = [team.ids[2]]
      expect(await team.queue(team.ann, { drafts, exclude })).toMatchObject({ places: [0, 1, 3], left: 4, closed: [] })
      await team.release(team.ann)
    }
    must(await team.as(team.ann).put(`/responses/${answer.id}`, submitted))
    expect(await team.queue(team.ann)).toMatchObject({ places: [0, 1, 3], left: 3 })
    expect(await recount(server.app.ctx)).toEqual([])
  })

  it('comes first even if a search selects the records', async () => {
    const team = await createTeam(4)
    const order = [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'asc' }]
    must(await team.owner.put(`/datasets/${team.dataset}/queue-settings`, { order }))
    must(await team.giveBack(team.cyd, await team.answer(team.ann, 2)))
    expect(await team.queue(team.bob)).toMatchObject({ places: [0, 1, 3], left: 3 })
    await team.release(team.bob)
    for (const drafts of [false, true])
      expect(await team.queue(team.ann, { drafts })).toMatchObject({ places: [2, 0, 1, 3], left: 4 })
  })

  it('is assigned even if its record is complete without it, and above the limit per person', async () => {
    const team = await createTeam(2)
    const [first, second] = [await team.answer(team.ann, 0), await team.answer(team.ann, 1)]
    await team.answer(team.bob, 0)
    must(await team.giveBack(team.cyd, first))
    const { items, ...found } = await team.queue(team.ann)
    expect(found).toMatchObject({ places: [0], left: 1 })
    expect(items[0]?.lease).toBeNull()
    expect(await team.queue(team.bob)).toMatchObject({ places: [], left: 0 })
    must(await team.owner.put(`/datasets/${team.dataset}/queue-settings`, { max_per_person: 1 }))
    must(await team.giveBack(team.cyd, second))
    expect(await team.queue(team.ann)).toMatchObject({ places: [0, 1], left: 2 })
    expect(await recount(server.app.ctx)).toEqual([])
  })

  it('no longer keeps its record from others once its author has left', async () => {
    const team = await createTeam(1)
    must(await team.giveBack(team.cyd, await team.answer(team.ann, 0)))
    expect(await team.queue(team.bob)).toMatchObject({ places: [], left: 0 })
    must(await team.owner.delete(`/workspaces/${team.workspace_id}/users/${team.ann.id}`))
    expect(await team.queue(team.bob)).toMatchObject({ places: [0], left: 1 })
  })

  it('counts once if its author also has a lease on the record', async () => {
    const team = await createTeam(1, 2)
    must(await team.giveBack(team.cyd, await team.answer(team.ann, 0)))
    expect(await team.queue(team.ann)).toMatchObject({ places: [0] })
    expect(await team.queue(team.bob)).toMatchObject({ places: [0], left: 1 })
    expect(await team.queue(team.cyd)).toMatchObject({ places: [], left: 0 })
  })

  it('makes final answers that are based on it out of date', async () => {
    const team = await createTeam(1)
    const answer = await team.answer(team.ann, 0)
    const body = { mutation_id: crypto.randomUUID(), base_version: null, values: { label: { value: 'yes', source: 'accepted' } } }
    must(await team.as(team.cyd).put(`/records/${team.ids[0]}/gold`, body))
    must(await team.giveBack(team.cyd, answer))
    const { gold, answers } = must(
      await team.as(team.cyd).get<{ gold: { stale: boolean }; answers: unknown[] }>(`/records/${team.ids[0]}/comparison`),
    )
    expect({ stale: gold.stale, answers }).toEqual({ stale: true, answers: [] })
  })
})
