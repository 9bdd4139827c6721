import { type AddressInfo, connect, createServer } from 'node:net'

export type ClosedPort = { readonly port: number; readonly release: () => Promise<void> }

/**
 * A port of the loopback address that refuses whoever calls, until it is released. A port that was listened on and closed is
 * given to the next server that asks for any, which may be one of a test beside this one; this one is held by a connection.
 */
export const closedPort = async (): Promise<ClosedPort> => {
  const server = createServer((socket) => socket.resume())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const held = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await new Promise<void>((done, fail) => held.once('connect', done).once('error', fail))
  const release = async (): Promise<void> => {
    const closed = new Promise((done) => server.close(done))
    held.destroy()
    await closed
  }
  return { port: held.localPort ?? 0, release }
}
