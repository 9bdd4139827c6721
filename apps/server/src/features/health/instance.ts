import { type Instance, wireVersion } from '@postil/contract/info.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import type { AppContext } from '#context.ts'
import { type Actor, isOwner } from '#platform/auth/actor.ts'
import { now, printTime } from '#platform/time.ts'
import { VERSION } from '#platform/version.ts'
import { countContent, countWork, schemaOf } from './queries.ts'
import { diskUsage, isReady } from './service.ts'

type OfStore = Pick<Instance, 'store' | 'content' | 'jobs' | 'deliveries'>
const NOTHING: OfStore = { store: null, content: null, jobs: null, deliveries: null }

const askStore = async ({ store }: Pick<AppContext, 'store'>): Promise<OfStore> => {
  const [{ engine, version }, bytes, schema, work, content] = await Promise.all([
    store.health(),
    store.size().catch(() => null),
    store.read(schemaOf, null),
    store.read(countWork, null),
    store.read(countContent, null),
  ])
  const { queued = 0, scheduled = 0, deferred = 0, started = 0, failed = 0 } = work.jobs
  return {
    store: { engine, version, schema, bytes },
    content,
    jobs: { waiting: queued + scheduled + deferred, running: started, failed },
    deliveries: {
      waiting: work.deliveries,
      oldest_at: work.oldestDelivery === null ? null : printTime(work.oldestDelivery),
      given_up: work.givenUp,
    },
  }
}

/**
 * The state of the server and its dependencies. Waits for the store at most as long as the readiness check does. If the store
 * doesn't respond, the result says so. @throws Problem forbidden
 */
export const readInstance = async (ctx: AppContext, user: Pick<Actor, 'role'>): Promise<Instance> => {
  if (!isOwner(user)) throw forbidden()
  const [ready, disk] = await Promise.all([isReady(ctx), diskUsage(ctx)])
  const { rss, heapUsed } = process.memoryUsage()
  return {
    version: VERSION,
    wire_version: wireVersion,
    node_version: process.versions.node,
    started_at: printTime(now() - Math.round(process.uptime() * 1_000_000)),
    ready,
    ...(ready ? await askStore(ctx) : NOTHING),
    disk,
    memory: { rss, heap: heapUsed },
  }
}
