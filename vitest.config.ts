import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { typeNames } from './apps/web/scripts/type-names.ts'
import { onBothEngines, onlyInFullRuns, repeatedInFullRuns } from './e2e/web/file-lists.ts'
import { builtThreads } from './scripts/vitest.threads.mjs'

/** The compiled code of the store's threads, shared by all test files. */
const compiled = join(import.meta.dirname, '.cache', 'compiled-tests')

const isFullRun = process.env['POSTIL_TEST_FULL'] === '1'
/** Whether this is the daily run of `npm test`, which skips some tests. Runs of single files or topics skip none. */
const isDailyRun = process.env['POSTIL_TEST_DAILY'] === '1'
const inServer = (paths: readonly string[]): string[] => paths.map((path) => `apps/server/src/${path}`)

/** Tests that never use the store. They run once instead of on both engines, and `npm run check` runs them too. */
const pure = inServer([
  '{field,question}-types/conformance.test.ts',
  'question-types/agreement.test.ts',
  'platform/{config,outgoing,text}/**/*.test.ts',
  'platform/{ids,time}.test.ts',
  'features/agreement/measures/**/*.test.ts',
  'features/gold/aggregation/**/*.test.ts',
  'features/models/alignment/figures.test.ts',
  'features/notes/group.test.ts',
  'features/notes/group-by-vectors.test.ts',
  'features/comparisons/bradley-terry.test.ts',
  'features/schema/label-changes.test.ts',
  'features/responses/counters/tally.test.ts',
  'features/migration/source/**/*.test.ts',
  'features/traces/convert/*.test.ts',
  'features/search/{,conditions/,order/}{select-page,seq-set,times,user-order,uuid-bounds}.test.ts',
])

/**
 * Tests of the web app that change no state except their own. They share loaded modules, which saves half a second of processor
 * time per file.
 */
const pureInWeb = [
  'lib/{keys,text,url}/**',
  'question-types/{ranking,shared,span,turns}/**',
  'features/{administration,create,hub,saved-views}/**',
  'features/annotate/{address,answering,filters}/**',
  'features/overview/parts/**',
].map((folder) => `apps/web/src/${folder}/*.test.{ts,tsx}`)

/** Tests of how PostgreSQL is used. Some of them need no database, but they say nothing about SQLite. */
const onlyPostgres = inServer(['platform/db/postgres/**'])

/**
 * Tests of servers that work the same way on both engines: HTTP, requests that are refused before they reach the store, and
 * reading uploaded files.
 */
const engineIndependent = inServer([
  'platform/http/**',
  'tests/api/{hostile-bodies,limits}.test.ts',
  ...(isFullRun
    ? []
    : [
        'tests/api/{conventions,foreign-ids,hostile-names,hostile-values,known-holes,payloads}.test.ts',
        'tests/api/{permissions,quirks,refusals,shares}.test.ts',
        // Imports end in the same writes as other requests. The files that stay test these writes.
        'features/imports/{archive,chats-and-images,check,escaped-formulas,event-loop,free-space,later-values,parquet}.test.ts',
        'features/imports/{parquet-values,plan,refusal-messages,round-trip,rows-without-id,same-names}.test.ts',
        'features/imports/{some-columns,workbook,reading/*,rows/*}.test.ts',
        'features/imports/{comments-and-times,damaged-text,later-columns,proposals,several-labels,foreign/*}.test.ts',
        'features/imports/{answers,ids,in-parts/*,repeated-ids,sweep}.test.ts',
        'features/exports/{formats,record-selection}.test.ts',
        'features/hub/{export,import}/{export,import,import-faults,preview,resume}.test.ts',
        'features/{account-links,agents,oauth}/**',
        'features/auth/{demo,new-password,second-factor/*}.test.ts',
        'features/models/{alignment,connections}/*.test.ts',
        'features/share/*.test.ts',
        'features/models/runs/{both-orders,runs}.test.ts',
        'features/{active-time,suggestion-visibility}/*.test.ts',
        'features/imports/own-answers.test.ts',
        'features/search/large-results.test.ts',
        'features/users/agents.test.ts',
        'features/{health,traces}/**',
        // Large records and words are tested on PostgreSQL where they are stored and indexed.
        'features/records/large.test.ts',
        'features/search/{accents,own-words}.test.ts',
        'features/webhooks/{delivery,delivery-log,message,webhooks}.test.ts',
        'platform/{auth/passwords,auth/secrets,files,identity,parquet,xlsx}/**',
        'routes.test.ts',
        'api-docs.test.ts',
      ]),
])

// A busy machine is slow, and a longer wait does not change what is tested. Each failed attempt of a poll takes milliseconds of
// processor time, so attempts are rare.
const patience = { timeout: 30_000, interval: 100 }

/** In milliseconds. On a busy machine, starting a server takes long. */
const limits = { testTimeout: 60_000, hookTimeout: 120_000 }

/** Both engines run the same files. The testkit reads the engine from POSTIL_TEST_ENGINE. */
const server = (engine: 'sqlite' | 'postgres') => ({
  plugins: [builtThreads()],
  test: {
    name: `server-${engine}`,
    // Files share loaded modules. Each starts its own servers and stores.
    isolate: false,
    include: ['apps/server/src/**/*.test.ts', 'packages/{client,testkit}/src/**/*.test.ts'],
    exclude: [...pure, ...(engine === 'postgres' ? engineIndependent : onlyPostgres)],
    env: { POSTIL_TEST_ENGINE: engine, NODE_COMPILE_CACHE: compiled },
    globalSetup: ['./scripts/vitest.threads.mjs', ...(engine === 'postgres' ? ['./scripts/vitest.postgres.mjs'] : [])],
    ...(engine === 'postgres' && {
      setupFiles: ['./apps/server/src/platform/db/postgres/testing/shards.setup.ts'],
    }),
    ...limits,
    expect: { poll: patience },
  },
})

