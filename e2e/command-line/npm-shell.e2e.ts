import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../harness/server.ts'

const program = join(import.meta.dirname, '../../apps/server/dist/main.js')

test('a server started by npm stops when npm is stopped, even if the shell between forwards no signal', async () => {
  const server = await startServer({
    program: ['sh', '-c', '"$0" "$@"; exit $?', process.execPath, program],
    env: { npm_lifecycle_event: 'start', POSTIL_LOG_LEVEL: 'info' },
  })
  const pid = Number(/"pid":(\d+)/.exec(server.printed())?.[1])
  try {
    await server.kill()
    const state = () =>
      fetch(`${server.url}/health/live`).then(
        () => 'answers',
        () => 'gone',
      )
    await expect.poll(state, { timeout: 10_000 }).toBe('gone')
    await expect.poll(() => server.printed()).toContain('"msg":"ending"')
  } finally {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has already ended, as it should.
    }
    await server.place.drop()
  }
})
