import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#platform/config/read-config.ts'
import { send } from '#platform/http/answers/send.ts'
import { everywhere } from '#platform/http/security-headers.ts'
import { drawCard } from './card.ts'
import { sharePage, sharePolicy } from './page.ts'
import { readProgress } from './progress.ts'

/** Those who show links fetch a picture several times over. */
const FRESH_SECONDS = 300
/** Drawing takes a few milliseconds of the one thread that answers everybody. */
const MAX_DRAWING = 4

const originOf = ({ publicUrl }: Config, request: FastifyRequest): string =>
  publicUrl ?? `${request.headers['x-forwarded-proto'] === 'https' ? 'https' : request.protocol}://${request.host}`

/**
 * Serves the page that a shared link leads to, and the picture of it, beside the API: for anybody, also for those without an account,
 * and about nothing but what is in the address.
 */
export const serveShare = (app: FastifyInstance, config: Config): void => {
  const root = `${config.baseUrl}share-your-progress`
  let drawing = 0
  app.get(root, (request, reply) => {
    const progress = readProgress(request.query)
    const search = request.url.slice(request.url.indexOf('?'))
    return send(reply.headers({ ...everywhere, 'content-security-policy': sharePolicy }), {
      status: 200,
      contentType: 'text/html; charset=utf-8',
      body: sharePage(progress, {
        dataset: `${config.baseUrl}dataset/${progress.dataset_id}/annotation-mode`,
        picture: `${originOf(config, request)}${root}/card.png${search}`,
      }),
    })
  })
  app.get(`${root}/card.png`, async (request, reply): Promise<FastifyReply> => {
    const progress = readProgress(request.query)
    if (drawing >= MAX_DRAWING)
      return reply
        .code(503)
        .headers({ ...everywhere, 'retry-after': '1' })
        .send()
    drawing += 1
    try {
      const picture = await drawCard(progress)
      // NOTE: packed already, so it is not sent the way of texts
      return reply
        .code(200)
        .headers({ ...everywhere, 'cache-control': `public, max-age=${FRESH_SECONDS}` })
        .type('image/png')
        .send(picture)
    } finally {
      drawing -= 1
    }
  })
}
