import type { TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Annotator, bootQueue, makeTeam } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue()
})
afterAll(() => server.close())

/** More than what is looked at anew each time. */
const RECORDS = 240

describe('where a team has all in hand', () => {
  it.each([1, 2])('what is given back is had at once by the next who asks, of records for %i', async (target) => {
    const { members } = await makeTeam(server, { records: RECORDS, target, members: 3 * target + 1 })
    const [bob, ann, ...others] = members as [Annotator, Annotator, ...Annotator[]]
    const inHand = (await ann.next(100)).ids
    for (const other of others) await other.next(100)
    expect(await bob.next(5)).toEqual({ ids: [], left: 0 })
    for (const back of [inHand.slice(0, 1), inHand.slice(10, 13), inHand.slice(20, 40)]) {
      await ann.giveBack(...back)
      const given = await bob.next(100)
      expect([given.ids.toSorted(), given.left]).toEqual([[...back].toSorted(), back.length])
      await bob.giveBack()
      await ann.next(100)
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
