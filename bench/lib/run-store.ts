import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Line } from './stats.ts'

const root = join(import.meta.dirname, '..', '..')
export const runsFolder = join(root, '.cache', 'bench')
/** The runs that the report shows. They are committed to the repository, because they may be measured on different machines. */
export const reportFolder = join(root, 'docs', 'measurements')

/** The measurements of one engine with a dataset of one size. */
export type Run = {
  readonly engine: string
  readonly records: number
  /** When the run ended, in ISO 8601. */
  readonly date: string
  /** The short hash of the measured commit, followed by a plus if files had uncommitted changes. */
  readonly commit: string
  readonly node: string
  readonly machine: string
  readonly lines: readonly Line[]
}

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    // A copy of the sources without Git history can be measured too.
    return ''
  }
}

/** The current commit. Read it before measuring, because someone may commit during a long measurement. */
export const commitNow = (): string => {
  const commit = git('rev-parse', '--short', 'HEAD')
  if (commit === '') return 'unknown'
  return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}+`
}

export const machineNow = (): string =>
  `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown model'}, ${Math.round(totalmem() / 2 ** 30)} GiB`

export const storeJson = (folder: string, name: string, value: object): void => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.json`)
  // Renames the finished file, because renaming is atomic. A report that runs at the same time never reads a half-written file.
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 1)}\n`)
  renameSync(`${file}.new`, file)
}

/** Everything that `storeJson` saved in a folder, with names, in no particular order. */
const readNamed = <T>(folder: string): [name: string, kept: T][] => {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  const files = names.filter((name) => name.endsWith('.json'))
  return files.map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(join(folder, name), 'utf8')) as T])
}

/** Everything that `storeJson` saved in a folder, in no particular order. */
export const readAll = <T>(folder: string): T[] => readNamed<T>(folder).map(([, value]) => value)

/**
 * Copies objects from one folder to another. An object is copied only if it is newer than the object with the same name in the
 * target folder.
 */
export const copyNewer = (from: string, to: string): void => {
  const existing = new Map(readNamed<{ date: string }>(to))
  for (const [name, value] of readNamed<{ date: string }>(from)) {
    const before = existing.get(name)
    if (before === undefined || before.date < value.date) storeJson(to, name, value)
  }
}

/** Saves a run and replaces the previous run of the same engine and size. @param folder set only by tests */
export const storeRun = (run: Run, folder = runsFolder): void => storeJson(folder, `${run.engine}-${run.records}`, run)

const ENGINES = ['sqlite', 'postgres']

/**
 * Returns the latest run of each engine and size. SQLite comes first. The runs of an engine are ordered by size. @param folder
 * set only by tests
 */
export const readRuns = (folder = runsFolder): readonly Run[] =>
  readAll<Run>(folder).sort((a, b) => ENGINES.indexOf(a.engine) - ENGINES.indexOf(b.engine) || a.records - b.records)
