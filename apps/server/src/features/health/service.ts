import { statfs } from 'node:fs/promises'
import { wireVersion } from '@postil/contract/info.ts'
import type { AppContext } from '#context.ts'
import { countWork, look } from './queries.ts'

/** A store that has not answered by then does not answer, in milliseconds. */
const PATIENCE_MS = 2000

/** What the store answers; null when it does not, or not in time. */
export const inTime = async <R>(asked: Promise<R>): Promise<R | null> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), PATIENCE_MS)
  })
  const answered = asked.catch(() => null)
  try {
    return await Promise.race([answered, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether requests can be carried out now. */
export const isReady = async ({ store }: Pick<AppContext, 'store'>): Promise<boolean> =>
  (await inTime(store.read(look, null))) === true

/** Room on the disk of the data folder in bytes; null where the machine does not say. */
export const diskOf = async ({ config }: Pick<AppContext, 'config'>): Promise<{ free: number; total: number } | null> => {
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
    diskOf(ctx),
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
