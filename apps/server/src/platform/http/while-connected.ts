import type { FastifyRequest } from 'fastify'

/**
 * Runs work that is useless once the client that requested it has disconnected. @param work gets a signal that is aborted when
 * the client closes its connection
 */
export const whileConnected = async <T>(
  { raw: { socket } }: FastifyRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const gone = new AbortController()
  const stop = (): void => gone.abort()
  // Listens to the socket. The request's own `close` event also occurs after its body has been read.
  socket.once('close', stop)
  if (socket.destroyed) stop()
  try {
    return await work(gone.signal)
  } finally {
    socket.off('close', stop)
  }
}
