/** Writes the results of crowd-kit that `aggregation.oracle.ts` reads. Run: npx node e2e/review/write-crowd-results.ts */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askCrowdKit } from '../oracles/python.ts'
import { scriptInput } from './crowd-cases.ts'

const DIGITS = 9
const results = await askCrowdKit(join(import.meta.dirname, 'aggregation.py'), scriptInput)
const rounded = (_key: string, value: unknown): unknown => (typeof value === 'number' ? Number(value.toFixed(DIGITS)) : value)
const lines = (results as readonly unknown[]).map((result) => JSON.stringify(result, rounded))
writeFileSync(join(import.meta.dirname, 'crowd-results.json'), `[\n${lines.join(',\n')}\n]\n`)
