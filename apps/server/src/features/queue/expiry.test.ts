import { setTimeout as pause } from 'node:timers/promises'
import type { TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Annotator, bootQueue, makeTeam, SHORT, SHORT_MS } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue(SHORT)
})
afterAll(() => server.close())

const team = async (records: number, target: number) => {
  const made = await makeTeam(server, { records, target, members: 3 })
  const [ann, bob, cyd] = made.members as [Annotator, Annotator, Annotator]
  return { ...made, ann, bob, cyd }
}
const untilOver = () => pause(SHORT_MS + 50)

describe('when a lease has expired', () => {
  it('its record goes to the next request, and the previous holder loses it', async () => {
    const { ids, ann, bob, progress } = await team(1, 1)
    const [id] = ids as [string]
    expect((await ann.next()).ids).toEqual([id])
    expect(await bob.next()).toEqual({ ids: [], left: 0 })
    await untilOver()
    expect(await bob.next()).toEqual({ ids: [id], left: 1 })
    expect(await ann.renew(id)).toEqual([])
    expect(await ann.next()).toEqual({ ids: [], left: 0 })
    // A late answer is stored. Bob's answer is the surplus one.
    await ann.answer(id)
    await bob.answer(id)
    expect(await progress()).toMatchObject({ completed: 1, surplus: 1 })
  })

  it('its holder can renew it if nobody else leased the record, and a lease renewed in time doesn’t expire', async () => {
    const { ids, ann, bob, cyd } = await team(1, 2)
    const [id] = ids as [string]
    await ann.next()
    await untilOver()
    expect(await bob.next()).toEqual({ ids: [id], left: 1 })
    // The record needs a second answer, so it can be leased to one more user.
    expect(await ann.renew(id)).toEqual([id])
    expect(await cyd.next()).toEqual({ ids: [], left: 0 })
    await pause(SHORT_MS / 2)
    expect(await ann.renew(id)).toEqual([id])
    await pause(SHORT_MS / 2 + 50)
    // Bob's lease has expired and Ann's hasn't, so the record can be leased to one more user.
    expect(await cyd.next()).toEqual({ ids: [id], left: 1 })
    expect(await bob.renew(id)).toEqual([])
    expect(await ann.renew(id)).toEqual([id])
  })

  it('a record that was never leased, or was released, can’t be renewed', async () => {
    const { ids, ann, bob } = await team(2, 1)
    expect(await ann.renew(...ids)).toEqual([])
    expect(await ann.renew('00000000-0000-7000-8000-000000000009')).toEqual([])
    const elsewhere = await team(1, 1)
    await elsewhere.ann.next()
    expect(await ann.renew(...elsewhere.ids)).toEqual([])
    const [id] = (await ann.next(1)).ids as [string]
    expect(await bob.renew(id)).toEqual([])
    await ann.release(id)
    expect(await ann.renew(id)).toEqual([])
  })
})
