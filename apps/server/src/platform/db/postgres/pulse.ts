import pg from 'pg'
import type { PacketClient } from './client.ts'

/** Whether the server lets somebody in, or at least says why not. */
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
 * A server that is frozen takes connections and never answers, and who has asked would wait for as long. A long statement looks the same from outside, and may
 * be as long as it is: so connections that hear nothing are given up only where a new one is not answered either.
 * @param urls where new ones are tried: also past a pooler, which lets people in by itself. @param ms how long each of the two is waited for
 */
export const watchPulse = (pool: pg.Pool, urls: readonly string[], ms: number): void => {
  const clients = new Set<PacketClient>()
  let isLooking = false
  const look = async (): Promise<void> => {
    const silent = () => [...clients].filter((client) => client.silentFor() > ms)
    if (isLooking || silent().length === 0) return
    isLooking = true
    const before = silent()
    const answers = await Promise.all(urls.map((url) => isAlive(url, ms)))
    const isFrozen = answers.includes(false)
    // NOTE: one that was heard meanwhile says that the server is there
    if (isFrozen && before.every((client) => client.silentFor() > ms || !clients.has(client)))
      for (const client of silent()) client.cut()
    isLooking = false
  }
  const timer = setInterval(() => (pool.ending ? clearInterval(timer) : void look()), ms / 3).unref()
  pool.on('connect', (client) => clients.add(client as PacketClient))
  pool.on('remove', (client) => clients.delete(client as PacketClient))
}
