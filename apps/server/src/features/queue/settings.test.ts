import type { TestServer } from '@postil/testkit/boot.ts'
import { detail } from '@postil/testkit/detail.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Annotator, bootQueue, makeTeam, must } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue()
})
afterAll(() => server.close())

const ASSIGNEE = { name: 'assignee', title: 'Assignee', settings: { type: 'terms' }, visible_for_annotators: false }
const RANK = { name: 'rank', title: 'Rank', settings: { type: 'integer' }, visible_for_annotators: false }
const byRank = (order = 'asc') => [{ scope: { entity: 'metadata', metadata_property: 'rank' }, order }]

/** Ranks are in reverse insertion order. Records are assigned in turn to Ann, to Bob, to both and to nobody. */
const extra = (index: number, [ann, bob]: readonly TestUser[], question_id: string) => ({
  metadata: {
    rank: 10_000 - index,
    ...[{ assignee: ann?.username }, { assignee: bob?.username }, { assignee: [ann?.username, bob?.username] }, {}][index % 4],
  },
  suggestions: [{ question_id, value: 'yes', score: ((index * 7) % 100) / 100 }],
})

const team = async (records: number, target: number) => {
  const made = await makeTeam(server, { records, target, members: 3, metadata: [ASSIGNEE, RANK], extra })
  const owner = server.clientFor(server.owner)
  const path = `/datasets/${made.dataset}/queue-settings`
  const [ann, bob, cyd] = made.members as [Annotator, Annotator, Annotator]
  return { ...made, ann, bob, cyd, owner, path, set: async (body: object) => must(await owner.put(path, body)) }
}

describe('assigned records', () => {
  // With more than a thousand records, a user's order is computed differently
  it.each([40, 1200])('go only to the named users, in their own order, with %i records', async (records) => {
    const { ids, ann, bob, cyd, set } = await team(records, 1)
    await set({ assigned_by: 'assignee', shuffled: true })
    const forAnn = ids.filter((_, index) => index % 4 === 0 || index % 4 === 2)
    const first = await ann.next()
    expect(first.left).toBe(records / 2)
    expect(forAnn).toEqual(expect.arrayContaining(first.ids))
    expect(first.ids).not.toEqual(forAnn.slice(0, 10))
    expect(await cyd.next()).toEqual({ ids: [], left: 0 })
    // A record that is assigned to both users and leased to Ann doesn't go to Bob.
    const shared = first.ids.filter((id) => ids.indexOf(id) % 4 === 2).length
    const second = await bob.next(100, { exclude: [] })
    expect(second.left).toBe(records / 2 - shared)
    expect(second.ids.some((id) => first.ids.includes(id) || ids.indexOf(id) % 4 === 3)).toBe(false)
    for (const id of first.ids) await ann.answer(id)
    expect((await ann.next()).left).toBeLessThanOrEqual(records / 2 - 10)
  })

  it('come first when someone else has answered them', async () => {
    const { ids, ann, bob, set } = await team(40, 2)
    await set({ assigned_by: 'assignee' })
    const begun = [ids[38], ids[6]] as string[]
    for (const id of begun) await ann.answer(id)
    expect((await bob.next(2)).ids.toSorted()).toEqual(begun.toSorted())
  })
})

