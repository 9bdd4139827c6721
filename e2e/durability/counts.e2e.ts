import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expectAllCounted } from '@postil/server/wire/testing/counts/count.ts'
import { Crowd, type Shown } from '@postil/server/wire/testing/counts/crowd.ts'
import { round } from '@postil/server/wire/testing/counts/deeds.ts'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { createFactories, type TestUser } from '@postil/testkit/factories.ts'
import { sized } from '@postil/testkit/size.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { emptyPlace, type Place, type RunningServer, startServer } from '#harness/server.ts'
import { owner } from './given.ts'
import { differences, jobsAt } from './inspect.ts'

const KILLS = sized(8, 200)
/** After so many kills a dataset is left alone, so that none grows for hours. */
const KILLS_OF_ONE = 10
/** More than are done before a kill. */
const ROUNDS = 100

let place: Place
let server: RunningServer
beforeEach(async () => {
  place = await emptyPlace()
  server = await startServer({ place })
})
afterEach(async () => {
  await server.kill()
  await place.drop()
})

/** Speaks to whichever server is there now. */
const now = (): Client => createClient(server.url, owner)
const moving: Client = {
  get: (...args) => now().get(...args),
  post: (...args) => now().post(...args),
  put: (...args) => now().put(...args),
  patch: (...args) => now().patch(...args),
  delete: (...args) => now().delete(...args),
}

const makePeople = async (shown: Shown, workspace: string): Promise<readonly TestUser[]> => {
  const join = (role: 'admin' | 'annotator') => shown.createUser({ role, workspaces: [workspace] })
  return [await join('admin'), await join('annotator'), await join('annotator'), await join('annotator')]
}

it(`counts everything right after a kill at any moment of whatever is done at the same time, ${KILLS} times`, {
  timeout: sized(300_000, 7_200_000),
}, async () => {
  const factories = createFactories(moving)
  const shown: Shown = { ...factories, owner, as: (user) => createClient(server.url, user), recount: () => differences(place) }
  const workspace = (await factories.createWorkspace()).id
  const people = await makePeople(shown, workspace)
  const seed = randomInt(2 ** 31)
  let crowd = await Crowd.gather(shown, people, workspace)
  let done = 0
  let cutOff = 0

  for (let kill = 0; kill < KILLS; kill += 1) {
    if (kill > 0 && kill % KILLS_OF_ONE === 0) crowd = await Crowd.gather(shown, people, workspace)
    let isKilled = false
    const isCutOff = (reason: unknown): boolean => isKilled && reason instanceof TypeError
    const work = async (): Promise<void> => {
      for (const deeds of fc.sample(round, { numRuns: ROUNDS, seed: seed + kill })) {
        const answered = await crowd.doAll(deeds, isCutOff)
        done += answered
        cutOff += deeds.length - answered
        if (isKilled) return
        await crowd.look().catch((reason: unknown) => {
          if (!isCutOff(reason)) throw reason
        })
      }
    }
    let isThrough = false
    const working = work().finally(() => {
      isThrough = true
    })
    // However slow the machine is, so much is done before that all kills together mean something.
    while (done < kill * 6 && !isThrough) await pause(20)
    await Promise.race([pause(randomInt(20, 600)), working])
    isKilled = true
    await Promise.all([working, server.kill()])
    server = await startServer({ place })
    await expect.poll(() => jobsAt(place), { timeout: 60_000, interval: 20 }).toEqual([])
    await expectAllCounted(crowd)
  }
  // Enough was done, and enough of it cut off, for the test to mean something.
  expect(done).toBeGreaterThan(KILLS * 5)
  expect(cutOff).toBeGreaterThan(KILLS)
})
