import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from './database.ts'

const root = join(import.meta.dirname, '..', '..')
const program = join(root, 'apps', 'server', 'dist', 'main.js')

export type Engine = 'sqlite' | 'postgres'

/** The engine of this test run. */
export const testEngine = (): Engine => (process.env.POSTIL_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite')

export const OWNER = { username: 'owner', password: 'a password for tests', apiKey: 'owner.api.key.for.tests' } as const

export type ServerOptions = {
  readonly engine?: Engine
  /** Environment variables in addition to those of the harness. */
  readonly env?: { readonly [name: string]: string }
  /** Arguments after `start`. */
  readonly args?: readonly string[]
  /** The program to start instead of the repository's build: for example, an installed package. */
  readonly program?: readonly [string, ...string[]]
  /** Existing data to use instead of new, empty data. It is not dropped afterwards. */
  readonly place?: Place
}

/** The data of a server. If a test passes this data to `startServer`, the data is kept when the server stops. */
export type Place = {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly drop: () => Promise<void>
}

export type RunningServer = {
  /** Without a trailing slash. */
  readonly url: string
  readonly apiKey: string
  readonly pid: number
  readonly place: Place
  /** Milliseconds from the start of the process to its "ready" line. */
  readonly startedIn: number
  /** The output so far. */
  readonly printed: () => string
  /** Stops the server as an operator would. Resolves with the exit code. */
  readonly stop: () => Promise<number | null>
  /** Kills the server, as in a crash. */
  readonly kill: () => Promise<void>
}

/** Data that still has to be dropped. */
const places = new Set<Place>()

/** Creates an empty data folder and, for PostgreSQL, an empty database. */
export const emptyPlace = async (engine: Engine = testEngine()): Promise<Place> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'postil e2e '))
  const database = engine === 'postgres' ? await createDatabase() : undefined
  const place: Place = {
    dataDir,
    databaseUrl: database?.url,
    drop: async () => {
      places.delete(place)
      await database?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  places.add(place)
  return place
}

/** The environment variables for a server or tool that uses this data. The developer's own settings are left out. */
export const environment = (place: Place, extra: { readonly [name: string]: string } = {}): NodeJS.ProcessEnv => {
  // The developer's own settings must not affect this server.
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(POSTIL_|ARGILLA_|HF_|HOST$|PORT$|SPACE_|USERNAME$|PASSWORD$|API_KEY$|NODE_(OPTIONS|ENV)$|VITEST)/.test(name),
  )
  return {
    ...Object.fromEntries(clean),
    POSTIL_PORT: '0',
    POSTIL_DATA_DIR: place.dataDir,
    POSTIL_LOG_LEVEL: 'warn',
    // Nothing listens on this port. Tests that need the Hub use a stand-in.
    HF_ENDPOINT: 'http://127.0.0.1:9',
    POSTIL_DATASETS_SERVER: 'http://127.0.0.1:9',
    POSTIL_OWNER_USERNAME: OWNER.username,
    POSTIL_OWNER_PASSWORD: OWNER.password,
    POSTIL_OWNER_API_KEY: OWNER.apiKey,
    ...(place.databaseUrl === undefined
      ? {}
      : { POSTIL_DATABASE_URL: place.databaseUrl, POSTIL_SECRET: 'a secret for the tests only' }),
    ...extra,
  }
}

const runningServers = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of runningServers) child.kill('SIGKILL')
})

export const cleanUp = async (): Promise<void> => {
  const ended = [...runningServers].map((child) => new Promise((done) => child.once('exit', done)))
  for (const child of runningServers) child.kill('SIGKILL')
  await Promise.all(ended)
  await Promise.all([...places].map((place) => place.drop()))
}

const READY = /Postil is ready at (http:\/\/\S+?)\/?\s/

/**
 * Starts a server on a free port and waits until it is ready.
 * @throws an error with the server's output if the server exits instead
 */
export const startServer = async (options: ServerOptions = {}): Promise<RunningServer> => {
  const place = options.place ?? (await emptyPlace(options.engine))
  const [command, ...first] = options.program ?? [process.execPath, program]
  const began = performance.now()
  const child = spawn(command, [...first, 'start', ...(options.args ?? [])], {
    cwd: place.dataDir,
    env: environment(place, options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  runningServers.add(child)
  let printed = ''
  const exited = new Promise<number | null>((done) => {
    child.on('exit', (code) => {
      runningServers.delete(child)
      done(code)
    })
  })
  const url = await new Promise<string>((ready, fail) => {
    const take = (chunk: string) => {
      printed += chunk
      const match = READY.exec(printed)
      if (match?.[1]) ready(match[1])
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    child.on('error', fail)
    // `close` is emitted once the process has ended and all its output has been read.
    child.on('close', (code) => fail(new Error(`The server exited with ${code} instead of starting:\n${printed}`)))
  })
  const startedIn = performance.now() - began
  const isOurs = options.place === undefined
  return {
    url,
    apiKey: OWNER.apiKey,
    pid: child.pid ?? 0,
    place,
    startedIn,
    printed: () => printed,
    stop: async () => {
      child.kill('SIGTERM')
      const code = await exited
      if (isOurs) await place.drop()
      return code
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
