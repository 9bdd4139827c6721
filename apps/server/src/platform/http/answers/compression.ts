import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Minimum size of a body that is compressed. For a smaller body, compression doesn't save a packet. */
const MIN_BYTES = 512

export type Encoding = 'br' | 'gzip'

const quality = (accept: string, name: string): number => {
  for (const part of accept.split(',')) {
    const [token = '', ...params] = part.split(';').map((text) => text.trim().toLowerCase())
    if (token !== name) continue
    const q = params.find((param) => param.startsWith('q='))
    return q === undefined ? 1 : Number(q.slice(2))
  }
  return 0
}

/** The best encoding that an `Accept-Encoding` header allows: brotli, then gzip; null for none. */
export const acceptedEncoding = (accept: string | undefined): Encoding | null => {
  if (accept === undefined) return null
  if (quality(accept, 'br') > 0) return 'br'
  return quality(accept, 'gzip') > 0 ? 'gzip' : null
}

/**
 * Compresses a response body on Node's thread pool with the lowest effort. On JSON, brotli's first quality level halves the size
 * at 100 MB/s. Higher levels take four times as long to save another tenth.
 */
export const compress = async (body: Buffer, encoding: Encoding): Promise<Buffer | null> => {
  if (body.length < MIN_BYTES) return null
  if (encoding === 'gzip') return gzipped(body, { level: 1 })
  return brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } })
}

/** Compresses a body that is sent in pieces, at the same level as `compress`. */
export const compressor = (encoding: Encoding): Transform =>
  encoding === 'gzip' ? createGzip({ level: 1 }) : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