describe('a queue order', () => {
  it.each([40, 1200])('by metadata hidden from annotators applies to everyone, with %i records', async (records) => {
    const { ids, ann, bob, set } = await team(records, 1)
    await set({ order: byRank() })
    const fallen = ids.toReversed()
    expect(await ann.next(4)).toEqual({ ids: fallen.slice(0, 4), left: records })
    expect(await bob.next(3)).toEqual({ ids: fallen.slice(4, 7), left: records - 4 })
    expect((await ann.next(2, { exclude: fallen.slice(0, 4) })).ids).toEqual(fallen.slice(7, 9))
    await set({ order: byRank('desc') })
    expect((await bob.next(4)).ids.toSorted()).toEqual([...fallen.slice(4, 7), ids[0]].toSorted())
  })

  it('by suggestion score starts with the least certain suggestions', async () => {
    const { ids, ann, set } = await team(100, 1)
    await set({ order: [{ scope: { entity: 'suggestion', question: 'label', property: 'score' }, order: 'asc' }] })
    const scores = (await ann.next(8)).ids.map((id) => ((ids.indexOf(id) * 7) % 100) / 100)
    expect(scores).toEqual([0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07])
  })

  it('applies after records that others have started, and works with assigned records', async () => {
    const { ids, ann, bob, set } = await team(40, 2)
    await set({ order: byRank(), assigned_by: 'assignee' })
    await ann.answer(ids[2] as string)
    await ann.answer(ids[6] as string)
    const forBob = ids.filter((_, index) => index % 4 === 1 || index % 4 === 2).toReversed()
    const rest = forBob.filter((id) => id !== ids[2] && id !== ids[6])
    expect(await bob.next(5)).toEqual({ ids: [ids[6], ids[2], ...rest.slice(0, 3)], left: 20 })
  })

  it('by a deleted property is ignored', async () => {
    const { dataset, ids, ann, owner, set, path } = await team(6, 1)
    await set({ order: byRank(), assigned_by: 'assignee', max_per_person: 3 })
    const { items } = must(await owner.get<{ items: { id: string }[] }>(`/me/datasets/${dataset}/metadata-properties`))
    for (const { id } of items) must(await owner.delete(`/metadata-properties/${id}`))
    expect(must(await owner.get(path))).toEqual({
      order: null,
      shuffled: false,
      assigned_by: null,
      assigned: false,
      others_answer_assigned: false,
      max_per_person: 3,
    })
    const { ids: next, left } = await ann.next(10)
    expect(left).toBe(3)
    expect(next).toHaveLength(3)
    expect(ids).toEqual(expect.arrayContaining(next))
  })
})

describe('a limit per person', () => {
  it('applies to leased and submitted records together', async () => {
    const { dataset, ann, bob, cyd, set, progress } = await team(20, 1)
    await set({ max_per_person: 5 })
    const { ids, left } = await ann.next(10)
    expect([ids.length, left]).toEqual([5, 5])
    await ann.answer(ids[0] as string)
    await ann.answer(ids[1] as string, 'discarded')
    const more = await ann.next(10)
    // One record is submitted. The discarded record doesn't count toward the limit.
    expect([more.ids.length, more.left]).toEqual([4, 4])
    for (const id of more.ids) await ann.answer(id)
    expect(await ann.next()).toEqual({ ids: [], left: 0 })
    const taken = must(await ann.client.post(`/me/datasets/${dataset}/queue`, {}))
    expect(taken).toMatchObject({ items: [], left: 0, cap: { most: 5, submitted: 5 } })
    expect((await bob.next(10)).ids).toHaveLength(5)
    // Users can always answer records that the queue hasn't assigned to them, even if they have reached the limit.
    await ann.answer((await cyd.next(1, { exclude: [ids[1]] })).ids[0] as string)
    expect(await progress()).toMatchObject({ completed: 6 })
  })

  it('holds for concurrent requests from two windows of one person', async () => {
    const { ann, ids, set } = await team(60, 1)
    await set({ max_per_person: 7 })
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 8 }, () => ann.next(5)))
      expect(await ann.next(100)).toMatchObject({ ids: { length: 7 }, left: 7 })
      expect(await ann.renew(...ids)).toHaveLength(7)
      await ann.release()
    }
  })
})

