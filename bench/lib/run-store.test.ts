import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { copyNewer, type Run, readRuns, storeRun } from './run-store.ts'
import { sizingOf } from './sizing.ts'
import { readTeamRuns, storeTeamRun, type TeamRun } from './team-run-store.ts'
import { teamsOf } from './teams.ts'

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
    { engine, records, what: 'on disk, per million records', value, unit: 'GiB' },
    { engine, records, what: 'bulk upsert, batches of 500', value: 5000, unit: 'records/s' },
    { engine, records, what: '16 annotators: memory', value: 200, unit: 'MiB' },
  ],
})

it('keeps the latest run of each engine and size, in report order', () => {
  expect(readRuns(folder)).toEqual([])
  for (const one of [run('postgres', 10_000, 3), run('sqlite', 1_000_000, 2), run('sqlite', 10_000, 1)]) storeRun(one, folder)
  const again = run('sqlite', 10_000, 1.5)
  storeRun(again, folder)
  expect(readRuns(folder)).toEqual([again, run('sqlite', 1_000_000, 2), run('postgres', 10_000, 3)])
  expect(readdirSync(folder)).toHaveLength(3)
})

it('copies newer runs and leaves the others', () => {
  const [latest, reported] = [join(folder, 'latest'), join(folder, 'reported')]
  const dated = (one: Run, date: string): Run => ({ ...one, date })
  const [old, later, newest] = ['2030-01-02', '2030-01-02T09:00:00.000Z', '2030-01-03T00:00:00.000Z'] as const
  for (const records of [10_000, 100_000]) storeRun(dated(run('sqlite', records, 1), later), reported)
  copyNewer(latest, reported)
  expect(readRuns(reported).map(({ date }) => date)).toEqual([later, later])
  storeRun(dated(run('sqlite', 10_000, 2), old), latest)
  storeRun(dated(run('sqlite', 100_000, 2), newest), latest)
  storeRun(dated(run('postgres', 10_000, 2), old), latest)
  copyNewer(latest, reported)
  expect(readRuns(reported)).toEqual([
    dated(run('sqlite', 10_000, 1), later),
    dated(run('sqlite', 100_000, 2), newest),
    dated(run('postgres', 10_000, 2), old),
  ])
})

const team = (script: TeamRun['script'], answers: number): TeamRun => ({
  script,
  engine: 'postgres',
  date: '2030-01-02T03:04:05.000Z',
  commit: 'abc1234',
  machine: 'a machine',
  figures: { answers, next_ms: { p50: 1.234, p95: 22 }, errors: 0 },
})

it('keeps the latest run of each team, and shows all measurements', () => {
  expect([readTeamRuns(folder), teamsOf([])]).toEqual([[], ''])
  for (const one of [team('scale', 1), team('load', 2), team('load', 3)]) storeTeamRun(one, folder)
  expect(readTeamRuns(folder)).toEqual([team('load', 3), team('scale', 1)])
  const [load, scale] = teamsOf(readTeamRuns(folder)).split('### ').slice(1)
  expect(load).toMatch(/^`npm run load`, postgres[\s\S]*2030-01-02, commit abc1234[\s\S]*\| answers +\| 3 +\|/)
  expect(load).toMatch(/\| next ms +\| p50 1\.2, p95 22 +\|\n\| errors +\| 0 /)
  expect(scale).toMatch(/^`node bench\/scale\.ts`, postgres/)
})

it('bases the sizing of an engine on its largest run', () => {
  const table = sizingOf([run('sqlite', 10_000, 1), run('sqlite', 1_000_000, 2.5), run('postgres', 100_000, 4)])
  const rows = table.split('\n').slice(2)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatch(/\| sqlite +\| 1000000 .*\| 2\.50 GiB .*\| 0\.06 h .*\| 200 MiB/)
  expect(rows[1]).toMatch(/\| postgres +\| 100000 .*\| 4\.00 GiB/)
  expect(sizingOf([])).toBe('')
})
