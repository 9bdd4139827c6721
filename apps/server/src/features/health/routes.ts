import { timingSafeEqual } from 'node:crypto'
import { getInstance, getStatus, wireVersion } from '@postil/contract/info.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AppContext } from '#context.ts'
import { isFromOwner } from '#platform/auth/authenticate.ts'
import type { Registration } from '#platform/http/route.ts'
import { publicRoute, route } from '#platform/http/route.ts'
import { everywhere } from '#platform/http/security-headers.ts'
import { readInstance } from './instance.ts'
import { createMetrics } from './metrics.ts'
import { isReady, readStatus } from './service.ts'

export const healthRoutes: readonly Registration[] = [
  publicRoute(getStatus, async ({ ctx, request }) =>
    (await isFromOwner(ctx, request, getStatus)) ? readStatus(ctx) : { version: wireVersion },
  ),
  route(getInstance, ({ ctx, user }) => readInstance(ctx, user)),
]

const respond = (reply: FastifyReply, status: number, body: object, headers: { readonly [name: string]: string } = {}) =>
  reply
    .code(status)
    .headers({ ...everywhere, 'cache-control': 'no-store', ...headers })
    .send(body)

const isAllowed = (header: string | undefined, token: string | undefined): boolean => {
  if (token === undefined) return true
  const [sentToken, expectedToken] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)]
  return sentToken.length === expectedToken.length && timingSafeEqual(sentToken, expectedToken)
}

/** Serves liveness, readiness and, if enabled, metrics, outside the API. Must be called before any route is registered. */
export const serveHealth = async (app: FastifyInstance, ctx: AppContext): Promise<void> => {
  const { baseUrl, metrics, metricsToken } = ctx.config
  app.get(`${baseUrl}health/live`, (_request, reply) => respond(reply, 200, { status: 'live' }))
  app.get(`${baseUrl}health/ready`, async (_request, reply) => {
    if (await isReady(ctx)) return respond(reply, 200, { status: 'ready' })
    return respond(reply, 503, { detail: 'The database does not respond' }, { 'retry-after': '1' })
  })
  if (!metrics) {
    app.get(`${baseUrl}metrics`, (_request, reply) =>
      respond(reply, 404, { detail: 'Metrics are off. Set POSTIL_METRICS to enable them' }),
    )
    return
  }
  const { contentType, print } = await createMetrics(app, ctx)
  app.get(`${baseUrl}metrics`, async (request, reply) => {
    if (!isAllowed(request.headers.authorization, metricsToken))
      return respond(reply, 401, { detail: 'Metrics require the bearer token' }, { 'www-authenticate': 'Bearer' })
    return reply
      .headers({ ...everywhere, 'cache-control': 'no-store' })
      .type(contentType)
      .send(await print())
  })
}
