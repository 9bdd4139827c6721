import type { SearchResult } from '@postil/contract/search.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { scaled } from '@postil/testkit/run-size.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recount } from '#features/records/service.ts'
import type { Store } from '#platform/db/store.ts'
import { jobsEnd, openTool } from '../durability/testing/jobs-end.ts'
import { expectAllCounted } from './testing/counts/count.ts'
import { type ServerHandle, Team } from './testing/counts/team.ts'
import { round } from './testing/counts/team-actions.ts'
import { must } from './testing/fixture.ts'

let server: TestServer
let tool: Store
let serverHandle: ServerHandle
let workspace: string
let people: readonly TestUser[]
beforeAll(async () => {
  server = await bootServer({ delivery: null })
  tool = await openTool(server)
  serverHandle = { ...server, recount: (datasetNo) => recount(server.app.ctx, datasetNo) }
  workspace = (await server.createWorkspace()).id
  const join = (role: 'admin' | 'annotator') => server.createUser({ role, workspaces: [workspace] })
  people = [await join('admin'), await join('annotator'), await join('annotator'), await join('annotator')]
})
afterAll(async () => {
  await tool.close()
  await server.close()
})

/** Number of rounds, each with up to eight concurrent actions. */
const ROUNDS = 40
/** The average number of actions in one run. */
const MAX_ACTIONS = (ROUNDS / 2) * 4.5
/** Time limit in milliseconds. After a failure, most of the time is spent finding the shortest sequence that also fails. */
const TIME_MS = scaled(120_000, 3_600_000)

/* A failure prints the shortest failing list of rounds that was found within the time limit. If these rounds are run again, their
   concurrent actions may have a different outcome. */
it(
  'keeps every count right under concurrent changes',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { maxLength: ROUNDS, size: 'max' }), async (rounds) => {
        const team = await Team.create(serverHandle, people, workspace)
        for (const actions of rounds) {
          await team.doAll(actions)
          await team.reload()
        }
        await jobsEnd(tool)
        await expectAllCounted(team)
      }),
      { numRuns: Math.ceil(scaled(200, 10_000) / MAX_ACTIONS), interruptAfterTimeLimit: TIME_MS, markInterruptAsFailure: true },
    )
  },
  TIME_MS + 30_000,
)

it(
  'finds the preceding write every time',
  async () => {
    const team = await Team.create(serverHandle, people, workspace)
    const times = scaled(50, 10_000)
    const path = team.record(0)
    for (let i = 0; i < times; i++) {
      must(await team.admin().patch(path, { fields: { text: `turn${i}` }, metadata: { lang: `l${i}` } }))
      const query = { text: { q: `turn${i}` } }
      const and = [{ type: 'terms', scope: { entity: 'metadata', metadata_property: 'lang' }, values: [`l${i}`] }]
      const [text, terms] = await Promise.all(
        [{ query }, { filters: { and } }].map((body) => team.as(1).post<SearchResult>(`/me${team.dataset}/records/search`, body)),
      )
      expect([i, text?.body.total, terms?.body.total]).toEqual([i, 1, 1])
    }
  },
  TIME_MS,
)
