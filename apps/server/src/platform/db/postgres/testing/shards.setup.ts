import { afterAll, expect } from 'vitest'
import type { Statement } from '../told.ts'
import { statements } from '../told.ts'
import { isAskedEverywhere } from './everywhere.ts'
import { type Look, lookAt } from './shards.ts'

/*
 * Around every test file on PostgreSQL: whatever the suite has the store do would also work where each dataset is on one node of
 * a cluster.
 */

const looks = new Map<string, Look>()
const faults = new Set<string>()
/** Datasets that the transaction that runs on a connection has changed so far. */
const changed = new WeakMap<object, Set<number>>()

/** A copy of a whole table, for a backup or a test that compares everything: it is of every node on purpose. */
const WHOLE = /^select \* from "\w+"( order by .*)?$/
const SCHEMA = /^\s*(create|alter|drop|analyze|set|select setval|do|lock|vacuum)\b/i

const watch = (message: unknown): void => {
  const { on, sql, parameters } = message as Statement
  if (/^\s*(begin|start transaction)\b/i.test(sql)) changed.set(on, new Set())
  if (SCHEMA.test(sql) || WHOLE.test(sql)) return
  let look = looks.get(sql)
  if (look === undefined) {
    look = lookAt(sql)
    looks.set(sql, look)
  }
  for (const fault of look.faults) faults.add(`${fault}: ${sql}`)
  const isOfAll = isAskedEverywhere(sql)
  if (!isOfAll) for (const fault of look.everywhere) faults.add(`${fault}: ${sql}`)
  const meant = [...look.datasets.parameters.flatMap((i) => [parameters[i - 1]].flat().map(String)), ...look.datasets.constants]
  if (!isOfAll && new Set(meant).size > 1) faults.add(`is about several datasets at once: ${sql}`)
  const datasets = changed.get(on)
  for (const i of look.changes) for (const no of [parameters[i - 1]].flat()) datasets?.add(Number(no))
  if (datasets && datasets.size > 1)
    faults.add(`changes the datasets ${[...datasets].sort()} in one transaction, at last by ${sql}`)
}

// NOTE: this file is read again for each test file of the process, and one watch is enough
const KEY = Symbol.for('postil.shards')
type Shared = typeof globalThis & { [KEY]?: Set<string> }
const shared = globalThis as Shared
if (shared[KEY] === undefined) {
  shared[KEY] = faults
  statements.subscribe(watch)
}
const all = shared[KEY]
afterAll(() => {
  const found = [...all]
  all.clear()
  expect(found, 'statements that would leave their node').toEqual([])
})
