import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { nginxConfiguration, openFolder, poolerConfiguration, unprivileged } from './configuration.ts'
import { program } from './programs.ts'
import { type SupervisedProcess, supervise } from './supervise.ts'

const server = join(import.meta.dirname, '..', '..', 'apps', 'server', 'dist', 'main.js')

export type StackOptions = {
  readonly processes: number
  /** The proxy's port. Defaults to a free one. */
  readonly port?: number
  /** The URL of the database itself, not of the pooler. */
  readonly databaseUrl: string
  /** Whether the processes connect through PgBouncer. */
  readonly pooler: boolean
  /** Environment variables for all processes, in addition to the variables for the connections. */
  readonly env: NodeJS.ProcessEnv
  readonly dataDir: string
  readonly onOutput?: (text: string) => void
}
export type Stack = {
  /** The proxy's URL. */
  readonly url: string
  readonly processes: readonly (SupervisedProcess & { readonly port: number })[]
  /** How many requests each process has answered through the proxy, keyed by port. */
  readonly answeredCounts: () => ReadonlyMap<number, number>
  readonly stop: () => Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? done(address.port) : fail(new Error('no free port'))))
    })
  })

const START_MS = 60_000

const untilReady = async (url: string, printed: () => string): Promise<void> => {
  const end = performance.now() + START_MS
  for (;;) {
    const ready = await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    if (performance.now() > end) throw new Error(`${url} did not become ready\n${printed().slice(-4000)}`)
    await pause(50)
  }
}

/** How many requests each process has answered according to the proxy's log, keyed by port. */
const readAnsweredCount = (log: string): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  for (const [, port] of log.matchAll(/:(\d+) \d+$/gm)) counts.set(Number(port), (counts.get(Number(port)) ?? 0) + 1)
  return counts
}

/** Starts processes, a proxy in front of them and optionally a pooler behind them, all on the loopback interface. */
export const startStack = async (options: StackOptions): Promise<Stack> => {
  const { databaseUrl, dataDir, env } = options
  const folder = openFolder(mkdtempSync(join(tmpdir(), 'postil stack ')))
  const who = unprivileged()
  if (who.uid !== undefined && who.gid !== undefined) chownSync(folder, who.uid, who.gid)
  let printed = ''
  const onOutput = (text: string) => {
    printed = (printed + text).slice(-100_000)
    options.onOutput?.(text)
  }
  const supervised: SupervisedProcess[] = []
  const stop = async () => {
    for (const one of [...supervised].reverse()) await one.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const pooled = new URL(databaseUrl)
    if (options.pooler) {
      const port = await freePort()
      const file = poolerConfiguration(folder, port, new URL(databaseUrl))
      supervised.push(supervise({ command: await program('pgbouncer'), args: ['-q', file], cwd: folder, ...who, onOutput }))
      pooled.hostname = '127.0.0.1'
      pooled.port = String(port)
    }
    const processes: Stack['processes'][number][] = []
    for (let i = 0; i < options.processes; i++) {
      const port = await freePort()
      const childEnv = {
        POSTIL_HOST: '127.0.0.1',
        POSTIL_PORT: String(port),
        POSTIL_DATA_DIR: dataDir,
        POSTIL_DATABASE_URL: pooled.href,
        ...(options.pooler && { POSTIL_DATABASE_DIRECT_URL: databaseUrl }),
        POSTIL_TRUST_PROXY: 'true',
      }
      const args = ['--max-semi-space-size=8', server, 'start']
      const one = supervise({ command: process.execPath, args, env: { ...env, ...childEnv }, cwd: dataDir, onOutput })
      supervised.push(one)
      processes.push({ ...one, port })
      // The next process starts only after this one is ready, because the first one migrates the schema and creates the first
      // owner.
      await untilReady(`http://127.0.0.1:${port}`, () => printed)
    }
    const port = options.port ?? (await freePort())
    const ports = processes.map((one) => one.port)
    const args = ['-e', 'stderr', '-p', folder, '-c', nginxConfiguration(folder, port, ports)]
    supervised.push(supervise({ command: await program('nginx'), args, cwd: folder, onOutput }))
    const url = `http://127.0.0.1:${port}`
    await untilReady(url, () => printed)
    return { url, processes, answeredCounts: () => readAnsweredCount(readFileSync(join(folder, 'access.log'), 'utf8')), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
