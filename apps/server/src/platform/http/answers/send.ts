import { pipeline, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { FileStream, JsonStream, StoredBytes } from './answers.ts'
import { acceptedEncoding, compress, compressor } from './compression.ts'

export type Outgoing = {
  readonly status: number
  readonly headers?: { readonly [name: string]: string | string[] }
  /** Null for a response without a body. */
  readonly body: Buffer | string | null
  readonly contentType?: string
}

const timing = (reply: FastifyReply): string => `total;dur=${reply.elapsedTime.toFixed(2)}`

/** Sends a response. Compresses it if the client accepts compression and the body is large enough. */
export const send = async (reply: FastifyReply, answer: Outgoing): Promise<FastifyReply> => {
  reply.code(answer.status)
  if (answer.headers) reply.headers(answer.headers)
  if (answer.body === null) return reply.header('server-timing', timing(reply)).send()
  // The body is sent as bytes. For a string, the framework would add a charset, which JSON's media type doesn't have.
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body, 'utf8') : answer.body
  const encoding = acceptedEncoding(reply.request.headers['accept-encoding'])
  const packed = encoding === null ? null : await compress(body, encoding)
  reply.header('content-type', answer.contentType ?? 'application/json').header('vary', vary(reply))
  if (packed !== null && encoding !== null) reply.header('content-encoding', encoding)
  // If a stream failed before its first byte, this removes the `content-encoding` header that was set for the stream.
  else reply.removeHeader('content-encoding')
  return reply.header('server-timing', timing(reply)).send(packed ?? body)
}

/**
 * Waits for the first piece of a response. If an error occurs before that piece, the response can still have the error's status
 * code.
 * @returns all pieces
 */
const started = async (chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> => {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  let head: IteratorResult<Uint8Array> | null = first
  const rest: AsyncIterator<Uint8Array> = {
    next: async () => {
      const next = head ?? (await iterator.next())
      head = null
      return next
    },
    // Called early if the client disconnects. Ends the generator, even if nothing was sent.
    return: async () => {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => rest }
}

/**
 * Lets other requests run after each piece. A client that reads quickly would otherwise keep the event loop busy until the end.
 */
async function* inTurns(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk
    await nextTurn()
  }
}

/**
 * An error after the headers resets the connection. In HTTP/1.0, which proxies use by default, a closed connection is the regular
 * end of a response. Without the reset, a client would mistake the part that it has received for the whole response.
 */
const streamOf = (reply: FastifyReply, chunks: AsyncIterable<Uint8Array>): Readable =>
  Readable.from(inTurns(chunks), { objectMode: false, highWaterMark: 2 ** 18 }).once('error', () => {
    if (reply.raw.headersSent) reply.raw.socket?.resetAndDestroy()
  })

/** Sends JSON in pieces, with backpressure. An error after the first piece resets the connection. */
export const sendJsonStream = async (reply: FastifyReply, status: number, { chunks }: JsonStream): Promise<FastifyReply> => {
  const body = streamOf(reply, await started(chunks))
  const encoding = acceptedEncoding(reply.request.headers['accept-encoding'])
  reply.code(status).header('content-type', 'application/json').header('vary', vary(reply)).header('server-timing', timing(reply))
  if (encoding === null) return reply.send(body)
  // The framework handles errors: `pipeline` passes them on to the compressed stream.
  const packed = pipeline(body, compressor(encoding), () => undefined)
  return reply.header('content-encoding', encoding).send(packed)
}

/** Sends a file while it is generated. An error after the first piece resets the connection. */
export const sendFile = (reply: FastifyReply, { name, contentType, chunks }: FileStream): FastifyReply => {
  const plain = name.replace(/[^\w. -]/g, '_')
  const exact = encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  return reply
    .header('content-type', contentType)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${exact}`)
    .send(streamOf(reply, chunks))
}

export const sendStored = (reply: FastifyReply, { status, headers, chunks }: StoredBytes): FastifyReply => {
  reply.code(status).headers(headers)
  return chunks === null ? reply.send() : reply.send(streamOf(reply, chunks))
}

const vary = (reply: FastifyReply): string => {
  const known = reply.getHeader('vary')
  return known === undefined ? 'accept-encoding' : `${String(known)}, accept-encoding`
}

export const sendJson = (
  reply: FastifyReply,
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string | string[] } = {},
): Promise<FastifyReply> => send(reply, { status, headers, body: JSON.stringify(body) })
