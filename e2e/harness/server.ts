import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyDatabase } from './database.ts'

const root = join(import.meta.dirname, '..', '..')
const program = join(root, 'apps', 'server', 'dist', 'main.js')

export type Engine = 'sqlite' | 'postgres'

/** The engine that this run of the tests is on. */
export const testEngine = (): Engine => (process.env.POSTIL_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite')

export const OWNER = { username: 'owner', password: 'a password for tests', apiKey: 'owner.api.key.for.tests' } as const

export type ServerOptions = {
  readonly engine?: Engine
  /** Environment of the process beside what the harness sets. */
  readonly env?: { readonly [name: string]: string }
  /** Flags after `start`. */
  readonly args?: readonly string[]
  /** Where to start it: another build than the repository's, for example an installed package. */
  readonly program?: readonly [string, ...string[]]
  /** Keep and use this place instead of a new one. */
  readonly place?: Place
}

/** Where a server keeps its data; outlives the server when it is handed on. */
export type Place = {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly drop: () => Promise<void>
}

export type RunningServer = {
  /** Address without a slash at the end. */
  readonly url: string
  readonly apiKey: string
  readonly pid: number
  readonly place: Place
  /** Milliseconds from the start of the process to its first line that it is ready. */
  readonly startedIn: number
  /** What it has printed so far. */
  readonly printed: () => string
  /** Ends it as an operator does; resolves with the exit code. */
  readonly stop: () => Promise<number | null>
  /** Ends it as a crash does. */
  readonly kill: () => Promise<void>
}

/** Places that are still there. */
const places = new Set<Place>()

/** An empty place for a server's data on an engine. */
export const emptyPlace = async (engine: Engine = testEngine()): Promise<Place> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'postil e2e '))
  const database = engine === 'postgres' ? await emptyDatabase() : undefined
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

/** The environment of a server or tool on that place, free of what the developer has set. */
export const environment = (place: Place, extra: { readonly [name: string]: string } = {}): NodeJS.ProcessEnv => {
  // NOTE: what the developer has set for a server of their own must not reach this one
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(POSTIL_|ARGILLA_|HF_|HOST$|PORT$|SPACE_|USERNAME$|PASSWORD$|API_KEY$|NODE_(OPTIONS|ENV)$|VITEST)/.test(name),
  )
  return {
    ...Object.fromEntries(clean),
    POSTIL_PORT: '0',
    POSTIL_DATA_DIR: place.dataDir,
    POSTIL_LOG_LEVEL: 'warn',
    // NOTE: nothing listens there; tests that need a hub have a stand-in
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

/** Servers that a failed test did not end. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Ends the servers and removes the places that are left: of tests that failed, and of servers that were killed. */
export const clearAway = async (): Promise<void> => {
  const ended = [...running].map((child) => new Promise((done) => child.once('exit', done)))
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(ended)
  await Promise.all([...places].map((place) => place.drop()))
}

const READY = /Postil is ready at (http:\/\/\S+?)\/?\s/

/** Starts a server on a free port and waits until it answers. @throws with what it printed when it ends instead */
export const startServer = async (options: ServerOptions = {}): Promise<RunningServer> => {
  const place = options.place ?? (await emptyPlace(options.engine))
  const [command, ...first] = options.program ?? [process.execPath, program]
  const began = performance.now()
  const child = spawn(command, [...first, 'start', ...(options.args ?? [])], {
    cwd: place.dataDir,
    env: environment(place, options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let printed = ''
  const exited = new Promise<number | null>((done) => {
    child.on('exit', (code) => {
      running.delete(child)
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
    // Once all that it printed is read, too: that comes after its end.
    child.on('close', (code) => fail(new Error(`The server ended with ${code} instead of starting:\n${printed}`)))
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
