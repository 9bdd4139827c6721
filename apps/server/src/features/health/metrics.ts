import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { AppContext } from '#context.ts'
import { countWork } from './queries.ts'
import { diskOf } from './service.ts'

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Requests for files of the page, and for what is not there. */
const NO_ROUTE = 'none'

/**
 * Counts what the server does: requests by route, reads and writes of the store by name, what waits, memory, delays. Routes and names
 * are those of the code, so there are never more series than these.
 */
export const createMetrics = async (app: FastifyInstance, ctx: AppContext): Promise<Registry> => {
  // NOTE: loaded only where somebody wants it
  const { collectDefaultMetrics, Gauge, Histogram, Registry: Metrics } = await import('prom-client')
  const registry = new Metrics()
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
    async collect() {
      const work = await ctx.store.read(countWork, null)
      this.set(work.deliveries)
      jobs.reset()
      for (const [state, n] of Object.entries(work.jobs)) jobs.set({ state }, n)
    },
  })
  deliveries.set(0)
  new Gauge({
    name: 'postil_disk_free_bytes',
    help: 'Room on the disk of the data folder.',
    registers,
    async collect() {
      const disk = await diskOf(ctx)
      if (disk !== null) this.set(disk.free)
    },
  })
  return registry
}
