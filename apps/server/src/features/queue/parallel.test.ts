import { randomInt } from 'node:crypto'
import type { TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Simulation } from './testing/simulation.ts'
import { type Annotator, bootQueue, makeTeam } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue()
})
afterAll(() => server.close())

describe('concurrent queue requests', () => {
  it.each([1, 2, 3])('never hold more than %i leases on a record', async (target) => {
    const { ids, members } = await makeTeam(server, { records: 25, target, members: 8 })
    for (let round = 0; round < 4; round++) {
      // Some members send two requests at the same time.
      const asked = [...members, ...members.slice(0, 3)]
      const held = await Promise.all(asked.map(async (one) => ({ one, ...(await one.next(randomInt(1, 12))) })))
      const holders = new Map<string, Set<Annotator>>()
      for (const { one, ids: given } of held) for (const id of given) holders.set(id, (holders.get(id) ?? new Set()).add(one))
      expect(Math.max(...[...holders.values()].map((some) => some.size))).toBeLessThanOrEqual(target)
      await Promise.all(members.map((one) => one.release()))
    }
    expect((await members[0]?.next(100))?.ids.length).toBe(ids.length)
  })

  it('give every user records while enough are left', async () => {
    const { ids, members } = await makeTeam(server, { records: 400, target: 1, members: 40 })
    const given: string[] = []
    for (let round = 0; round < 3; round++) {
      const taken = await Promise.all(members.map((one) => one.next(5)))
      expect(taken.filter((one) => one.ids.length === 0)).toEqual([])
      given.push(...taken.flatMap((one) => one.ids))
      await Promise.all(members.map((one) => one.release()))
    }
    expect(new Set(given).size).toBeLessThanOrEqual(ids.length)
  })

  it('leave no lease on an answered record when one user requests while answering', async () => {
    const { ids: all, members } = await makeTeam(server, { records: 30, target: 2, members: 2 })
    const [ann, bob] = members as [Annotator, Annotator]
    for (;;) {
      const { ids } = await ann.next(3)
      if (ids.length === 0) break
      await Promise.all([...ids.map((id) => ann.answer(id)), ...[1, 2, 3].flatMap(() => [ann.next(4), ann.renew(...ids)])])
    }
    // If Ann still had a lease on a record that she has answered, Bob couldn't get this record.
    expect((await bob.next(100)).ids.length).toBe(all.length)
  })

  it('complete every record with the required answers, each by a different user, without idle users while work is left', async () => {
    const { ids, members, progress, dataset } = await makeTeam(server, { records: 40, target: 3, members: 7 })
    const simulation = new Simulation(ids, 3)
    await Promise.all(members.map((one) => simulation.work(one)))
    expect(simulation.exclusiveChecks).toBeGreaterThanOrEqual(members.length)
    expect(simulation.emptyTakes).toEqual([])
    expect(await progress()).toMatchObject({ completed: ids.length, surplus: 0 })
    type Listed = { items: { responses: { user_id: string; status: string }[] }[] }
    const { body } = await server.clientFor(server.owner).get<Listed>(`/datasets/${dataset}/records?limit=1000&include=responses`)
    expect(body.items.map(({ responses }) => responses.length)).toEqual(ids.map(() => 3))
  })
})
