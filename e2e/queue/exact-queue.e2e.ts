import { scaled } from '@postil/testkit/run-size.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Place } from '#harness/server.ts'
import { emptyPlace, testEngine } from '#harness/server.ts'
import { findDifferences } from '../durability/inspect.ts'
import { type Plan, simulate } from './simulate.ts'

const planDefaults = { target: 3, leaseMs: 5000, most: 5, thinkMs: 0 }
/** `node bench/queue.ts` runs the same simulation and reports timings. */
const plan: Plan =
  testEngine() === 'postgres'
    ? { ...planDefaults, annotators: scaled(12, 50), processes: scaled(2, 4), records: scaled(240, 10_000), kills: scaled(3, 20) }
    : { ...planDefaults, annotators: scaled(10, 50), processes: 1, records: scaled(200, 10_000), kills: scaled(3, 20) }

let place: Place
beforeEach(async () => {
  place = await emptyPlace()
})
afterEach(() => place.drop())

it(`a team of ${plan.annotators} completes ${plan.records} records exactly while servers are killed`, {
  timeout: scaled(300_000, 7_200_000),
}, async () => {
  const { progress, submittedBy, answers, kills, waits } = await simulate(place, plan)
  expect(progress).toMatchObject({ total: plan.records, completed: plan.records, pending: 0, surplus: 0 })
  const counts = [...submittedBy.values()].map((users) => users.length)
  expect(counts.filter((count) => count !== plan.target)).toEqual([])
  expect(counts).toHaveLength(plan.records)
  const persons = [...submittedBy.values()].map((users) => new Set(users).size)
  expect(persons.filter((count) => count !== plan.target)).toEqual([])
  expect(answers).toBe(plan.records * plan.target)
  expect(await findDifferences(place)).toEqual([])
  // `waits` counts how often the server assigned no record although some were left. Each kill may cause one wait, for the record
  // that was being assigned when the server was killed.
  expect(waits).toBeLessThanOrEqual(kills)
  expect(kills).toBe(plan.kills)
})
