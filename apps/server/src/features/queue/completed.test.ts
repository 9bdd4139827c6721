import type { TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Annotator, bootQueue, makeTeam, must, type Team } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue()
})
afterAll(() => server.close())

const RECORDS = 12

type Way = { readonly way: string; readonly complete: (team: Team, id: string) => Promise<unknown> }
const bobOf = ({ members }: Team) => members[1] as Annotator

const ways: readonly Way[] = [
  { way: 'completed by the answer of someone without a lease', complete: (team, id) => bobOf(team).answer(id) },
  {
    way: 'completed by an answer inside the uploaded record',
    complete: async (team, id) => {
      const responses = [{ user_id: bobOf(team).user.id, status: 'submitted', values: { label: { value: 'yes' } } }]
      const owner = server.clientFor(server.owner)
      must(await owner.put(`/datasets/${team.dataset}/records/bulk`, { items: [{ id, fields: { text: 'same' }, responses }] }))
    },
  },
]

describe('a leased record that is completed', () => {
  it.each(ways)('$way doesn’t count as leased, and isn’t leased when it is pending again', async ({ complete }) => {
    const team = await makeTeam(server, { records: RECORDS, target: 1, members: 3 })
    const [ann, , cyd] = team.members as [Annotator, Annotator, Annotator]
    const { ids } = await ann.next(3)
    const [first = ''] = ids
    await complete(team, first)
    expect((await cyd.next(1)).left).toBe(RECORDS - ids.length)
    await cyd.release()
    expect((await ann.renew(...ids)).toSorted()).toEqual(ids.slice(1).toSorted())

    const owner = server.clientFor(server.owner)
    type Listed = { responses: { id: string }[] }
    const { responses } = must(await owner.get<Listed>(`/records/${first}`))
    for (const { id } of responses) must(await owner.delete(`/responses/${id}`))
    expect((await cyd.next(100)).left).toBe(RECORDS - (ids.length - 1))
  })
})
