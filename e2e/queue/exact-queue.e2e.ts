import { sized } from '@postil/testkit/size.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Place } from '#harness/server.ts'
import { emptyPlace, testEngine } from '#harness/server.ts'
import { differences } from '../durability/inspect.ts'
import { type Plan, simulate } from './simulate.ts'

const common = { target: 3, leaseMs: 5000, most: 5, thinkMs: 0 }
/** `node bench/queue.ts` runs the same and says how long things took. */
const plan: Plan =
  testEngine() === 'postgres'
    ? { ...common, annotators: sized(20, 50), processes: sized(3, 4), records: sized(700, 10_000), kills: sized(6, 20) }
    : { ...common, annotators: sized(10, 50), processes: 1, records: sized(300, 10_000), kills: sized(3, 20) }

let place: Place
beforeEach(async () => {
  place = await emptyPlace()
})
afterEach(() => place.drop())

it(`a team of ${plan.annotators} completes ${plan.records} records exactly while servers are killed`, {
  timeout: sized(300_000, 7_200_000),
}, async () => {
  const { progress, submittedBy, answers, kills, waits } = await simulate(place, plan)
  expect(progress).toMatchObject({ total: plan.records, completed: plan.records, pending: 0, surplus: 0 })
  const counts = [...submittedBy.values()].map((users) => users.length)
  expect(counts.filter((count) => count !== plan.target)).toEqual([])
  expect(counts).toHaveLength(plan.records)
  const persons = [...submittedBy.values()].map((users) => new Set(users).size)
  expect(persons.filter((count) => count !== plan.target)).toEqual([])
  // What people were told is stored is what is stored.
  expect(answers).toBe(plan.records * plan.target)
  expect(await differences(place)).toEqual([])
  // Each was looked into while nobody else did anything; what is left then is what somebody was about to take.
  expect(waits).toBeLessThanOrEqual(kills)
  expect(kills).toBe(plan.kills)
})
