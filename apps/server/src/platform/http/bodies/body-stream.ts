import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { tooLarge } from '@postil/contract/wire/errors.ts'
import { HttpRefusal } from '../answers/problem-answers.ts'

export type StreamLimits = {
  /** Bytes of one file, `POSTIL_MAX_IMPORT_FILE`. */
  readonly maxFile: number
  /** Milliseconds without a byte after which a sender is given up. */
  readonly bodyIdleMs: number
}

const receiving = new WeakSet<Socket>()
/** Whether a file arrives on the connection: it may take longer than other requests, as long as it goes on. */
export const receivesFile = (socket: Socket): boolean => receiving.has(socket)

const LATE = new HttpRefusal(408, 'The body did not arrive in time')
const within = async <T>(promise: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(LATE), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A body as it arrives, no faster than it is taken, at most `maxFile` bytes.
 * @throws Problem `too_large`, HttpRefusal 408 for a sender that stalls and 400 for one that leaves
 */
export async function* bodyStream(request: IncomingMessage, { maxFile, bodyIdleMs }: StreamLimits): AsyncGenerator<Uint8Array> {
  const tooLong = () =>
    tooLarge(`The file is larger than the ${maxFile} bytes that this server accepts; POSTIL_MAX_IMPORT_FILE sets the limit`)
  if (Number(request.headers['content-length'] ?? 0) > maxFile) throw tooLong()
  receiving.add(request.socket)
  // NOTE: a request that is destroyed takes the connection with it, on which the refusal is to travel
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>
  let received = 0
  try {
    for (;;) {
      const next = await within(chunks.next(), bodyIdleMs)
      if (next.done === true) return
      received += next.value.length
      if (received > maxFile) throw tooLong()
      yield next.value
    }
  } catch (error) {
    const code = (error as { code?: string }).code
    throw code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' ? new HttpRefusal(400, 'The body ended early') : error
  } finally {
    receiving.delete(request.socket)
    // NOTE: what is still to come is read and dropped, or the connection's next request would wait for ever. Only once the iterator
    // has let go, because a stream that somebody listens to does not flow; not awaited, because where nothing comes it never does.
    const drop = () => void request.resume()
    void (chunks.return?.() ?? Promise.resolve()).then(drop, drop)
  }
}
