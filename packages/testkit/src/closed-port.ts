import { type AddressInfo, connect, createServer } from 'node:net'

export type ClosedPort = { readonly port: number; readonly release: () => Promise<void> }

/**
 * A port on the loopback interface that refuses connections until it is released. After a server closes its port, a server in a
 * parallel test could get the same port. That can't happen to this port, because it is the local port of an open connection.
 */
export const closedPort = async (): Promise<ClosedPort> => {
  const server = createServer((socket) => socket.resume())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const listening = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await new Promise<void>((done, fail) => listening.once('connect', done).once('error', fail))
  const release = async (): Promise<void> => {
    const closed = new Promise((done) => server.close(done))
    listening.destroy()
    await closed
  }
  return { port: listening.localPort ?? 0, release }
}
