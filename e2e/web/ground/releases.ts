import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The same server at an address of its own, at which its page is of a newer release whenever that is asked for. */
export type Releases = { readonly url: string; readonly release: () => void; readonly close: () => void }

/** @param url of the server that is asked */
export const startReleases = async (url: string): Promise<Releases> => {
  let number = 1
  const asNewer = (path: string, type: string, content: string): string => {
    if (path === '/sw.js') return content.replace(/"version":"([^"]+)"/, `"version":"$1-${number}"`)
    return type.startsWith('text/html') ? content.replace('<html', `<html data-release="${number}"`) : content
  }
  const pass = (asked: IncomingMessage, answer: ServerResponse): void => {
    const { method, headers, url: path = '/' } = asked
    // What is changed on its way must not be packed.
    const { 'accept-encoding': _, 'if-none-match': __, ...others } = headers
    const sent = request(new URL(path, url), { method: method ?? 'GET', headers: others }, (came) => {
      const type = came.headers['content-type'] ?? ''
      if (path !== '/sw.js' && !type.startsWith('text/html')) {
        answer.writeHead(came.statusCode ?? 500, came.headers)
        came.pipe(answer)
        return
      }
      const chunks: Buffer[] = []
      came.on('data', (chunk: Buffer) => chunks.push(chunk))
      came.on('end', () => {
        const { 'content-length': ___, etag: ____, ...kept } = came.headers
        answer.writeHead(came.statusCode ?? 500, kept).end(asNewer(path, type, Buffer.concat(chunks).toString('utf8')))
      })
    })
    sent.on('error', () => answer.destroy())
    asked.pipe(sent)
  }
  const server = createServer(pass)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release: () => {
      number += 1
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