describe('queue settings', () => {
  it('have defaults until they are set, and again when they are omitted', async () => {
    const { owner, path, set, ann } = await team(3, 1)
    const usual = {
      order: null,
      shuffled: false,
      max_per_person: null,
      assigned_by: null,
      assigned: false,
      others_answer_assigned: false,
    }
    expect(must(await owner.get(path))).toEqual(usual)
    expect(await set({ max_per_person: 2, order: byRank() })).toEqual({ ...usual, order: byRank(), max_per_person: 2 })
    expect(must(await ann.client.get(path))).toMatchObject({ max_per_person: 2 })
    expect(await set({})).toEqual(usual)
    expect((await ann.next()).ids).toHaveLength(3)
  })

  it('hide metadata names that annotators can’t see, but show that records are assigned', async () => {
    const { dataset, owner, path, set, ann } = await team(3, 1)
    const inserted = { scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' }
    const order = [...byRank(), inserted]
    const whole = {
      order,
      shuffled: false,
      max_per_person: 2,
      assigned_by: 'assignee',
      assigned: true,
      others_answer_assigned: false,
    }
    expect(await set({ order, max_per_person: 2, assigned_by: 'assignee' })).toEqual(whole)
    expect(must(await owner.get(path))).toEqual(whole)
    expect(must(await ann.client.get(path))).toEqual({ ...whole, order: [inserted], assigned_by: null })
    await set({ order: byRank(), assigned_by: 'assignee' })
    const { status, body } = await ann.client.get(path)
    expect([status, body]).toEqual([
      200,
      { order: null, shuffled: false, max_per_person: null, assigned_by: null, assigned: true, others_answer_assigned: false },
    ])
    const { items } = must(await owner.get<{ items: { id: string }[] }>(`/me/datasets/${dataset}/metadata-properties`))
    for (const { id } of items) must(await owner.patch(`/metadata-properties/${id}`, { visible_for_annotators: true }))
    expect(must(await ann.client.get(path))).toEqual(must(await owner.get(path)))
    expect(must(await ann.client.get(path))).toMatchObject({ order: byRank(), assigned_by: 'assignee' })
  })

  it.each([
    [{ assigned_by: 'rank' }, 'Records can be assigned only by a terms metadata property; `rank` is of type integer'],
    [{ assigned_by: 'nobody' }, 'Metadata property `nobody` not found in the dataset'],
    [
      { order: [{ scope: { entity: 'metadata', metadata_property: 'nobody' }, order: 'asc' }] },
      'Metadata property `nobody` not found in the dataset',
    ],
    [
      { order: [{ scope: { entity: 'suggestion', question: 'nobody', property: 'score' }, order: 'asc' }] },
      'Question `nobody` not found in the dataset',
    ],
  ])('that name missing objects are rejected: %j', async (body, sentence) => {
    const { owner, path } = await team(1, 1)
    const { status, body: refused } = await owner.put(path, body)
    expect([status, JSON.stringify(refused)]).toEqual([422, expect.stringContaining(JSON.stringify(sentence).slice(1, -1))])
  })
})

describe('the order by agreement', () => {
  const byAgreement = [{ scope: { entity: 'record', property: 'agreement', question: 'label' }, order: 'asc' }]
  // Three answers complete a record. Ann and Bob have both answered every third record.
  const shared = async (records: number) => {
    const extra = (index: number, [ann, bob]: readonly TestUser[]) => ({
      responses: (index % 3 === 1 ? [ann, bob] : []).map((user, i) => ({
        user_id: user?.id,
        status: 'submitted',
        values: { label: { value: i === 1 && index % 2 === 0 ? 'no' : 'yes' } },
      })),
    })
    const made = await makeTeam(server, { records, target: 3, members: 4, extra })
    const path = `/datasets/${made.dataset}/queue-settings`
    must(await server.clientFor(server.owner).put(path, { order: byAgreement }))
    return { ...made, path }
  }
  const indexes = (records: number, test: (index: number) => boolean) => Array.from({ length: records }, (_, i) => i).filter(test)

  // With more than three thousand records, the number of partially answered records exceeds what the server reads at a time.
  detail.each([40, 3300])(
    'assigns the lowest agreement first, and records without one last, with %i records',
    async (records) => {
      const { ids, members, path } = await shared(records)
      const [, , cyd, dan] = members as [Annotator, Annotator, Annotator, Annotator]
      const differing = indexes(records, (index) => index % 3 === 1 && index % 2 === 0)
      const agreeing = indexes(records, (index) => index % 3 === 1 && index % 2 === 1)
      const unanswered = indexes(records, (index) => index % 3 !== 1)
      const expected = [...differing, ...agreeing, ...unanswered].map((index) => ids[index])
      const first = await cyd.next(5)
      expect(first).toEqual({ ids: expected.slice(0, 5), left: records })
      for (const id of first.ids) await cyd.answer(id)
      expect((await cyd.next(5)).ids).toEqual(expected.slice(5, 10))
      expect((await dan.next(3)).ids).toEqual(expected.slice(10, 13))
      expect(must(await dan.client.get(path))).toMatchObject({ order: byAgreement })
    },
  )

  it('changes when someone answers', async () => {
    const { ids, members } = await shared(40)
    const [ann, bob, cyd] = members as [Annotator, Annotator, Annotator, Annotator]
    const [record] = ids.filter((_, index) => index % 3 !== 1).slice(-1) as [string]
    await ann.answer(record)
    const { id } = must(
      await bob.client.post<{ id: string }>(`/records/${record}/responses`, {
        status: 'submitted',
        values: { label: { value: 'no' } },
      }),
    )
    const differing = ids.filter((_, index) => index % 3 === 1 && index % 2 === 0)
    expect((await cyd.next(differing.length + 1)).ids).toEqual([...differing, record])
    await cyd.release()
    must(await bob.client.put(`/responses/${id}`, { status: 'submitted', values: { label: { value: 'yes' } } }))
    expect((await cyd.next(differing.length + 1)).ids).not.toContain(record)
  })
})
