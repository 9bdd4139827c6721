import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../harness/server.ts'

const program = join(import.meta.dirname, '../../apps/server/dist/main.js')

test('a server that npm has started ends when npm is asked to, though the shell between passes no signal on', async () => {
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
      // NOTE: it is gone, as it should be
    }
    await server.place.drop()
  }
})
