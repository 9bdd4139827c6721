import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedDelivery = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly message: { readonly type: string; readonly timestamp: string; readonly data: { readonly [key: string]: unknown } }
}
type Respond = (received: ReceivedDelivery, response: ServerResponse) => void

export type WebhookReceiver = {
  /** Without a trailing slash. */
  readonly url: string
  /** All requests in order of arrival. */
  readonly received: ReceivedDelivery[]
  /** The requests to one path. */
  readonly receivedAt: (path: string) => ReceivedDelivery[]
  /** Sets the response to all later requests: a status, or a function that responds. Initially 200. */
  readonly answer: (how: number | Respond) => void
  readonly close: () => Promise<void>
}

export const startReceiver = async (): Promise<WebhookReceiver> => {
  const received: ReceivedDelivery[] = []
  const withStatus =
    (status: number): Respond =>
    (_received, response) =>
      response.writeHead(status).end('seen')
  let respond: Respond = withStatus(200)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const one = { path: request.url ?? '', headers: request.headers, body, receivedAt: Date.now(), message: JSON.parse(body) }
      received.push(one)
      respond(one, response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    receivedAt: (path) => received.filter((one) => one.path === path),
    answer: (how) => {
      respond = typeof how === 'number' ? withStatus(how) : how
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const TOLERANCE_SECONDS = 300
const header = ({ headers }: ReceivedDelivery, name: string): string => String(headers[name] ?? '')

/**
 * Whether a message is fresh and signed with the secret. Checks the message as a receiver would (Standard Webhooks). Uses
 * WebCrypto instead of the server's code, so that the check is independent.
 */
export const isSigned = async (received: ReceivedDelivery, secret: string): Promise<boolean> => {
  const seconds = Number(header(received, 'webhook-timestamp'))
  if (!(Math.abs(received.receivedAt / 1000 - seconds) < TOLERANCE_SECONDS)) return false
  const raw = Uint8Array.from(atob(secret), (c) => c.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const [version, signature = ''] = header(received, 'webhook-signature').split(',')
  const signed = new TextEncoder().encode(`${header(received, 'webhook-id')}.${seconds}.${received.body}`)
  const bytes = Uint8Array.from(atob(signature), (c) => c.charCodeAt(0))
  return version === 'v1' && crypto.subtle.verify('HMAC', key, bytes, signed)
}
