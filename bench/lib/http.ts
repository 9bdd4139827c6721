import { Agent, request } from 'node:http'

export type Answer = { readonly status: number; readonly body: unknown; readonly ms: number }

/**
 * A client with little overhead: keep-alive connections, JSON requests and responses. `sockets` limits the concurrent calls.
 */
export class Client {
  readonly #origin: URL
  readonly #agent: Agent
  readonly #key: string
  constructor(url: string, key: string, sockets = 1) {
    this.#origin = new URL(url)
    this.#key = key
    this.#agent = new Agent({ keepAlive: true, maxSockets: sockets })
  }

  /** Sends one request. `ms` is the time from the first byte sent to the last byte read. @throws on a status other than 2xx */
  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.send(method, path, body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
  }

  /** Sends a prepared body, so that building it is not measured. */
  send(method: string, path: string, payload?: Buffer): Promise<Answer> {
    return new Promise((done, fail) => {
      const began = performance.now()
      const outgoing = request(
        {
          host: this.#origin.hostname,
          port: this.#origin.port,
          method,
          path: `/api/v1${path}`,
          agent: this.#agent,
          headers: {
            'x-argilla-api-key': this.#key,
            ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
          },
        },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', fail)
          incoming.on('end', () => {
            const ms = performance.now() - began
            const text = Buffer.concat(chunks).toString('utf8')
            const status = incoming.statusCode ?? 0
            if (status < 200 || status > 299) fail(new Error(`${method} ${path} returned ${status}: ${text.slice(0, 500)}`))
            else done({ status, body: text === '' ? null : JSON.parse(text), ms })
          })
        },
      )
      outgoing.on('error', fail)
      outgoing.end(payload)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/**
 * Reads a large response. Doesn't keep or parse it, because that would delay measurements of other calls.
 * @returns its size in bytes
 */
export const receive = async (key: string, url: string, init: RequestInit = {}): Promise<number> => {
  const response = await fetch(url, { ...init, headers: { ...init.headers, 'x-argilla-api-key': key } })
  if (!response.ok || response.body === null) throw new Error(`${url} returned ${response.status}`)
  let size = 0
  for await (const chunk of response.body) size += chunk.byteLength
  return size
}
