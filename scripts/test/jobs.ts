import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../../e2e/harness/server.ts'
import { startServer } from '../../e2e/harness/server.ts'
import { statics } from '../check.mjs'
import { cache, root, run } from '../lib/run.mjs'
import { checkGeneratedTypes } from './generated-types.ts'
import type { Setup } from './setup.ts'
import type { Tally } from './tally.ts'
import { FAILED, tallyOfJunit, tallyOfVitest, withExit } from './tally.ts'

export type Job = {
  readonly name: string
  /** Whether daily runs skip the job unless its name is given. */
  readonly isOnlyInFullRuns?: boolean
  readonly run: (log: (line: string) => void) => Promise<Tally>
}

const reports = join(cache, 'test-reports')
const report = (name: string) => {
  mkdirSync(reports, { recursive: true })
  const file = join(reports, name)
  rmSync(file, { force: true })
  return file
}

type Needs = {
  /** Whether to leave out the files that only full runs need. */
  readonly daily?: boolean
  /** Whether the job needs the browser and the programs of the end-to-end tests. */
  readonly tools?: boolean
  /** Whether the job runs Schemathesis. */
  readonly schemathesis?: boolean
  /** Whether the job compares results with Python libraries. */
  readonly oracles?: boolean
  /** Whether servers write to a disk, as in production. */
  readonly disk?: boolean
}

/** The environment that tells the PostgreSQL tests and the browser tests where their tools are. */
const environment = async (
  engine: Engine,
  setup: Setup,
  { daily = false, tools = false, schemathesis = false, oracles = false, disk = false }: Needs,
): Promise<NodeJS.ProcessEnv> => {
  if (tools) await setup.data
  if (tools && engine === 'postgres') await setup.deployment
  return {
    ...process.env,
    FORCE_COLOR: '0',
    ...(!disk && setup.memory !== undefined && { TMPDIR: setup.memory }),
    POSTIL_TEST_BUILT: '1',
    POSTIL_TEST_ENGINE: engine,
    ...(daily && { POSTIL_TEST_DAILY: '1' }),
    ...(engine === 'postgres' && { POSTIL_TEST_POSTGRES_URL: (await setup.postgres).url }),
    ...(tools && {
      POSTIL_TEST_CHROMIUM: await setup.browser,
      POSTIL_TEST_PYTHON: (await setup.python).python,
    }),
    ...(schemathesis && { POSTIL_TEST_SCHEMATHESIS: await setup.schemathesis }),
    ...(oracles && { POSTIL_TEST_ORACLES: await setup.oracles }),
    ...(oracles && !daily && { POSTIL_TEST_TRAINING: await setup.training }),
  }
}

const vitest = (
  name: string,
  projects: readonly string[],
  env: () => Promise<NodeJS.ProcessEnv>,
  args: readonly string[] = [],
): Job => ({
  name,
  run: async (log) => {
    const file = report(`${name}.json`)
    const all = [
      'run',
      ...args,
      ...projects.map((project) => `--project=${project}`),
      '--maxWorkers=1',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      `--reporter=${join(import.meta.dirname, 'vitest.trouble.ts')}`,
      `--reporter=${join(import.meta.dirname, 'vitest.processor-time.ts')}`,
    ]
    const trouble = report(`${name}.trouble`)
    const { code } = await run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...all], {
      env: { ...(await env()), POSTIL_TEST_TROUBLE: trouble, POSTIL_TEST_PROCESSOR_TIME: report(`${name}.processor-time.txt`) },
      onLine: log,
    })
    const tally = withExit(tallyOfVitest(file), code)
    return existsSync(trouble) ? { ...tally, trouble: readFileSync(trouble, 'utf8') } : tally
  },
})

type Pytest = {
  readonly name: string
  readonly engine: Engine
  readonly folder: (setup: Setup) => Promise<string>
  readonly args: readonly string[]
  readonly atLeast: number
  readonly isOnlyInFullRuns?: boolean
}

