import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Knows the connections that have no request under way. Node's own `closeIdleConnections` leaves out those that never
 * sent one, such as a browser's spare ones, and a server that is to end would wait for them, as for those that are kept after the
 * answer that was under way.
 * @returns what closes them, the others after their answer
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
