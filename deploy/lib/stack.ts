import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { nginxConfiguration, openFolder, poolerConfiguration, unprivileged } from './configuration.ts'
import { type Kept, keep } from './keep.ts'
import { program } from './programs.ts'

const server = join(import.meta.dirname, '..', '..', 'apps', 'server', 'dist', 'main.js')

export type StackOptions = {
  /** How many processes serve. */
  readonly processes: number
  /** Of the proxy; a free one when left out. */
  readonly port?: number
  /** The database, without a pooler. */
  readonly databaseUrl: string
  /** Whether PgBouncer is put between. */
  readonly pooler: boolean
  /** For all processes, beside what they need to find each other. */
  readonly env: NodeJS.ProcessEnv
  readonly dataDir: string
  readonly onOutput?: (text: string) => void
}
export type Stack = {
  /** Of the proxy. */
  readonly url: string
  readonly processes: readonly (Kept & { readonly port: number })[]
  /** How many answers each process has given through the proxy, by its port. */
  readonly answered: () => ReadonlyMap<number, number>
  readonly stop: () => Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? done(address.port) : fail(new Error('no port'))))
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
    if (performance.now() > end) throw new Error(`nothing is ready at ${url}\n${printed().slice(-4000)}`)
    await pause(50)
  }
}

/** Which process answered how many requests, by what the proxy has logged. */
const answeredIn = (log: string): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  for (const [, port] of log.matchAll(/:(\d+) \d+$/gm)) counts.set(Number(port), (counts.get(Number(port)) ?? 0) + 1)
  return counts
}

/** Starts processes, a proxy in front of them and, where it is wanted, a pooler behind them, all on the loopback interface. */
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
  const kept: Kept[] = []
  const stop = async () => {
    for (const one of [...kept].reverse()) await one.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const pooled = new URL(databaseUrl)
    if (options.pooler) {
      const port = await freePort()
      const file = poolerConfiguration(folder, port, new URL(databaseUrl))
      kept.push(keep({ command: await program('pgbouncer'), args: ['-q', file], cwd: folder, ...who, onOutput }))
      pooled.hostname = '127.0.0.1'
      pooled.port = String(port)
    }
    const processes: Stack['processes'][number][] = []
    for (let i = 0; i < options.processes; i++) {
      const port = await freePort()
      const own = {
        POSTIL_HOST: '127.0.0.1',
        POSTIL_PORT: String(port),
        POSTIL_DATA_DIR: dataDir,
        POSTIL_DATABASE_URL: pooled.href,
        ...(options.pooler && { POSTIL_DATABASE_DIRECT_URL: databaseUrl }),
        POSTIL_TRUST_PROXY: 'true',
      }
      const args = ['--max-semi-space-size=8', server, 'start']
      const one = keep({ command: process.execPath, args, env: { ...env, ...own }, cwd: dataDir, onOutput })
      kept.push(one)
      processes.push({ ...one, port })
      // NOTE: the first one brings the schema up to date and makes the first owner
      await untilReady(`http://127.0.0.1:${port}`, () => printed)
    }
    const port = options.port ?? (await freePort())
    const ports = processes.map((one) => one.port)
    const args = ['-e', 'stderr', '-p', folder, '-c', nginxConfiguration(folder, port, ports)]
    kept.push(keep({ command: await program('nginx'), args, cwd: folder, onOutput }))
    const url = `http://127.0.0.1:${port}`
    await untilReady(url, () => printed)
    return { url, processes, answered: () => answeredIn(readFileSync(join(folder, 'access.log'), 'utf8')), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
