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
  if (!extracted) throw new Error(`The source distribution of ${SDK} does not contain tests/integration`)
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
  /** A Python environment with Schemathesis. It is separate from the SDK's environment, because the SDK pins its own packages. */
  readonly schemathesis: Promise<string>
  /** A Python environment with libraries that compute coefficients of agreement. */
  readonly oracles: Promise<string>
  /** A Python environment with libraries that read exported files. */
  readonly training: Promise<string>
  readonly postgres: Promise<Postgres>
  /** The proxy and the pooler for several processes. */
  readonly deployment: Promise<readonly string[]>
  /** Stops everything that was started. */
  readonly stop: () => Promise<void>
}

const preparePython = async (): Promise<Python> => {
  const python = await preparePythonVenv('sdk-venv', 'e2e/sdk/requirements.txt')
  return { python, sdkTests: await sdkTests(python) }
}

type Lazy<T> = { readonly get: () => Promise<T>; readonly hasStarted: () => boolean }

/** Starts a part the first time that it is read. */
const lazy = <T>(start: () => Promise<T>): Lazy<T> => {
  let started: Promise<T> | undefined
  const get = (): Promise<T> => {
    if (started === undefined) {
      started = start()
      // Each job that awaits this part handles the rejection. This handler prevents an unhandled rejection in case no job awaits
      // the part yet.
      started.catch(() => undefined)
    }
    return started
  }
  return { get, hasStarted: () => started !== undefined }
}

/**
 * Everything that the tests need in addition to npm packages. Each part is set up when it is first read. Tests that don't need
 * PostgreSQL or Python therefore don't wait for them.
 * @param all whether to set up all parts immediately. `training` is set up immediately only if POSTIL_TEST_FULL is 1
 */
export const setUp = ({ all }: { readonly all: boolean }): Setup => {
  const isFullRun = process.env['POSTIL_TEST_FULL'] === '1'
  // At full size, the databases are too large for memory.
  const memory = isFullRun ? undefined : folderInMemory()
  const python = lazy(preparePython)
  const parts = {
    browser: lazy(chromium),
    data: lazy(() => dataset(RECORDS)),
    python,
    // Each environment may have to install Python. Waits for the shared environment, so that Python isn't installed twice at the
    // same time.
    schemathesis: lazy(async () => {
      await python.get().catch(() => undefined)
      return preparePythonVenv('api-venv', 'e2e/api/requirements.txt')
    }),
    oracles: lazy(async () => {
      await python.get().catch(() => undefined)
      return preparePythonVenv('oracles-venv', 'e2e/oracles/requirements.txt')
    }),
    training: lazy(async () => {
      await python.get().catch(() => undefined)
      return preparePythonVenv('training-venv', 'e2e/exports/requirements.txt')
    }),
    postgres: lazy(() => startPostgres({ name: `test-${process.pid}`, dataIn: memory })),
    deployment: lazy(() => Promise.all([program('nginx'), program('pgbouncer')])),
  }
  if (all) for (const [name, part] of Object.entries(parts)) if (isFullRun || name !== 'training') void part.get()
  const stop = async () => {
    if (parts.postgres.hasStarted()) await (await parts.postgres.get().catch(() => null))?.stop()
  }
  const getters = Object.entries(parts).map(([name, { get }]) => [name, { get, enumerable: true }] as const)
  return Object.defineProperties({ memory, stop }, Object.fromEntries(getters)) as Setup
}
