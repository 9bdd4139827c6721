import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expectAllCounted } from '@postil/server/tests/api/testing/counts/count.ts'
import { type ServerHandle, Team } from '@postil/server/tests/api/testing/counts/team.ts'
import { round } from '@postil/server/tests/api/testing/counts/team-actions.ts'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { createFactories, type TestUser } from '@postil/testkit/factories.ts'
import { scaled } from '@postil/testkit/run-size.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { serverPerTest } from '#harness/server-per-test.ts'
import { owner } from './fixtures.ts'
import { findDifferences, listActiveJobs } from './inspect.ts'

const KILLS = scaled(3, 200)
const MAX_KILLS = 3 * KILLS
/** Number of kills per dataset. The next kills use a new dataset, so that no dataset grows for hours. */
const KILLS_OF_ONE = 10
/** More rounds than can run before a kill. */
const ROUNDS = 100

const target = serverPerTest()

/** A client of the current server. */
const now = (): Client => createClient(target.server.url, owner)
const moving: Client = {
  get: (...args) => now().get(...args),
  post: (...args) => now().post(...args),
  put: (...args) => now().put(...args),
  patch: (...args) => now().patch(...args),
  delete: (...args) => now().delete(...args),
}

const createAnnotators = async (shown: ServerHandle, workspace: string): Promise<readonly TestUser[]> => {
  const join = (role: 'admin' | 'annotator') => shown.createUser({ role, workspaces: [workspace] })
  return [await join('admin'), await join('annotator'), await join('annotator'), await join('annotator')]
}

it(`counts everything right after a kill at any moment of whatever is done at the same time, ${KILLS} times`, {
  timeout: scaled(300_000, 7_200_000),
}, async () => {
  const factories = createFactories(moving)
  const shown: ServerHandle = {
    ...factories,
    owner,
    clientFor: (user) => createClient(target.server.url, user),
    recount: () => findDifferences(target.place),
  }
  const workspace = (await factories.createWorkspace()).id
  const people = await createAnnotators(shown, workspace)
  const seed = randomInt(2 ** 31)
  let annotators = await Team.create(shown, people, workspace)
  let done = 0
  let cutOff = 0

  const isEnough = (): boolean => done > KILLS * 5 && cutOff > KILLS
  // More kills are needed if too few actions were completed (a slow machine) or too few were interrupted (a kill between two
  // actions interrupts none).
  for (let kill = 0; kill < KILLS || (!isEnough() && kill < MAX_KILLS); kill += 1) {
    if (kill > 0 && kill % KILLS_OF_ONE === 0) annotators = await Team.create(shown, people, workspace)
    let isKilled = false
    const isCutOff = (reason: unknown): boolean => isKilled && reason instanceof TypeError
    const work = async (): Promise<void> => {
      for (const actions of fc.sample(round, { numRuns: ROUNDS, seed: seed + kill })) {
        const answered = await annotators.doAll(actions, isCutOff)
        done += answered
        cutOff += actions.length - answered
        if (isKilled) return
        await annotators.reload().catch((reason: unknown) => {
          if (!isCutOff(reason)) throw reason
        })
      }
    }
    let hasPassed = false
    const working = work().finally(() => {
      hasPassed = true
    })
    // The server is killed only after enough actions to make the test meaningful, even on a slow machine.
    while (done < kill * 6 && !hasPassed) await pause(20)
    await Promise.race([pause(randomInt(20, 600)), working])
    isKilled = true
    await Promise.all([working, target.server.kill()])
    await target.restart()
    await expect.poll(() => listActiveJobs(target.place), { timeout: 60_000, interval: 20 }).toEqual([])
    await expectAllCounted(annotators)
  }
  // Ensures that enough actions were completed, and enough were cut off, to make the test meaningful.
  expect(done).toBeGreaterThan(KILLS * 5)
  expect(cutOff).toBeGreaterThan(KILLS)
})
