import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Place, RunningServer } from '#harness/server.ts'
import { startServer } from '#harness/server.ts'

/** Server processes that share one database. Each process may be down for a moment. */
export type ServerGroup = {
  /** The URL of a running process. Waits if none is running. */
  readonly anyUrl: () => Promise<string>
  /** Kills a process, as in a crash, and restarts it. */
  readonly crash: (which: number) => Promise<void>
  readonly stop: () => Promise<void>
}

export const startServerGroup = async (
  place: Place,
  processes: number,
  env: { readonly [name: string]: string },
): Promise<ServerGroup> => {
  // Server processes that share a database usually run on different machines. Each process therefore has its own folder here.
  const folders =
    place.databaseUrl === undefined ? [] : Array.from({ length: processes }, () => mkdtempSync(join(tmpdir(), 'postil e2e ')))
  const start = (which: number): Promise<RunningServer> => {
    const folder = folders[which]
    return startServer({ place, env: { ...env, ...(folder && { POSTIL_DATA_DIR: folder }) } })
  }
  const servers: (RunningServer | null)[] = []
  for (let i = 0; i < processes; i += 1) servers.push(await start(i))
  let turn = 0
  let isOver = false
  return {
    anyUrl: async () => {
      while (!isOver) {
        const running = servers.filter((server) => server !== null)
        turn += 1
        const chosenServer = running[turn % Math.max(1, running.length)]
        if (chosenServer !== undefined) return chosenServer.url
        await pause(20)
      }
      throw new Error('all servers have stopped')
    },
    crash: async (which) => {
      const server = servers[which]
      if (server == null) return
      // Kills the server while clients are still using it, so that the crash interrupts requests.
      const stoppedServer = server.kill()
      servers[which] = null
      await stoppedServer
      servers[which] = await start(which)
    },
    stop: async () => {
      isOver = true
      await Promise.all(servers.map((server) => server?.kill()))
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}
