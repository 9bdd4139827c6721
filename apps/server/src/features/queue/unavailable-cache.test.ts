import type { TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Annotator, bootQueue, makeTeam } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue()
})
afterAll(() => server.close())

/** Enough records for the cache to be used. With fewer records, they are read again each time. */
const RECORDS = 240

describe('when the team has leased every record', () => {
  it.each([1, 2])('offers a released record to the next request at once, with %i records', async (target) => {
    const { members } = await makeTeam(server, { records: RECORDS, target, members: 3 * target + 1 })
    const [bob, ann, ...others] = members as [Annotator, Annotator, ...Annotator[]]
    const leased = (await ann.next(100)).ids
    for (const other of others) await other.next(100)
    expect(await bob.next(5)).toEqual({ ids: [], left: 0 })
    for (const back of [leased.slice(0, 1), leased.slice(10, 13), leased.slice(20, 40)]) {
      await ann.release(...back)
      const given = await bob.next(100)
      expect([given.ids.toSorted(), given.left]).toEqual([[...back].toSorted(), back.length])
      await bob.release()
      await ann.next(100)
    }
  })

  it('doesn’t assign a record that someone else has just leased', async () => {
    const { members } = await makeTeam(server, { records: 60, target: 1, members: 4 })
    const [ann, bob, cyd, dan] = members as [Annotator, Annotator, Annotator, Annotator]
    const first = (await ann.next(50)).ids
    // Bob leases one of the ten remaining records. Cyd must get only the other nine.
    expect((await bob.next(1)).ids).toHaveLength(1)
    const rest = (await cyd.next(60)).ids
    expect(new Set([...first, ...rest]).size).toBe(59)
    expect(await dan.next(10)).toEqual({ ids: [], left: 0 })
  })
})