/** Runs a folder of Python tests against its own server. */
const pytest = (setup: Setup, { name, engine, folder, args, atLeast, isOnlyInFullRuns = false }: Pytest): Job => ({
  name,
  isOnlyInFullRuns,
  run: async (log) => {
    const { python } = await setup.python
    if (engine === 'postgres') process.env.POSTIL_TEST_POSTGRES_URL = (await setup.postgres).url
    // The SDK's webhook listener is on this machine, so its address is private.
    const server = await startServer({ engine, env: { POSTIL_WEBHOOKS_ALLOW_PRIVATE: 'true' } })
    const file = report(`${name}.xml`)
    try {
      const env = {
        ...process.env,
        ARGILLA_API_URL: server.url,
        ARGILLA_API_KEY: server.apiKey,
        HF_HUB_OFFLINE: '1',
        HF_HOME: join(cache, 'hub'),
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONPATH: import.meta.dirname,
      }
      const all = ['-m', 'pytest', await folder(setup), '-q', '-p', 'no:cacheprovider', `--junitxml=${file}`, ...args]
      const { code, output } = await run(python, all, { env, onLine: log, cwd: server.place.dataDir })
      const tally = withExit(tallyOfJunit(file), code)
      if (/\b(RETRY|retried)\b/.test(output)) log('A test passed only after a retry, which may hide a bug.')
      const isShort = tally.passed < atLeast || /\b(RETRY|retried)\b/.test(output)
      if (isShort) log(`Expected at least ${atLeast} passed tests without retries. Passed: ${tally.passed}.`)
      return isShort && tally.failed === 0 ? { ...tally, failed: FAILED.failed } : tally
    } finally {
      log(server.printed())
      await server.stop()
    }
  },
})

const generatedTypes: Job = {
  name: 'new-types',
  isOnlyInFullRuns: true,
  run: async (log) => ({ passed: await checkGeneratedTypes(log), failed: 0, skipped: 0 }),
}

const staticChecks: Job = {
  name: 'static',
  run: async () => ((await statics()) ? { passed: 1, failed: 0, skipped: 0 } : FAILED),
}

/** The published SDK's own suite has 133 tests, 19 of which are skipped without a Hub account. */
const SDK_SUITE = 114

/**
 * Everything that `npm test` and `npm run test:full` run. The longest jobs come first, so that all of them end at about the same
 * time.
 */
export const jobs = (setup: Setup): Job[] => {
  const engines: readonly Engine[] = ['sqlite', 'postgres']
  const isFullRun = process.env['POSTIL_TEST_FULL'] === '1'
  const env =
    (engine: Engine, needs: Needs = {}) =>
    () =>
      environment(engine, setup, { daily: !isFullRun, ...needs })
  return [
    ...[1, 2].map((part) => vitest(`e2e-sqlite-${part}`, ['e2e-sqlite'], env('sqlite', { tools: true }), [`--shard=${part}/2`])),
    vitest('unit', ['server-pure', 'server-sqlite'], env('sqlite')),
    vitest('unit-postgres', ['server-postgres'], env('postgres')),
    ...engines.map((engine) =>
      vitest(`processes-${engine}`, [`processes-${engine}`], env(engine, { tools: true, schemathesis: true, disk: true })),
    ),
    vitest('unit-page', ['contract', 'web', 'web-pure', 'scripts', 'oracles'], env('sqlite', { oracles: true })),
    vitest('package', ['package'], env('sqlite', { disk: true })),
    vitest('e2e-postgres', ['e2e-postgres'], env('postgres', { tools: true })),
    ...engines.flatMap((engine) => [
      pytest(setup, {
        name: `sdk-suite-${engine}`,
        engine,
        folder: async ({ python }) => (await python).sdkTests,
        args: ['-p', 'own_second'],
        atLeast: SDK_SUITE,
        // Daily runs leave out this suite on SQLite, because the project's own tests with the SDK already run there every day.
        isOnlyInFullRuns: engine === 'sqlite',
      }),
      pytest(setup, {
        name: `sdk-own-${engine}`,
        engine,
        folder: async () => join(root, 'e2e', 'sdk'),
        args: [],
        atLeast: 1,
        isOnlyInFullRuns: engine === 'postgres',
      }),
    ]),
    generatedTypes,
    staticChecks,
  ]
}

/** Runs the test files whose paths contain one of the words, on SQLite. This tests one topic in seconds. */
export const topic = (setup: Setup, words: readonly string[]): Job => {
  const projects = [
    'contract',
    'server-pure',
    'server-sqlite',
    'web',
    'web-pure',
    'scripts',
    'oracles',
    'processes-sqlite',
    'e2e-sqlite',
  ]
  return vitest('topic', projects, () => environment('sqlite', setup, {}), words)
}

/** The file for a job's output, and its text. */
export const logOf = (name: string) => {
  const file = report(`${name}.log`)
  const out = createWriteStream(file)
  return {
    write: (line: string) => {
      out.write(`${line}\n`)
    },
    text: () => readFileSync(file, 'utf8'),
    end: () => new Promise<void>((done) => out.end(() => done())),
  }
}
