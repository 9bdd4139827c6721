import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Keys that Postil's responses have but Argilla's responses don't have. */
const additions = new Set(['version', 'active', 'surplus', 'answers', 'answers_needed', 'left'])

/**
 * Makes a response look as if it came from Argilla: removes Postil's additions, and replaces empty answer values with null. Also
 * adds a key that Postil doesn't know.
 */
const asPublished = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asPublished)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    if (additions.has(key) && Object.hasOwn(value, 'updated_at')) return []
    if (key === 'values' && Object.hasOwn(value, 'user_id') && JSON.stringify(item) === '{}') return [[key, null]]
    // Content that people wrote stays unchanged.
    return [[key, key === 'fields' || key === 'metadata' || key === 'values' ? item : asPublished(item)]]
  })
  return Object.fromEntries(Object.hasOwn(value, 'updated_at') ? [...entries, ['a_key_of_tomorrow', { a: 1 }]] : entries)
}

export type Fault = 'too many' | 'broken' | 'cut off'
export type Proxy = {
  /** Includes the path prefix of the server. */
  readonly url: string
  readonly requests: () => readonly { readonly method: string; readonly path: string }[]
  readonly close: () => Promise<void>
}
export type ProxyOptions = {
  /** Returns the fault for the `n`th request, counted from 1. */
  readonly fault?: (n: number, path: string) => Fault | null
  /** Called before the `n`th request is forwarded, counted from 1. */
  readonly before?: (n: number, path: string) => void
  /** Changes a response. */
  readonly rewrite?: (path: string, body: unknown) => unknown
}

const PREFIX = '/some/prefix'

const misbehave = (fault: Fault, response: ServerResponse): void => {
  if (fault === 'cut off') response.destroy()
  else if (fault === 'broken') response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error')
  else response.writeHead(429, { 'retry-after': '0' }).end()
}

/**
 * Starts a proxy in front of a Postil server. Its routes and responses look like those of Argilla's server. On request, it also
 * produces faults.
 */
export const startProxy = async (
  target: string,
  { fault = () => null, before, rewrite = (_, body) => body }: ProxyOptions = {},
): Promise<Proxy> => {
  const requests: { method: string; path: string }[] = []
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').slice(PREFIX.length)
    requests.push({ method: request.method ?? '', path })
    const wrong = fault(requests.length, path)
    if (wrong !== null) {
      misbehave(wrong, response)
      return
    }
    before?.(requests.length, path)
    if (/\/(queue-settings|search-settings|suggestion-settings|label-colours|views)$/.test(path)) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not Found"}')
      return
    }
    const key = request.headers['x-argilla-api-key']
    const answer = await fetch(`${target}${path}`, { headers: typeof key === 'string' ? { 'x-argilla-api-key': key } : {} })
    const body = JSON.stringify(rewrite(path, asPublished(await answer.json())))
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${PREFIX}`,
    requests: () => requests,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
