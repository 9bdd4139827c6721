import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFullRun } from '@postil/testkit/run-size.ts'
import { describe, expect, it } from 'vitest'
import { dawidSkene } from '../../apps/server/src/features/gold/aggregation/dawid-skene.ts'
import { mace } from '../../apps/server/src/features/gold/aggregation/mace.ts'
import { askCrowdKit, INSTALL_TIMEOUT } from '../oracles/python.ts'
import { answersOfCases, type Expected, ROUNDS, scriptInput } from './crowd-cases.ts'

/**
 * Compares the labels that Postil computes with the labels that the Python library crowd-kit computes. The library's labels are
 * stored in a file, which `write-crowd-results.ts` writes. Full runs also compare the file with new results from the library.
 */

const stored = JSON.parse(readFileSync(join(import.meta.dirname, 'crowd-results.json'), 'utf8')) as readonly Expected[]
const cases = answersOfCases.map((answers, i) => ({ i, answers }))
const resultsOf = (rule: Expected['rule']): readonly Expected[] => stored.filter((one) => one.rule === rule)
const measures = ['posterior', 'entropy', 'accuracy'] as const
type Results = { readonly [measure in (typeof measures)[number]]: ArrayLike<number> }

const same = (found: Results, wanted: Results | undefined, tolerance = 1e-6): void => {
  for (const measure of measures) {
    const [a, b] = [Array.from(found[measure]), Array.from(wanted?.[measure] ?? [])]
    expect(a.length, measure).toBe(b.length)
    expect(Math.max(...a.map((one, i) => Math.abs(one - b[i]!))), measure).toBeLessThan(tolerance)
  }
}

describe('crowd-kit agrees on', () => {
  it.each(cases)('Dawid and Skene, case $i', ({ i, answers }) => {
    const found = dawidSkene(answers, { smoothing: 0, floor: 1e-10, tolerance: -Infinity, rounds: ROUNDS.dawid_skene })
    expect(found.rounds).toBe(ROUNDS.dawid_skene)
    same(found, resultsOf('dawid_skene')[i])
  })

  it.each(cases)('MACE, case $i', ({ i, answers }) => {
    const wanted = resultsOf('mace')[i]
    const { knowing = [], guesses = [] } = wanted?.start ?? {}
    const starts = [{ knowing: Float64Array.from(knowing), guesses: Float64Array.from(guesses) }]
    const found = mace(answers, { starts, tolerance: -Infinity, rounds: ROUNDS.mace })
    expect(found.rounds).toBe(ROUNDS.mace)
    same(found, wanted)
  })
})

it.runIf(isFullRun)(
  'the stored results are those of crowd-kit',
  async () => {
    const fresh = (await askCrowdKit(join(import.meta.dirname, 'aggregation.py'), scriptInput)) as readonly Expected[]
    expect(fresh).toHaveLength(stored.length)
    for (const [i, found] of fresh.entries()) same(found, stored[i], 1e-7)
  },
  INSTALL_TIMEOUT,
)
