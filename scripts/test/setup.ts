import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataset } from '../../bench/data/packages.ts'
import { program } from '../../deploy/lib/programs.ts'
import { chromium } from '../lib/chromium.mjs'
import { pythonWith } from '../lib/python.mjs'
import { cache, must } from '../lib/run.mjs'
import { startPostgres } from '../postgres.mjs'
import { folderInMemory } from './memory.ts'

const SDK = 'argilla==2.8.0'
/** How many records the main job of the tests takes. */
const RECORDS = 2000

/** The SDK's own tests, from its source distribution: fetched once, never part of this repository. */
const sdkTests = async (python: string): Promise<string> => {
  const folder = join(cache, 'sdk-source')
  const tests = () =>
    existsSync(folder)
      ? readdirSync(folder)
          .map((name) => join(folder, name, 'tests', 'integration'))
          .find(existsSync)
      : undefined
  const found = tests()
  if (found) return found
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await must(python, [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--no-binary',
    ':all:',
    '-d',
    folder,
    SDK,
  ])
  const unpack = 'import glob,sys,tarfile\nfor f in glob.glob(sys.argv[1]+"/*.tar.gz"): tarfile.open(f).extractall(sys.argv[1])'
  await must(python, ['-c', unpack, folder])
  const unpacked = tests()
  if (!unpacked) throw new Error(`The source distribution of ${SDK} has no tests/integration`)
  return unpacked
}

export type Python = { readonly python: string; readonly sdkTests: string }
export type Postgres = Awaited<ReturnType<typeof startPostgres>>

export type Setup = {
  /** A folder in memory for what tests write, where there is enough of it. */
  readonly memory: string | undefined
  readonly browser: Promise<string>
  /** The real data of the main job, in the cache. */
  readonly data: Promise<unknown>
  readonly python: Promise<Python>
  /** A Python with Schemathesis, apart from that of the SDK, whose packages are pinned for itself. */
  readonly schemathesis: Promise<string>
  readonly postgres: Promise<Postgres>
  /** What stands in front of several processes and behind them. */
  readonly deployment: Promise<readonly string[]>
}

const preparePython = async (): Promise<Python> => {
  const python = await pythonWith('sdk-venv', 'e2e/sdk/requirements.txt')
  return { python, sdkTests: await sdkTests(python) }
}

/** Starts to set up everything that the tests need besides npm's packages; each part is there when its promise is. */
export const setUp = (): Setup => {
  // At full size stores are as large as the promise says.
  const memory = process.env['POSTIL_TEST_FULL'] === '1' ? undefined : folderInMemory()
  const python = preparePython()
  const parts = {
    browser: chromium(),
    data: dataset(RECORDS),
    python,
    // NOTE: one after the other, because both may have to install Python first
    schemathesis: python.catch(() => undefined).then(() => pythonWith('api-venv', 'e2e/api/requirements.txt')),
    postgres: startPostgres({ name: `test-${process.pid}`, dataIn: memory }),
    deployment: Promise.all([program('nginx'), program('pgbouncer')]),
  }
  // NOTE: who needs a part learns of its failure; until then it must not end the process as an unhandled one
  for (const part of Object.values(parts)) part.catch(() => undefined)
  return { memory, ...parts }
}
