import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { postil } from '../harness/cli.ts'
import { emptyPlace, environment, OWNER, type Place, startServer, testEngine } from '../harness/server.ts'

const program = join(import.meta.dirname, '..', '..', 'apps', 'server', 'dist', 'main.js')

let stop: (() => Promise<number | null>) | null = null
afterEach(async () => {
  await stop?.()
})

const startWorker = async (place: Place): Promise<string> => {
  const child = spawn(process.execPath, [program, 'worker', '--queues', 'default', '--queues', 'high', '--num-workers', '2'], {
    cwd: place.dataDir,
    env: environment(place),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  stop = async () => {
    stop = null
    child.kill('SIGTERM')
    return (await ended)[0] as number | null
  }
  return String((await once(child.stdout, 'data'))[0])
}

test('a worker runs jobs while no server is running, or reports that the server runs them', async () => {
  const place = await emptyPlace()
  const server = await startServer({ place })
  const client = createClient(server.url, { api_key: OWNER.apiKey })
  const dataset = await createFactories(client).createDataset({})
  const items = Array.from({ length: 500 }, (_, i) => ({ fields: { text: `record ${i}` } }))
  await client.post(`/datasets/${dataset.id}/records/bulk`, { items })
  await server.stop()
  await postil(place, ['doctor', '--rebuild'])
  const examine = async () => JSON.parse((await postil(place, ['doctor', '--json'])).stdout) as unknown
  expect(await examine()).toMatchObject({ ok: true, datasets: [{ rebuilding: true }] })
  const said = await startWorker(place)
  if (testEngine() === 'sqlite') expect(said).toContain('the server does this work')
  else {
    const done = { ok: true, datasets: [{ rebuilding: false, records: 500, differences: [] }] }
    await vi.waitFor(async () => expect(await examine()).toMatchObject(done), { timeout: 60_000, interval: 200 })
  }
  expect(await stop?.()).toBe(0)
  await place.drop()
})
