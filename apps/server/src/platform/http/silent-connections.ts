import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Tracks connections without a running request, so that a shutdown doesn't wait for them. Node's `closeIdleConnections` skips
 * connections that have never sent a request, such as a browser's spare connections. A shutdown would also wait for keep-alive
 * connections after their last response.
 * @returns a function that closes idle connections immediately and all others after their response
 */
export const trackSilentConnections = (server: Server): (() => void) => {
  const open = new Set<Socket>()
  const busy = new Map<Socket, number>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response: ServerResponse) => {
    busy.set(socket, (busy.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (busy.get(socket) ?? 1) - 1
      if (left > 0) busy.set(socket, left)
      else {
        busy.delete(socket)
        if (isClosing) socket.destroySoon()
      }
    })
  })
  return () => {
    isClosing = true
    for (const socket of open) if (!busy.has(socket)) socket.destroy()
  }
}