/** Tests that run servers and commands as separate processes, without a browser. */
const processes = ['e2e/{command-line,doctor}.e2e.ts', 'e2e/{api,command-line,durability,hub,queue}/**/*.e2e.ts']

/**
 * Processes whose PostgreSQL tests show nothing beyond the SQLite tests and the server's own tests on both engines. Full runs
 * repeat them on PostgreSQL. Other files test on both engines what a killed process leaves behind.
 */
const processesOnOneEngine = [
  'e2e/command-line/{export,import,migrate-additions,migrate-images,migrate-refusals,npm-shell,outcomes,workspaces}.e2e.ts',
  'e2e/command-line/{other-users-folder,secret-change}.e2e.ts',
  'e2e/{command-line,doctor,api/schemathesis,command-line/migrate-from}.e2e.ts',
  'e2e/durability/{clock,killed-files,killed-model-run,large-records,log}.e2e.ts',
  'e2e/hub/*.e2e.ts',
]

/**
 * What daily runs leave out: large records, which the server's own tests also send, and details of commands. The files that remain
 * run the same commands.
 */
const processesInFullRuns = [
  'e2e/durability/large-records.e2e.ts',
  'e2e/command-line/{compact,migrate-additions,migrate-images,migrate-refusals,outcomes,secret-change,workspaces}.e2e.ts',
]

/** Deployments with PostgreSQL: several processes behind a pooler and a proxy, and a replica. */
const deployments = ['e2e/deploy/**/*.e2e.ts']

const wholeProduct = (engine: 'sqlite' | 'postgres') => ({
  env: { POSTIL_TEST_ENGINE: engine },
  globalSetup: ['./scripts/vitest.build.mjs', ...(engine === 'postgres' ? ['./scripts/vitest.postgres.mjs'] : [])],
  setupFiles: ['./e2e/harness/cleanup.setup.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: patience },
  fileParallelism: false,
  // Files share loaded modules, which saves a second per file. Each file has its own servers, browsers and folders.
  isolate: false,
})
const processTests = (engine: 'sqlite' | 'postgres') => ({
  test: {
    ...wholeProduct(engine),
    name: `processes-${engine}`,
    include: engine === 'postgres' ? [...processes, ...deployments] : processes,
    exclude: [...(engine === 'postgres' && !isFullRun ? processesOnOneEngine : []), ...(isDailyRun ? processesInFullRuns : [])],
  },
})
const browserTests = (engine: 'sqlite' | 'postgres') => ({
  test: {
    ...wholeProduct(engine),
    globalSetup: [...wholeProduct(engine).globalSetup, './e2e/web/fixtures/shared-server.setup.ts'],
    name: `e2e-${engine}`,
    include:
      engine === 'sqlite'
        ? ['e2e/{hostile,main-job}/*.e2e.ts', 'e2e/web/**/*.e2e.ts']
        : [...onBothEngines, ...(isFullRun ? ['e2e/{hostile,main-job}/*.e2e.ts', ...repeatedInFullRuns] : [])],
    exclude: isDailyRun ? [...onlyInFullRuns] : [],
  },
})

export default defineConfig({
  test: {
    // One core stays free for PostgreSQL, Chromium or the servers under test.
    maxWorkers: 2,
    passWithNoTests: true,
    projects: [
      { test: { name: 'contract', isolate: false, include: ['packages/contract/src/**/*.test.ts'], ...limits } },
      { test: { name: 'server-pure', isolate: false, include: pure, ...limits } },
      server('sqlite'),
      server('postgres'),
      {
        plugins: [typeNames()],
        test: { name: 'web-pure', isolate: false, include: pureInWeb, ...limits },
      },
      {
        plugins: [typeNames()],
        test: {
          name: 'web',
          include: ['apps/web/src/**/*.test.{ts,tsx}', 'apps/web/scripts/**/*.test.ts'],
          exclude: pureInWeb,
          ...limits,
          expect: { poll: patience },
        },
      },
      {
        test: {
          name: 'scripts',
          include: ['scripts/**/*.test.ts', 'bench/**/*.test.ts', 'deploy/**/*.test.ts', 'e2e/**/*.test.ts'],
          ...limits,
        },
      },
      // Compares coefficients of agreement and aggregated labels with the results of Python libraries.
      {
        test: {
          name: 'oracles',
          include: ['e2e/**/*.oracle.ts'],
          ...limits,
          // These tests install Label Studio, which takes over a minute, and load several libraries. The server's own tests of
          // formats check the same exports.
          exclude: isDailyRun ? ['e2e/exports/{formats,label-studio}.oracle.ts'] : [],
        },
      },
      { test: { name: 'package', include: ['e2e/package/*.e2e.ts'], testTimeout: 600_000, hookTimeout: 600_000 } },
      processTests('sqlite'),
      processTests('postgres'),
      browserTests('sqlite'),
      browserTests('postgres'),
    ],
  },
})
