import { afterAll, expect } from 'vitest'
import type { Statement } from '../statement-channel.ts'
import { statementChannel } from '../statement-channel.ts'
import { isAllShardsQuery } from './all-shards.ts'
import { analyzeShards, type ShardAnalysis } from './shards.ts'

/* Checks every statement that the tests run on PostgreSQL. Each statement must also work on a cluster that keeps each dataset on
   one node. */

const analyses = new Map<string, ShardAnalysis>()
const faults = new Set<string>()
/** Datasets that the current transaction of a connection has changed so far. */
const changed = new WeakMap<object, Set<number>>()

/**
 * Matches a statement that reads a whole table, as backups do, and tests that compare all data. Such statements read all nodes on
 * purpose.
 */
const WHOLE = /^select \* from "\w+"( order by .*)?$/
const SCHEMA = /^\s*(create|alter|drop|analyze|set|select setval|do|lock|vacuum)\b/i

const watch = (message: unknown): void => {
  const { on, sql, parameters } = message as Statement
  if (/^\s*(begin|start transaction)\b/i.test(sql)) changed.set(on, new Set())
  if (SCHEMA.test(sql) || WHOLE.test(sql)) return
  let analysis = analyses.get(sql)
  if (analysis === undefined) {
    analysis = analyzeShards(sql)
    analyses.set(sql, analysis)
  }
  for (const fault of analysis.faults) faults.add(`${fault}: ${sql}`)
  const isOfAll = isAllShardsQuery(sql)
  if (!isOfAll) for (const fault of analysis.allShards) faults.add(`${fault}: ${sql}`)
  const expectedDatasets = [
    ...analysis.datasets.parameters.flatMap((i) => [parameters[i - 1]].flat().map(String)),
    ...analysis.datasets.constants,
  ]
  if (!isOfAll && new Set(expectedDatasets).size > 1) faults.add(`is about several datasets at once: ${sql}`)
  const datasets = changed.get(on)
  for (const i of analysis.changes) for (const no of [parameters[i - 1]].flat()) datasets?.add(Number(no))
  if (datasets && datasets.size > 1)
    faults.add(`changes the datasets ${[...datasets].sort()} in one transaction, at last by ${sql}`)
}

// This file is loaded for each test file of the process, but one subscription is enough.
const KEY = Symbol.for('postil.shards')
type Shared = typeof globalThis & { [KEY]?: Set<string> }
const shared = globalThis as Shared
if (shared[KEY] === undefined) {
  shared[KEY] = faults
  statementChannel.subscribe(watch)
}
const all = shared[KEY]
afterAll(() => {
  const found = [...all]
  all.clear()
  expect(found, 'statements that would leave their node').toEqual([])
})
