import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@postil/testkit/client.ts'
import { scaled } from '@postil/testkit/run-size.ts'
import { expect, it } from 'vitest'
import { testEngine } from '#harness/server.ts'
import { serverPerTest } from '#harness/server-per-test.ts'
import { owner, seedDataset } from './fixtures.ts'
import { findDifferences, hasDueTexts } from './inspect.ts'

const KILLS = scaled(4, 10)
/**
 * A fast machine may index all text before the server is killed. The test therefore repeats the kill, at most this many times,
 * until some text is left unindexed.
 */
const MAX_KILLS = 10 * KILLS
const RECORDS = 200
/** Enough words that indexing them takes a while. */
const textOf = Array.from({ length: 600 }, (_, i) => `word${i}`).join(' ')

const target = serverPerTest()

it(`finds the records of every bulk, whole or not at all, when the server is killed at any moment, at least ${KILLS} times`, async () => {
  const { dataset } = await seedDataset(target.server, 0)
  const path = `/datasets/${dataset.id}/records`
  const send = async (bulk: number): Promise<boolean> => {
    const items = Array.from({ length: RECORDS }, (_, i) => ({ fields: { text: `bulk${bulk} ${textOf} n${bulk}x${i}` } }))
    const answer = await createClient(target.server.url, owner)
      .put(`${path}/bulk`, { items })
      .catch(() => null)
    return answer !== null && answer.status < 300
  }
  const confirmed = new Set<number>()
  let sent = 0
  let due = 0
  const isDone = (rounds: number): boolean => rounds >= KILLS && (due > 0 || testEngine() !== 'sqlite')
  for (let round = 0; round < MAX_KILLS && !isDone(round); round += 1) {
    const before = sent
    const sending = (async () => {
      for (let bulks = 0; bulks < (round % 2 === 0 ? 1 : 50); bulks += 1) {
        const bulk = sent
        sent += 1
        if (!(await send(bulk))) return
        confirmed.add(bulk)
      }
    })()
    // In every other round, the server is killed as soon as it has answered.
    await (round % 2 === 0 ? sending : Promise.race([pause(randomInt(20, 400)), sending]))
    await target.server.kill()
    await sending
    if (await hasDueTexts(target.place, dataset.id)) due += 1
    expect(await findDifferences(target.place)).toEqual([])
    await target.restart()
    const client = createClient(target.server.url, owner)
    for (let bulk = before; bulk < sent; bulk += 1) {
      const query = { query: { text: { q: `bulk${bulk}` } } }
      const { body } = await client.post<{ total: number }>(`${path}/search?limit=1`, query)
      if (body.total !== RECORDS) expect([bulk, body.total, confirmed.has(bulk)]).toEqual([bulk, 0, false])
    }
    expect(await findDifferences(target.place)).toEqual([])
  }
  expect(confirmed.size).toBeGreaterThanOrEqual(KILLS / 2)
  if (testEngine() === 'sqlite') expect(due).toBeGreaterThan(0)
})
