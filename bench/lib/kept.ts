import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Line } from './stats.ts'

const root = join(import.meta.dirname, '..', '..')
export const keptIn = join(root, '.cache', 'bench')
/** The runs that the report is of. They are part of the repository: the machine that writes it need not have measured all. */
export const reportedIn = join(root, 'docs', 'measurements')

/** What one engine did with a dataset of one size. */
export type Run = {
  readonly engine: string
  readonly records: number
  /** When it ended, in ISO 8601. */
  readonly date: string
  /** Short name of the commit that was measured; with a plus when files had been changed since. */
  readonly commit: string
  readonly node: string
  readonly machine: string
  readonly lines: readonly Line[]
}

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    // NOTE: a copy of the sources without their history can be measured too
    return ''
  }
}

/** What is measured is what lies there now: look before the measurement, which takes long enough for somebody to commit meanwhile. */
export const commitNow = (): string => {
  const commit = git('rev-parse', '--short', 'HEAD')
  if (commit === '') return 'unknown'
  return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}+`
}

export const machineNow = (): string =>
  `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, ${Math.round(totalmem() / 2 ** 30)} GiB`

/** Keeps something in place of what was kept under the same name. */
export const keepIn = (folder: string, name: string, kept: object): void => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.json`)
  // NOTE: half a file would be taken for a run by the next report
  writeFileSync(`${file}.new`, `${JSON.stringify(kept, null, 1)}\n`)
  renameSync(`${file}.new`, file)
}

/** All that `keepIn` has kept in a folder with its names, in no order. */
const named = <T>(folder: string): [name: string, kept: T][] => {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  const files = names.filter((name) => name.endsWith('.json'))
  return files.map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(join(folder, name), 'utf8')) as T])
}

/** All that `keepIn` has kept in a folder, in no order. */
export const allIn = <T>(folder: string): T[] => named<T>(folder).map(([, kept]) => kept)

/** Takes over from a folder what is of a later date than what another one has under the same name. */
export const takeOver = (from: string, to: string): void => {
  const there = new Map(named<{ date: string }>(to))
  for (const [name, kept] of named<{ date: string }>(from)) {
    const before = there.get(name)
    if (before === undefined || before.date < kept.date) keepIn(to, name, kept)
  }
}

/** Keeps a run in place of the one before of the same engine and size. @param folder where, for tests */
export const keepRun = (run: Run, folder = keptIn): void => keepIn(folder, `${run.engine}-${run.records}`, run)

const ENGINES = ['sqlite', 'postgres']

/** The latest run of each engine and size: the embedded store first, the smallest first. @param folder where, for tests */
export const keptRuns = (folder = keptIn): readonly Run[] =>
  allIn<Run>(folder).sort((a, b) => ENGINES.indexOf(a.engine) - ENGINES.indexOf(b.engine) || a.records - b.records)
