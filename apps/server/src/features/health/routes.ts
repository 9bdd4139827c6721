import { timingSafeEqual } from 'node:crypto'
import { getInstance, getStatus } from '@postil/contract/info.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AppContext } from '#context.ts'
import type { Registration } from '#platform/http/route.ts'
import { publicRoute, route } from '#platform/http/route.ts'
import { everywhere } from '#platform/http/security-headers.ts'
import { readInstance } from './instance.ts'
import { createMetrics } from './metrics.ts'
import { isReady, readStatus } from './service.ts'

export const healthRoutes: readonly Registration[] = [
  publicRoute(getStatus, ({ ctx }) => readStatus(ctx)),
  route(getInstance, ({ ctx, user }) => readInstance(ctx, user)),
]

const say = (reply: FastifyReply, status: number, body: object, headers: { readonly [name: string]: string } = {}) =>
  reply
    .code(status)
    .headers({ ...everywhere, 'cache-control': 'no-store', ...headers })
    .send(body)

const isAllowed = (header: string | undefined, token: string | undefined): boolean => {
  if (token === undefined) return true
  const [given, wanted] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/**
 * Serves, beside the API, what machines ask of the server: whether it lives, whether it can work, and, where it is switched on, its metrics. To be
 * called before any route is asked for.
 */
export const serveHealth = async (app: FastifyInstance, ctx: AppContext): Promise<void> => {
  const { baseUrl, metrics, metricsToken } = ctx.config
  app.get(`${baseUrl}health/live`, (_request, reply) => say(reply, 200, { status: 'live' }))
  app.get(`${baseUrl}health/ready`, async (_request, reply) => {
    if (await isReady(ctx)) return say(reply, 200, { status: 'ready' })
    return say(reply, 503, { detail: 'The store does not answer' }, { 'retry-after': '1' })
  })
  if (!metrics) {
    app.get(`${baseUrl}metrics`, (_request, reply) => say(reply, 404, { detail: 'Metrics are switched off: POSTIL_METRICS' }))
    return
  }
  const { contentType, print } = await createMetrics(app, ctx)
  app.get(`${baseUrl}metrics`, async (request, reply) => {
    if (!isAllowed(request.headers.authorization, metricsToken))
      return say(reply, 401, { detail: 'The metrics need their bearer token' }, { 'www-authenticate': 'Bearer' })
    return reply
      .headers({ ...everywhere, 'cache-control': 'no-store' })
      .type(contentType)
      .send(await print())
  })
}
