import type { SearchResult } from '@postil/contract/search.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { sized } from '@postil/testkit/size.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recount } from '#features/records/service.ts'
import { expectAllCounted } from './testing/counts/count.ts'
import { Crowd, type Shown } from './testing/counts/crowd.ts'
import { round } from './testing/counts/deeds.ts'
import { must } from './testing/stage.ts'

let server: TestServer
let shown: Shown
let workspace: string
let people: readonly TestUser[]
beforeAll(async () => {
  server = await bootServer({ delivery: null })
  shown = { ...server, recount: (datasetNo) => recount(server.app.ctx, datasetNo) }
  workspace = (await server.createWorkspace()).id
  const join = (role: 'admin' | 'annotator') => server.createUser({ role, workspaces: [workspace] })
  people = [await join('admin'), await join('annotator'), await join('annotator'), await join('annotator')]
})
afterAll(() => server.close())

/** Rounds of up to eight deeds at once. */
const ROUNDS = 40
/** Deeds of one run on the average. */
const DEEDS = (ROUNDS / 2) * 4.5
/** Most of it is for finding the shortest failure; milliseconds. */
const TIME = sized(120_000, 3_600_000)

/* A failure prints the shortest rounds that were found in the time; what happened at once in a round may fall out otherwise when it is run again. */
it(
  'counts everything right whatever is done at the same time',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { maxLength: ROUNDS, size: 'max' }), async (rounds) => {
        const crowd = await Crowd.gather(shown, people, workspace)
        for (const deeds of rounds) {
          await crowd.doAll(deeds)
          await crowd.look()
        }
        await expectAllCounted(crowd)
      }),
      { numRuns: Math.ceil(sized(600, 10_000) / DEEDS), interruptAfterTimeLimit: TIME, markInterruptAsFailure: true },
    )
  },
  TIME + 30_000,
)

it(
  'finds what was written before, each time',
  async () => {
    const crowd = await Crowd.gather(shown, people, workspace)
    const times = sized(150, 10_000)
    const path = crowd.record(0)
    for (let i = 0; i < times; i++) {
      must(await crowd.admin().patch(path, { fields: { text: `turn${i}` }, metadata: { lang: `l${i}` } }))
      const query = { text: { q: `turn${i}` } }
      const and = [{ type: 'terms', scope: { entity: 'metadata', metadata_property: 'lang' }, values: [`l${i}`] }]
      const [text, terms] = await Promise.all(
        [{ query }, { filters: { and } }].map((body) =>
          crowd.as(1).post<SearchResult>(`/me${crowd.dataset}/records/search`, body),
        ),
      )
      expect([i, text?.body.total, terms?.body.total]).toEqual([i, 1, 1])
    }
  },
  TIME,
)
