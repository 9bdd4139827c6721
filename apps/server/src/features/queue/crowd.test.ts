import type { TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Annotator, bootQueue, makeTeam } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue()
})
afterAll(() => server.close())

describe('where a team has all in hand', () => {
  it.each([1, 2])('what is given back is had at once by the next who asks, of records for %i', async (target) => {
    const { ids, members } = await makeTeam(server, { records: 60, target, members: target + 2 })
    const [ann, bob, ...others] = members as [Annotator, Annotator, ...Annotator[]]
    const inHand = new Set((await ann.next(60)).ids)
    for (const other of others.slice(1)) await other.next(60)
    expect(inHand.size).toBe(60)
    expect(await bob.next(5)).toEqual({ ids: [], left: 0 })
    for (const back of [ids.slice(0, 1), ids.slice(10, 13), ids.slice(20, 40)]) {
      await ann.giveBack(...back)
      const given = await bob.next(100)
      expect([given.ids.toSorted(), given.left]).toEqual([[...back].toSorted(), back.length])
      await bob.giveBack()
      await ann.next(60)
    }
  })

  it('what others take meanwhile is not handed out once more', async () => {
    const { members } = await makeTeam(server, { records: 60, target: 1, members: 4 })
    const [ann, bob, cyd, dan] = members as [Annotator, Annotator, Annotator, Annotator]
    const first = (await ann.next(50)).ids
    // A look at what is free, which is then taken by somebody else.
    expect((await bob.next(1)).ids).toHaveLength(1)
    const rest = (await cyd.next(60)).ids
    expect(new Set([...first, ...rest]).size).toBe(59)
    expect(await dan.next(10)).toEqual({ ids: [], left: 0 })
  })
})
