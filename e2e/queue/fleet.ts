import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Place, RunningServer } from '#harness/server.ts'
import { startServer } from '#harness/server.ts'

/** Processes that serve one store, any of which may be gone for a moment. */
export type Fleet = {
  /** The address of one that runs; waits while none does. */
  readonly anyUrl: () => Promise<string>
  /** Ends one as a crash does, and starts it again. */
  readonly crash: (which: number) => Promise<void>
  readonly stop: () => Promise<void>
}

export const startFleet = async (place: Place, processes: number, env: { readonly [name: string]: string }): Promise<Fleet> => {
  // NOTE: processes that share a database are elsewhere than each other: each has a folder of its own
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
        const chosen = running[turn % Math.max(1, running.length)]
        if (chosen !== undefined) return chosen.url
        await pause(20)
      }
      throw new Error('the fleet is gone')
    },
    crash: async (which) => {
      const server = servers[which]
      if (server == null) return
      // NOTE: killed before it is taken from the list, so that requests are under way
      const dead = server.kill()
      servers[which] = null
      await dead
      servers[which] = await start(which)
    },
    stop: async () => {
      isOver = true
      await Promise.all(servers.map((server) => server?.kill()))
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}
