import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { FileStream, StoredBytes } from './answers.ts'
import { acceptedEncoding, compress } from './compression.ts'

export type Outgoing = {
  readonly status: number
  readonly headers?: { readonly [name: string]: string | string[] }
  /** Null for a response without a body. */
  readonly body: Buffer | string | null
  readonly contentType?: string
}

const timing = (reply: FastifyReply): string => `total;dur=${reply.elapsedTime.toFixed(2)}`

/** Sends a response, compressed if the client accepts that and it is worthwhile. Every API response goes through here. */
export const send = async (reply: FastifyReply, answer: Outgoing): Promise<FastifyReply> => {
  reply.code(answer.status)
  if (answer.headers) reply.headers(answer.headers)
  if (answer.body === null) return reply.header('server-timing', timing(reply)).send()
  // Sent as bytes, because the framework would add a charset, which JSON doesn't have.
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body, 'utf8') : answer.body
  const encoding = acceptedEncoding(reply.request.headers['accept-encoding'])
  const packed = encoding === null ? null : await compress(body, encoding)
  reply.header('content-type', answer.contentType ?? 'application/json').header('vary', vary(reply))
  if (packed !== null && encoding !== null) reply.header('content-encoding', encoding)
  return reply.header('server-timing', timing(reply)).send(packed ?? body)
}

/**
 * Sends a file while it is generated. An error closes the connection before the end of the file, so that a partial file is
 * never mistaken for a complete one.
 */
export const sendFile = (reply: FastifyReply, { name, contentType, chunks }: FileStream): FastifyReply => {
  const plain = name.replace(/[^\w. -]/g, '_')
  const exact = encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  return reply
    .header('content-type', contentType)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${exact}`)
    .send(Readable.from(chunks, { objectMode: false, highWaterMark: 2 ** 18 }))
}

export const sendStored = (reply: FastifyReply, { status, headers, chunks }: StoredBytes): FastifyReply => {
  reply.code(status).headers(headers)
  return chunks === null ? reply.send() : reply.send(Readable.from(chunks, { objectMode: false, highWaterMark: 2 ** 18 }))
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
