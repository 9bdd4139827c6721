import { setTimeout as pause } from 'node:timers/promises'
import type { QueueResult } from '@postil/contract/queue.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootQueue, must, SHORT, SHORT_MS } from '#features/queue/testing/team.ts'
import { createTeam } from './testing/fixtures.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer({ delivery: null })
})
afterAll(() => server.close())

const team = async (options: Parameters<typeof createTeam>[1]) => {
  const made = await createTeam(server, options)
  const [ann, bob, cyd] = made.users as [(typeof made.users)[0], (typeof made.users)[0], (typeof made.users)[0]]
  return { ...made, ann, bob, cyd }
}
const all = (n: number) => ({ home: n, metrics: n, queue: n })

describe('the queue of assigned records', () => {
  it('hands them out to the assigned people first, and to nobody else', async () => {
    const { assign, next, left, answer, ids, ann, bob, cyd } = await team({ records: 10 })
    await assign({ record_ids: ids.slice(6), user_ids: [ann.id, bob.id] })
    expect(await next(ann)).toEqual({ next: [6, 8, 0, 1, 2, 3, 4, 5], left: 8 })
    expect(await next(bob)).toEqual({ next: [7, 9, 0, 1, 2, 3, 4, 5], left: 8 })
    expect(await next(cyd)).toEqual({ next: [0, 1, 2, 3, 4, 5], left: 6 })
    for (const [user, n] of [
      [ann, 8],
      [bob, 8],
      [cyd, 6],
    ] as const)
      expect(await left(user)).toEqual(all(n))
    await answer(ann, 6)
    await answer(ann, 0)
    expect((await next(ann)).next).toEqual([8, 1, 2, 3, 4, 5])
    for (const [user, n] of [
      [ann, 6],
      [bob, 7],
      [cyd, 5],
    ] as const)
      expect(await left(user)).toEqual(all(n))
  })

  it('hands them out to others last if the dataset allows it', async () => {
    const { assign, setOthersAnswer, next, left, ids, ann, bob, cyd } = await team({ records: 6 })
    await assign({ record_ids: ids.slice(0, 4), user_ids: [ann.id, bob.id] })
    await setOthersAnswer(true)
    expect((await next(ann)).next).toEqual([0, 2, 4, 5, 1, 3])
    expect((await next(cyd)).next).toEqual([4, 5, 0, 1, 2, 3])
    expect(await left(cyd)).toEqual(all(6))
    // A record that is leased to someone else is not counted
    expect((await next(bob, 2, { keep: true })).next).toEqual([1, 3])
    expect(await next(cyd)).toEqual({ next: [4, 5, 0, 2], left: 4 })
  })

  it('is not counted twice when some records are leased', async () => {
    const { assign, next, ids, ann, bob, cyd } = await team({ records: 6 })
    await next(cyd, 2, { keep: true })
    await assign({ record_ids: ids.slice(0, 4), user_ids: [ann.id, bob.id] })
    // Cyd keeps the records that she already has
    expect(await next(cyd, 10, { keep: true })).toEqual({ next: [0, 1, 4, 5], left: 4 })
    expect(await next(ann)).toEqual({ next: [2], left: 1 })
  })

  it('leaves out drafts of leased records of others as well if the queue leaves out drafts', async () => {
    const { assign, answer, as, dataset, ids, next, ann, cyd } = await team({ records: 4 })
    await next(cyd, 2, { keep: true })
    await answer(cyd, 0, 'draft')
    await assign({ record_ids: ids.slice(0, 2), user_ids: [ann.id] })
    const queue = await as(cyd).post<QueueResult>(`/me/datasets/${dataset}/queue`, { limit: 10, drafts: false })
    expect(must(queue)).toMatchObject({ left: 3, items: [{ record: { id: ids[1] } }, { record: { id: ids[2] } }, {}] })
  })

  it('keeps partly answered records first in each group, and the overlap', async () => {
    const { assign, next, answer, ids, ann, bob, cyd } = await team({ records: 6, overlap: 2 })
    await assign({ record_ids: ids.slice(0, 3), user_ids: [ann.id, bob.id], mode: 'all' })
    await answer(bob, 2)
    await answer(bob, 5)
    expect(await next(ann)).toEqual({ next: [2, 0, 1, 5, 3, 4], left: 6 })
    expect(await next(cyd)).toEqual({ next: [5, 3, 4], left: 3 })
    await answer(ann, 2)
    expect(await next(ann)).toEqual({ next: [0, 1, 5, 3, 4], left: 5 })
  })

  it('follows the dataset’s own order in each group', async () => {
    const { assign, owner, dataset, next, ids, ann } = await team({ records: 4 })
    const order = [{ scope: { entity: 'record', property: 'id' }, order: 'desc' }]
    must(await owner.put(`/datasets/${dataset}/queue-settings`, { order }))
    await assign({ record_ids: ids.slice(1, 3), user_ids: [ann.id] })
    expect(await next(ann)).toEqual({ next: [2, 1, 3, 0], left: 4 })
  })

  it('gives assignments precedence over the metadata property that names users', async () => {
    const { assign, owner, dataset, next, ids, ann, bob } = await team({ records: 4 })
    must(await owner.post(`/datasets/${dataset}/metadata-properties`, { name: 'who', title: 'Who', settings: { type: 'terms' } }))
    const named = async (place: number, username: string) =>
      must(await owner.patch(`/records/${ids[place]}`, { metadata: { who: username } }))
    for (const place of [0, 1, 2]) await named(place, ann.username)
    must(await owner.put(`/datasets/${dataset}/queue-settings`, { assigned_by: 'who' }))
    expect((await next(ann)).next).toEqual([0, 1, 2])
    await assign({ record_ids: [ids[0] ?? '', ids[3] ?? ''], user_ids: [bob.id] })
    expect(await next(ann)).toEqual({ next: [1, 2], left: 2 })
    expect(await next(bob)).toEqual({ next: [0, 3], left: 2 })
  })

  it('does not lease a record that someone opens and that is assigned to others', async () => {
    const { assign, setOthersAnswer, as, dataset, ids, ann, bob } = await team({ records: 2 })
    await assign({ record_ids: ids.slice(0, 1), user_ids: [ann.id] })
    const acquire = async () => {
      const body = { record_ids: ids, acquire: true }
      type Leases = { items: { lease: object | null }[] }
      const { items } = must(await as(bob).put<Leases>(`/me/datasets/${dataset}/queue/leases`, body))
      return items.map(({ lease }) => lease !== null)
    }
    expect(await acquire()).toEqual([false, true])
    await setOthersAnswer(true)
    expect(await acquire()).toEqual([true, true])
  })

  it.each([6, 1200])(
    'completes every record exactly once while people work at the same time, with %i records',
    async (records) => {
      const { assign, finished, next, answer, users, ids, owner, dataset, ann, bob, cyd } = await team({ records, people: 4 })
      const shared = Math.min(ids.length, 60)
      await finished(await assign({ search: {}, user_ids: [ann.id] }))
      await assign({ record_ids: ids.slice(0, shared), user_ids: [ann.id, bob.id, cyd.id] })
      const done: number[] = []
      await Promise.all(
        users.map(async (user) => {
          for (;;) {
            const { next: found } = await next(user, 3, { keep: true })
            const some = user.id === ann.id ? found.filter((place) => place < shared) : found
            if (some.length === 0) return
            for (const place of some) {
              await answer(user, place)
              done.push(place)
            }
          }
        }),
      )
      expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: shared }, (_, i) => i))
      expect(must(await owner.get(`/datasets/${dataset}/progress`))).toMatchObject({ completed: shared, surplus: 0 })
    },
  )
})

it('does not renew an expired lease of a record that has been assigned to others', async () => {
  const short = await bootQueue(SHORT)
  try {
    const { assign, next, as, dataset, ids, users } = await createTeam(short, { records: 2 })
    const [ann, bob] = users as [(typeof users)[0], (typeof users)[0]]
    await next(bob, 2, { keep: true })
    await assign({ record_ids: ids.slice(0, 1), user_ids: [ann.id] })
    await pause(SHORT_MS + 50)
    type Leases = { items: { lease: object | null }[] }
    const { items } = must(await as(bob).put<Leases>(`/me/datasets/${dataset}/queue/leases`, { record_ids: ids }))
    expect(items.map(({ lease }) => lease !== null)).toEqual([false, true])
  } finally {
    await short.close()
  }
})
