import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#context.ts'
import { countWork } from './queries.ts'
import { diskOf, inTime } from './service.ts'

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Requests for files of the page, and for what is not there. */
const NO_ROUTE = 'none'

export type Metrics = {
  readonly contentType: string
  /** All series as they are now. Those of the store are left out while it does not answer. */
  readonly print: () => Promise<string>
}

/**
 * Counts what the server does: requests by route, reads and writes of the store by name, what waits, memory, delays. Routes and names
 * are those of the code, so there are never more series than these.
 */
export const createMetrics = async (app: FastifyInstance, ctx: AppContext): Promise<Metrics> => {
  // NOTE: loaded only where somebody wants it
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'postil_http_request_duration_seconds',
    help: 'Requests by route and status, from the first byte received to the last one sent.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers,
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? NO_ROUTE
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  const operations = new Histogram({
    name: 'postil_store_operation_duration_seconds',
    help: 'Reads and writes of the store by name, with the wait for their turn.',
    labelNames: ['kind', 'name', 'outcome'] as const,
    buckets: SECONDS,
    registers,
  })
  ctx.watchers.add(({ kind, name, ms, failed }) =>
    operations.observe({ kind, name, outcome: failed ? 'refused' : 'done' }, ms / 1000),
  )
  const up = new Gauge({
    name: 'postil_store_up',
    help: 'Whether the store answers: 1 or 0.',
    registers,
  })
  const jobs = new Gauge({
    name: 'postil_jobs',
    help: 'Jobs by state, as long as they are known.',
    labelNames: ['state'] as const,
    registers,
  })
  const deliveries = new Gauge({
    name: 'postil_webhook_deliveries_waiting',
    help: 'Messages to webhooks that are not delivered yet.',
    registers,
  })
  const free = new Gauge({
    name: 'postil_disk_free_bytes',
    help: 'Room on the disk of the data folder.',
    registers,
  })
  // NOTE: before anything is printed: a series is printed as soon as its own value is there
  const look = async (): Promise<void> => {
    const [work, disk] = await Promise.all([inTime(ctx.store.read(countWork, null)), diskOf(ctx)])
    up.set(work === null ? 0 : 1)
    jobs.reset()
    // NOTE: what is not known is not told: a number from before would look like one of now
    if (work === null) deliveries.remove()
    else {
      deliveries.set(work.deliveries)
      for (const [state, n] of Object.entries(work.jobs)) jobs.set({ state }, n)
    }
    if (disk !== null) free.set(disk.free)
  }
  return {
    contentType: registry.contentType,
    print: async () => {
      await look()
      return registry.metrics()
    },
  }
}
