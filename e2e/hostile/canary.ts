import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the canary received. */
export type Hit = { readonly path: string; readonly headers: IncomingHttpHeaders }

export type Canary = {
  /**
   * The canary's address without a scheme, for example `//localhost:4000`. The name is `localhost` instead of 127.0.0.1, so that
   * the browser treats the canary and the server as different hosts. A different port wouldn't be enough, because cookies ignore
   * ports.
   */
  readonly host: string
  readonly hits: () => readonly Hit[]
  /** Returns the URL of a page with one frame per text. Each frame shows an unprotected page that contains its text as HTML. */
  readonly show: (texts: readonly string[]) => string
  readonly close: () => Promise<void>
}

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/**
 * Starts a server on this machine and records the requests that it gets. Only hostile text refers to this server:
 * - A payload that must never run sends its requests to `/run/…`.
 * - An image that a record may show is requested from `/picture/…`.
 */
export const startCanary = async (): Promise<Canary> => {
  const hits: Hit[] = []
  let shown: readonly string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const bare = /^\/bare\/(\d+)$/.exec(path)
    if (path === '/all') {
      response.setHeader('content-type', 'text/html')
      response.end(shown.map((_, index) => `<iframe src="/bare/${index}"></iframe>`).join(''))
    } else if (bare) {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(`<!doctype html><p>${shown[Number(bare[1])]}`)
    } else if (!/^\/(run|picture)\//.test(path)) {
      response.writeHead(404).end()
    } else {
      hits.push({ path, headers: request.headers })
      response.writeHead(200, { 'content-type': 'image/gif', 'access-control-allow-origin': '*' }).end(PIXEL)
    }
  })
  server.on('upgrade', (request, socket) => {
    hits.push({ path: request.url ?? '', headers: request.headers })
    socket.destroy()
  })
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready))
  const host = `//localhost:${(server.address() as AddressInfo).port}`
  return {
    host,
    hits: () => [...hits],
    show: (texts) => {
      shown = texts
      return `http:${host}/all`
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
