import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { tooLarge } from '@postil/contract/wire/errors.ts'
import { HttpRefusal } from '../answers/problem-answers.ts'

export type StreamLimits = {
  /** Maximum size of a file in bytes. Set by `POSTIL_MAX_IMPORT_FILE`. */
  readonly maxFile: number
  /** How long the sender may go without sending anything before the request is aborted, in milliseconds. */
  readonly bodyIdleMs: number
}

const receiving = new WeakSet<Socket>()
/** Whether a file is arriving on the connection. A file may take longer than other requests as long as bytes keep arriving. */
export const receivesFile = (socket: Socket): boolean => receiving.has(socket)

const TIMED_OUT = new HttpRefusal(408, 'The body did not arrive in time')
const withTimeout = async <T>(promise: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(TIMED_OUT), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Yields a body as it arrives, with backpressure, up to `maxFile` bytes.
 * @throws Problem `too_large`, HttpRefusal 408 for a stalled sender and 400 for a sender that disconnects
 */
export async function* bodyStream(request: IncomingMessage, { maxFile, bodyIdleMs }: StreamLimits): AsyncGenerator<Uint8Array> {
  const tooLong = () => tooLarge(`The file exceeds the limit of ${maxFile} bytes. POSTIL_MAX_IMPORT_FILE sets the limit`)
  if (Number(request.headers['content-length'] ?? 0) > maxFile) throw tooLong()
  receiving.add(request.socket)
  // Destroying the request would close the connection, which the error response still needs.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>
  let received = 0
  try {
    for (;;) {
      const next = await withTimeout(chunks.next(), bodyIdleMs)
      if (next.done === true) return
      received += next.value.length
      if (received > maxFile) throw tooLong()
      yield next.value
    }
  } catch (error) {
    const code = (error as { code?: string }).code
    throw code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET'
      ? new HttpRefusal(400, 'The body ended before it was complete')
      : error
  } finally {
    receiving.delete(request.socket)
    // Reads and drops the rest of the body. Otherwise, the connection's next request would wait forever. The stream doesn't flow
    // until the iterator has released it. The release isn't awaited, because it never completes if nothing more arrives.
    const drop = () => void request.resume()
    void (chunks.return?.() ?? Promise.resolve()).then(drop, drop)
  }
}
