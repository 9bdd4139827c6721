import { statfs } from 'node:fs/promises'
import { wireVersion } from '@postil/contract/info.ts'
import type { AppContext } from '#context.ts'
import { countWork, ping } from './queries.ts'

/** Milliseconds after which the store is considered unresponsive. */
const TIMEOUT_MS = 2000

/** The result of a store operation; null when it fails or takes too long. */
export const withTimeout = async <R>(promise: Promise<R>): Promise<R | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), TIMEOUT_MS)
  })
  const answered = promise.catch(() => null)
  try {
    return await Promise.race([answered, timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether requests can be served now. */
export const isReady = async ({ store }: Pick<AppContext, 'store'>): Promise<boolean> =>
  (await withTimeout(store.read(ping, null))) === true

/** Disk space of the data folder in bytes; null when the system doesn't report it. */
export const diskUsage = async ({ config }: Pick<AppContext, 'config'>): Promise<{ free: number; total: number } | null> => {
  try {
    const { bavail, blocks, bsize } = await statfs(config.dataDir)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch {
    return null
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)}M`

type Status = {
  version: string
  search_engine: { engine: string }
  memory: { rss: string; heap: string; external: string }
  store: { engine: string; version: string }
  jobs: { queued: number; started: number; failed: number }
  disk: { free: string; total: string } | Record<string, never>
}

/** The state of the server. @throws Problem unavailable */
export const readStatus = async (ctx: AppContext): Promise<Status> => {
  const [{ engine, version }, { jobs }, disk] = await Promise.all([
    ctx.store.health(),
    ctx.store.read(countWork, null),
    diskUsage(ctx),
  ])
  const { rss, heapUsed, external } = process.memoryUsage()
  return {
    version: wireVersion,
    search_engine: { engine },
    memory: { rss: megabytes(rss), heap: megabytes(heapUsed), external: megabytes(external) },
    store: { engine, version },
    jobs: { queued: jobs.queued ?? 0, started: jobs.started ?? 0, failed: jobs.failed ?? 0 },
    disk: disk === null ? {} : { free: megabytes(disk.free), total: megabytes(disk.total) },
  }
}
