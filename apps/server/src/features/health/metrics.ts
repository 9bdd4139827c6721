import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#context.ts'
import { countWork } from './queries.ts'
import { diskUsage, withTimeout } from './service.ts'

const BUCKET_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Route label for the web app's own files and for unknown paths. */
const NO_ROUTE = 'none'

export type Metrics = {
  readonly contentType: string
  /** Prints all current series. Store series are left out while the store doesn't respond. */
  readonly print: () => Promise<string>
}

/**
 * Measures requests by route, store reads and writes by name, queued work, memory and delays. Routes and names come from the
 * code, so the number of series is bounded.
 */
export const createMetrics = async (app: FastifyInstance, ctx: AppContext): Promise<Metrics> => {
  // Loaded only when enabled
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'postil_http_request_duration_seconds',
    help: 'Duration of requests by route and status, from the first byte received to the last byte sent.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKET_SECONDS,
    registers,
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? NO_ROUTE
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  const operations = new Histogram({
    name: 'postil_store_operation_duration_seconds',
    help: 'Duration of database reads and writes by name, including the time in the queue.',
    labelNames: ['kind', 'name', 'outcome'] as const,
    buckets: BUCKET_SECONDS,
    registers,
  })
  ctx.watchers.add(({ kind, name, ms, failed }) =>
    operations.observe({ kind, name, outcome: failed ? 'refused' : 'done' }, ms / 1000),
  )
  const up = new Gauge({
    name: 'postil_store_up',
    help: 'Whether the database responds: 1 or 0.',
    registers,
  })
  const jobs = new Gauge({
    name: 'postil_jobs',
    help: 'Stored jobs by state.',
    labelNames: ['state'] as const,
    registers,
  })
  const deliveries = new Gauge({
    name: 'postil_webhook_deliveries_waiting',
    help: 'Webhook messages that are not delivered yet.',
    registers,
  })
  const free = new Gauge({
    name: 'postil_disk_free_bytes',
    help: 'Free space on the disk of the data folder.',
    registers,
  })
  // Must finish before anything is printed, because each series is printed as soon as its own value is known
  const collectGauges = async (): Promise<void> => {
    const [work, disk] = await Promise.all([withTimeout(ctx.store.read(countWork, null)), diskUsage(ctx)])
    up.set(work === null ? 0 : 1)
    jobs.reset()
    // Unknown values are removed, because an old number would look current
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
      await collectGauges()
      return registry.metrics()
    },
  }
}
