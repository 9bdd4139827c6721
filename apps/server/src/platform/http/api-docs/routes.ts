import type { FastifyInstance } from 'fastify'
import { VERSION } from '../../version.ts'
import { send } from '../answers/send.ts'
import type { Registration } from '../route.ts'
import { everywhere, ofApi } from '../security-headers.ts'
import { docsPage, docsPolicy } from './docs-page.ts'
import { type OpenApi, openApiOf } from './openapi.ts'

/** Serves the API documentation: `openapi.json` for programs, `docs` and `redoc` for people. */
export const serveApiDocs = (app: FastifyInstance, registrations: readonly Registration[], baseUrl: string): void => {
  const root = `${baseUrl}api/v1`
  let known: OpenApi | undefined
  // Generated on the first request, because most servers never get one.
  const made = () => {
    known ??= openApiOf(
      registrations.map(({ endpoint }) => endpoint),
      { url: baseUrl.slice(0, -1), version: VERSION },
    )
    return known
  }
  app.get(`${root}/openapi.json`, (_request, reply) =>
    send(reply.headers({ ...everywhere, ...ofApi }), { status: 200, body: JSON.stringify(made()) }),
  )
  for (const name of ['docs', 'redoc']) {
    app.get(`${root}/${name}`, (_request, reply) =>
      send(reply.headers({ ...everywhere, 'content-security-policy': docsPolicy }), {
        status: 200,
        body: docsPage(made()),
        contentType: 'text/html; charset=utf-8',
      }),
    )
  }
}
