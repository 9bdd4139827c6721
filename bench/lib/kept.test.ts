import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { keepRun, keptRuns, type Run } from './kept.ts'
import { sizingOf } from './sizing.ts'

const folder = mkdtempSync(join(tmpdir(), 'postil kept '))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (engine: string, records: number, value: number): Run => ({
  engine,
  records,
  date: '2030-01-02T03:04:05.000Z',
  commit: 'abc1234',
  node: '24.0.0',
  machine: 'a machine',
  lines: [
    { engine, records, what: 'on the disk, per million records', value, unit: 'GiB' },
    { engine, records, what: 'bulk upsert, batches of 500', value: 5000, unit: 'records/s' },
    { engine, records, what: '16 annotators: memory', value: 200, unit: 'MiB' },
  ],
})

it('keeps the latest run of each engine and size, in the order of the report', () => {
  expect(keptRuns(folder)).toEqual([])
  for (const one of [run('postgres', 10_000, 3), run('sqlite', 1_000_000, 2), run('sqlite', 10_000, 1)]) keepRun(one, folder)
  const again = run('sqlite', 10_000, 1.5)
  keepRun(again, folder)
  expect(keptRuns(folder)).toEqual([again, run('sqlite', 1_000_000, 2), run('postgres', 10_000, 3)])
  expect(readdirSync(folder)).toHaveLength(3)
})

it('sizes an engine by its largest run', () => {
  const table = sizingOf([run('sqlite', 10_000, 1), run('sqlite', 1_000_000, 2.5), run('postgres', 100_000, 4)])
  const rows = table.split('\n').slice(2)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatch(/\| sqlite +\| 1000000 .*\| 2\.50 GiB .*\| 0\.06 h .*\| 200 MiB/)
  expect(rows[1]).toMatch(/\| postgres +\| 100000 .*\| 4\.00 GiB/)
  expect(sizingOf([])).toBe('')
})
