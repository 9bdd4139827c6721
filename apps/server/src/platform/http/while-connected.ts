import type { FastifyRequest } from 'fastify'

/**
 * Does work that is useless without the client that has requested it. @param work gets a signal that aborts when the client
 * closes its connection
 */
export const whileConnected = async <T>(
  { raw: { socket } }: FastifyRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const gone = new AbortController()
  const stop = (): void => gone.abort()
  // The request's own event also comes when its body has been read.
  socket.once('close', stop)
  if (socket.destroyed) stop()
  try {
    return await work(gone.signal)
  } finally {
    socket.off('close', stop)
  }
}
