import type { TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { ageLeases, countLeases } from './testing/operations.ts'
import { type Annotator, bootQueue, makeTeam, must } from './testing/team.ts'

/** The number of the server's first dataset. */
const FIRST = 1

let server: TestServer
let tool: Store
beforeAll(async () => {
  server = await bootQueue()
  const { dataDir, databaseUrl } = server.app.ctx.config
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
})
afterAll(async () => {
  await tool.close()
  await server.close()
})

it('long-expired leases are deleted, and those of a deleted user at once', async () => {
  const { members } = await makeTeam(server, { records: 6, target: 1, members: 2 })
  const [ann, bob] = members as [Annotator, Annotator]
  await ann.next(6)
  await tool.write(ageLeases, { no: FIRST })
  expect(await tool.read(countLeases, { no: FIRST })).toBe(6)
  expect((await bob.next(2)).ids).toHaveLength(2)
  expect(await tool.read(countLeases, { no: FIRST })).toBe(2)
  expect(await ann.next(6)).toMatchObject({ ids: { length: 4 }, left: 4 })
  must(await server.clientFor(server.owner).delete(`/users/${bob.user.id}`))
  expect(await ann.next(6)).toMatchObject({ ids: { length: 6 }, left: 6 })
  expect(await tool.read(countLeases, { no: FIRST })).toBe(6)
})
