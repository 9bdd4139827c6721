import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { rawConnection } from '../testing/raw.ts'

let server: TestServer
let path: string
beforeAll(async () => {
  server = await bootServer({ env: { POSTIL_MAX_IMPORT_FILE: '1000000' } })
  path = `/api/v1/datasets/${(await server.createDataset()).id}/imports/files?name=rows.csv`
})
afterAll(() => server.close())

const uploads = (of = server) => readdir(join(of.app.ctx.config.dataDir, 'uploads')).catch(() => [])
const head = (key: string, length: number, to = path) =>
  `POST ${to} HTTP/1.1\r\nhost: localhost\r\nx-argilla-api-key: ${key}\r\ncontent-length: ${length}\r\n\r\n`

it("a file that is too large is refused with the setting's name, with or without a declared length, and not stored", async () => {
  const key = server.owner.api_key
  const announced = await rawConnection(server.url)
  announced.send(head(key, 1_000_001))
  expect(await announced.until((text) => text.includes('detail'))).toMatch(/^HTTP\/1\.1 413[\s\S]*POSTIL_MAX_IMPORT_FILE/)
  announced.end()
  const chunk = Buffer.alloc(100_000, 'x')
  const chunked = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'x-argilla-api-key': key },
    body: new ReadableStream({
      start: (controller) => {
        for (let i = 0; i < 11; i += 1) controller.enqueue(chunk)
        controller.close()
      },
    }),
    duplex: 'half',
  } as RequestInit)
  expect([chunked.status, await chunked.json()]).toEqual([413, { detail: expect.stringContaining('POSTIL_MAX_IMPORT_FILE') }])
  expect(await uploads()).toEqual([])
})

it('the request after a refused file is answered on the same connection, however much of the file was left', async () => {
  const key = server.owner.api_key
  for (const rest of [1, 70_000, 500_000, 3_000_000]) {
    const connection = await rawConnection(server.url)
    const length = 1_000_000 + rest
    const chunked = head(key, 0).replace('content-length: 0', 'transfer-encoding: chunked')
    connection.send(
      `${chunked}${length.toString(16)}\r\n${'x'.repeat(length)}\r\n0\r\n\r\nGET /api/v1/version HTTP/1.1\r\nhost: localhost\r\n\r\n`,
    )
    expect(await connection.until((text) => text.includes('"version"'), 20_000)).toMatch(/^HTTP\/1\.1 413[\s\S]*HTTP\/1\.1 200/)
    connection.end()
  }
})

it('credentials, permission and path are checked before a byte is read', async () => {
  const stranger = await server.createUser()
  for (const [key, to, status] of [
    ['nobody', path, 401],
    [stranger.api_key, path, 403],
    [server.owner.api_key, path.replace(/datasets\/[^/]+/, 'datasets/nonsense'), 422],
    [server.owner.api_key, path.replace(/datasets\/[^/]+/, 'datasets/00000000-0000-7000-8000-000000000001'), 404],
    [server.owner.api_key, path.replace('.csv', '.exe'), 422],
  ] as const) {
    const connection = await rawConnection(server.url)
    connection.send(head(key, 1000, to))
    expect(await connection.until((text) => text.includes('detail'))).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
    connection.end()
  }
})

it('a file can take longer than other requests while it makes progress', async () => {
  const strict = await bootServer({ http: { headersTimeoutMs: 1000, requestTimeoutMs: 2000 } })
  onTestFinished(() => strict.close())
  const to = `/api/v1/datasets/${(await strict.createDataset()).id}/imports/files?name=rows.csv`
  const content = 'text\none\ntwo\n'
  const connection = await rawConnection(strict.url)
  connection.send(head(strict.owner.api_key, content.length, to) + content.slice(0, -1))
  // Waits longer than the request timeout plus the interval at which this timeout is checked.
  await new Promise((resolve) => setTimeout(resolve, 4500))
  connection.send(content.slice(-1))
  expect(await connection.until((text) => text.includes('detail') || text.includes('mapping'))).toMatch(/^HTTP\/1\.1 201/)
  connection.end()
})

it('a stalled file is dropped, and a file whose sender disconnects is not stored', async () => {
  const impatient = await bootServer({ http: { bodyIdleMs: 400 } })
  onTestFinished(() => impatient.close())
  const to = `/api/v1/datasets/${(await impatient.createDataset()).id}/imports/files?name=rows.csv`
  const stalled = await rawConnection(impatient.url)
  stalled.send(`${head(impatient.owner.api_key, 1000, to)}text\n`)
  expect(await stalled.until((text) => text.includes('detail'))).toMatch(/^HTTP\/1\.1 408/)
  stalled.end()
  const leaving = await rawConnection(impatient.url)
  leaving.send(`${head(impatient.owner.api_key, 1000, to)}text\n`)
  await expect.poll(() => uploads(impatient)).toHaveLength(1)
  leaving.end()
  await expect.poll(() => uploads(impatient)).toEqual([])
})
