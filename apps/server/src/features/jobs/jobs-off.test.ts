import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { startBackground } from '#platform/jobs/background.ts'

type Listed = { readonly items: readonly { readonly kind: string; readonly status: string }[] }
const PATIENCE = { timeout: 30_000, interval: 100 }

let server: TestServer
afterEach(() => server.close())

const begin = async (POSTIL_JOBS: string) => {
  server = await bootServer({ env: { POSTIL_JOBS }, background: { pollMs: 20 } })
  const { id } = await server.createDataset({})
  await server.clientFor(server.owner).delete(`/datasets/${id}`)
}
const status = async () => {
  const { body } = await server.clientFor(server.owner).get<Listed>('/jobs')
  return body.items.find(({ kind }) => kind === 'dataset.purge')?.status
}

it('POSTIL_JOBS=off leaves jobs to another process', async () => {
  await begin('off')
  // Long enough for a process to have finished the job many times.
  await new Promise((done) => setTimeout(done, 1000))
  expect(await status()).toBe('queued')
  const other = startBackground(server.app.ctx, { pollMs: 20 })
  await vi.waitFor(async () => expect(await status()).toBe('finished'), PATIENCE)
  await other.stop()
})

it('POSTIL_JOBS=on is the default', async () => {
  await begin('on')
  await vi.waitFor(async () => expect(await status()).toBe('finished'), PATIENCE)
})
