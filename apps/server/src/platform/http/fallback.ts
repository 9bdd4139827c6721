import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#platform/config/read-config.ts'
import { withoutEnd } from '../text/without-end.ts'
import { send, sendJson } from './answers/send.ts'
import { originOf } from './hosts.ts'
import type { Page } from './page.ts'
import type { Registration } from './route.ts'

type Pattern = { readonly method: string; readonly test: RegExp }

const patternOf = ({ endpoint }: Registration): Pattern => ({
  method: endpoint.method,
  test: new RegExp(`^${endpoint.path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`),
})

/**
 * Answers requests that match no route. Under `/api/v1`: 307 for a trailing slash, 405 for a path that exists only for other
 * methods, 404 for the rest. 404 under `/.well-known`. Elsewhere, GET and HEAD requests get the web app.
 * @param isAddress false if the router could not parse the path, which then matches no route
 */
export const createFallback = (
  registrations: readonly Registration[],
  page: Page,
  config: Pick<Config, 'baseUrl' | 'publicUrl'>,
) => {
  const { baseUrl } = config
  const patterns = registrations.map(patternOf)
  const methodsOf = (path: string) => patterns.filter(({ test }) => test.test(path)).map(({ method }) => method)

  const api = (request: FastifyRequest, reply: FastifyReply, path: string, search: string): Promise<FastifyReply> => {
    const bare = withoutEnd(path, '/')
    if (bare !== path && methodsOf(bare).length > 0) {
      return send(reply, {
        status: 307,
        headers: { location: `${originOf(config, request)}${baseUrl.slice(0, -1)}${bare}${search}` },
        body: null,
      })
    }
    const methods = methodsOf(path)
    return methods.length === 0
      ? sendJson(reply, 404, { detail: 'Not Found' })
      : sendJson(reply, 405, { detail: 'Method Not Allowed' }, { allow: [...new Set(methods)].sort().join(', ') })
  }

  return async (request: FastifyRequest, reply: FastifyReply, isAddress = true): Promise<FastifyReply> => {
    const [whole = '/', ...rest] = request.url.split('?')
    const search = rest.length === 0 ? '' : `?${rest.join('?')}`
    if (!whole.startsWith(baseUrl)) {
      return `${whole}/` === baseUrl && request.method === 'GET'
        ? reply.redirect(`${baseUrl}${search}`, 307)
        : sendJson(reply, 404, { detail: 'Not Found' })
    }
    const path = whole.slice(baseUrl.length - 1)
    if (path === '/api/v1' || path.startsWith('/api/v1/')) {
      return isAddress ? api(request, reply, path, search) : sendJson(reply, 404, { detail: 'Not Found' })
    }
    // Programs that look for metadata, such as MCP clients, must get a 404 and not the web app.
    if (path.startsWith('/.well-known/')) return sendJson(reply, 404, { detail: 'Not Found' })
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendJson(reply, 405, { detail: 'Method Not Allowed' }, { allow: 'GET, HEAD' })
    }
    return page(request, reply, path.slice(1))
  }
}
