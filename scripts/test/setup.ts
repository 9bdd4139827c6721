import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataset } from '../../bench/data/packages.ts'
import { program } from '../../deploy/lib/programs.ts'
import { chromium } from '../lib/chromium.mjs'
import { preparePythonVenv } from '../lib/python.mjs'
import { cache, runOrThrow } from '../lib/run.mjs'
import { startPostgres } from '../postgres.mjs'
import { folderInMemory } from './memory.ts'

const SDK = 'argilla==2.8.0'
/** The number of records in the main job of the tests. */
const RECORDS = 2000

/** The SDK's own tests from its source distribution. They are downloaded once and never become part of this repository. */
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
  await runOrThrow(python, [
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
  await runOrThrow(python, ['-c', unpack, folder])
  const extracted = tests()
  if (!extracted) throw new Error(`The source distribution of ${SDK} has no tests/integration`)
  return extracted
}

export type Python = { readonly python: string; readonly sdkTests: string }
export type Postgres = Awaited<ReturnType<typeof startPostgres>>

export type Setup = {
  /** A folder in memory for the data of tests, if there is enough memory. */
  readonly memory: string | undefined
  readonly browser: Promise<string>
  /** The real data of the main job, in the cache. */
  readonly data: Promise<unknown>
  readonly python: Promise<Python>
  /** A Python environment with Schemathesis, separate from that of the SDK, which pins its own packages. */
  readonly schemathesis: Promise<string>
  readonly postgres: Promise<Postgres>
  /** The proxy and the pooler for several processes. */
  readonly deployment: Promise<readonly string[]>
}

const preparePython = async (): Promise<Python> => {
  const python = await preparePythonVenv('sdk-venv', 'e2e/sdk/requirements.txt')
  return { python, sdkTests: await sdkTests(python) }
}

/**
 * Starts to set up everything that the tests need in addition to npm packages. Each part is ready when its promise resolves.
 */
export const setUp = (): Setup => {
  // At full size, the databases are too large for memory.
  const memory = process.env['POSTIL_TEST_FULL'] === '1' ? undefined : folderInMemory()
  const python = preparePython()
  const parts = {
    browser: chromium(),
    data: dataset(RECORDS),
    python,
    // Runs after the other one, because both may have to install Python first.
    schemathesis: python.catch(() => undefined).then(() => preparePythonVenv('api-venv', 'e2e/api/requirements.txt')),
    postgres: startPostgres({ name: `test-${process.pid}`, dataIn: memory }),
    deployment: Promise.all([program('nginx'), program('pgbouncer')]),
  }
  // A job that needs a part gets its error. Until then, the rejection must not end the process as unhandled.
  for (const part of Object.values(parts)) part.catch(() => undefined)
  return { memory, ...parts }
}
