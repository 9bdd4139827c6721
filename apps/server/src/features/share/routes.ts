import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '#platform/config/read-config.ts'
import { send } from '#platform/http/answers/send.ts'
import { originOf } from '#platform/http/hosts.ts'
import { everywhere } from '#platform/http/security-headers.ts'
import { drawCard } from './card.ts'
import { sharePage, sharePolicy } from './page.ts'
import { readProgress } from './progress.ts'

/** How long an image may be cached, in seconds. Sites that show links fetch it several times. */
const FRESH_SECONDS = 300
/** Maximum number of images to draw concurrently. Drawing takes a few milliseconds on the only thread that serves requests. */
const MAX_DRAWING = 4

/**
 * Serves two public resources outside the API: the page for a shared link, and the page's preview image. They require no account
 * and show only data that the URL itself contains.
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
        imageUrl: `${originOf(config, request)}${root}/card.png${search}`,
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
      const imageUrl = await drawCard(progress)
      // PNG is already compressed, so it bypasses compression of text responses.
      return reply
        .code(200)
        .headers({ ...everywhere, 'cache-control': `public, max-age=${FRESH_SECONDS}` })
        .type('image/png')
        .send(imageUrl)
    } finally {
      drawing -= 1
    }
  })
}
