import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OWNER, startServer } from '#harness/server.ts'

const program = join(import.meta.dirname, '../../apps/server/dist/main.js')
/** Writes to this device fail as on a full disk. */
const FULL = '/dev/full'

it.runIf(existsSync(FULL))('a full log disk neither prevents a start nor fails a request', async () => {
  const server = await startServer({
    program: ['sh', '-c', `exec "$0" "$@" 2>${FULL}`, process.execPath, program],
    env: { POSTIL_LOG_LEVEL: 'info' },
  })
  try {
    const signIn = (password: string) =>
      fetch(`${server.url}/api/v1/token`, { method: 'POST', body: new URLSearchParams({ username: OWNER.username, password }) })
    // The server logs failed sign-ins before it responds.
    for (let i = 0; i < 3; i += 1) expect((await signIn('not the password')).status).toBe(401)
    expect((await signIn(OWNER.password)).status).toBe(201)
  } finally {
    expect(await server.stop()).toBe(0)
  }
})
