import pg from 'pg'
import type { PacketClient } from './client.ts'

/** Whether the server accepts a connection, or at least gives a reason for refusing it. */
const isAlive = async (connectionString: string, ms: number): Promise<boolean> => {
  const visitor = new pg.Client({ connectionString, connectionTimeoutMillis: ms })
  visitor.on('error', () => undefined)
  let isHeard = true
  await visitor.connect().catch(({ message }: Error) => {
    isHeard = message !== 'timeout expired'
  })
  visitor.end().catch(() => undefined)
  return isHeard
}

/**
 * A frozen server accepts connections and never answers, so callers would wait forever. A long statement looks the same and may
 * take any amount of time. So silent connections are closed only if a new connection gets no answer either.
 * @param urls where to try new connections. One of them must bypass the pooler, which itself accepts connections. @param ms the
 * timeout for each check
 */
export const watchPulse = (pool: pg.Pool, urls: readonly string[], ms: number): void => {
  const clients = new Set<PacketClient>()
  let isChecking = false
  const checkPeer = async (): Promise<void> => {
    const silent = () => [...clients].filter((client) => client.silentFor() > ms)
    if (isChecking || silent().length === 0) return
    isChecking = true
    const before = silent()
    const answers = await Promise.all(urls.map((url) => isAlive(url, ms)))
    const isFrozen = answers.includes(false)
    // A response received during the check shows that the server is alive.
    if (isFrozen && before.every((client) => client.silentFor() > ms || !clients.has(client)))
      for (const client of silent()) client.cut()
    isChecking = false
  }
  const timer = setInterval(() => (pool.ending ? clearInterval(timer) : void checkPeer()), ms / 3).unref()
  pool.on('connect', (client) => clients.add(client as PacketClient))
  pool.on('remove', (client) => clients.delete(client as PacketClient))
}
