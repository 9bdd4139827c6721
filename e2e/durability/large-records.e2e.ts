import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DATABASE_FILE, openConnection } from '@postil/server/platform/db/sqlite/connection.ts'
import { createClient } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { isFullRun } from '@postil/testkit/run-size.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postil } from '#harness/cli.ts'
import { emptyPlace, OWNER, type Place, type RunningServer, startServer } from '#harness/server.ts'

/* Together, these records are longer than V8's longest string, about 537 MB. */
const COUNT = 120
const IMAGE_BYTES = 4_860_000
const MAX_RESIDENT = 600e6

let place: Place
let server: RunningServer
let dataset = ''

/**
 * Replaces the images of all records with large images that all differ. Writes the images directly to the database, because
 * sending them takes minutes on a busy machine, and nothing is derived from an image's data.
 */
const enlargeImages = async ({ dataDir, databaseUrl }: Place): Promise<void> => {
  const image = randomBytes((IMAGE_BYTES / 4) * 3).toString('base64')
  const before = '{"image":"data:image/png;base64,'
  const after = `${image.slice(8)}"}`
  if (databaseUrl === undefined) {
    const db = openConnection(join(dataDir, DATABASE_FILE), 'writer')
    db.prepare("update records set fields = ? || printf('%08d', seq) || ?").run(before, after)
    db.close()
    return
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query("update records set fields = $1::text || lpad(seq::text, 8, '0') || $2::text", [before, after])
  await client.end()
}

beforeAll(async () => {
  place = await emptyPlace()
  server = await startServer({ place })
  const client = createClient(server.url, { api_key: OWNER.apiKey })
  const made = await createFactories(client).createDataset({
    name: 'large',
    fields: [{ name: 'image', required: true, settings: { type: 'image' } }],
  })
  dataset = made.id
  const items = Array.from({ length: COUNT }, () => ({ fields: { image: 'data:image/png;base64,AAAA' } }))
  expect((await client.post(`/datasets/${dataset}/records/bulk`, { items })).status).toBe(201)
  await server.stop()
  await enlargeImages(place)
  server = await startServer({ place })
})
afterAll(async () => {
  await server.kill()
  await place.drop()
})

const startPeak = (): void => writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
/** The server's peak resident memory since `startPeak`, in bytes. */
const peak = (): number => {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/** Receives a response without keeping it. @returns its length in bytes, and its last 40 bytes as text */
const receive = async (path: string, body?: object): Promise<{ bytes: number; end: string }> => {
  const answer = await fetch(`${server.url}/api/v1/datasets/${dataset}/records${path}`, {
    headers: { 'x-argilla-api-key': OWNER.apiKey, 'accept-encoding': 'identity', 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  expect([answer.status, answer.body]).toEqual([200, expect.anything()])
  let bytes = 0
  let last: Uint8Array = Buffer.alloc(0)
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    last = chunk
  }
  return { bytes, end: Buffer.from(last).subarray(-40).toString() }
}

/**
 * Requests that only full runs make, because all downloads read records in the same way. In daily runs, the server's own tests of
 * large records cover these requests with fewer records.
 */
const REPEATED = isFullRun
  ? [
      { what: 'list', path: `?limit=${COUNT}`, body: undefined, end: `],"total":${COUNT}}` },
      { what: 'JSON Lines', path: '/download?format=jsonl', body: undefined, end: '}\n' },
      { what: 'search', path: `/search?limit=${COUNT}`, body: {}, end: `],"total":${COUNT}}` },
      { what: 'CSV', path: '/download?format=csv', body: undefined, end: '\r\n' },
    ]
  : []

it.each([{ what: 'Parquet', path: '/download?format=parquet', body: undefined, end: 'PAR1' }, ...REPEATED])(
  '$what of 120 large records arrives whole, with little memory',
  async ({ path, body, end }) => {
    startPeak()
    const received = await receive(path, body)
    expect(received.bytes).toBeGreaterThan(COUNT * IMAGE_BYTES)
    expect(received.end.endsWith(end)).toBe(true)
    expect(peak()).toBeLessThan(MAX_RESIDENT)
  },
)

detail('postil export writes 120 large records with little memory', async () => {
  const file = join(place.dataDir, 'large.jsonl')
  const preload = `--import=${pathToFileURL(join(import.meta.dirname, 'report-memory.mjs')).href}`
  const { code, stderr } = await postil(place, ['export', 'large', '--output', file], { NODE_OPTIONS: preload })
  expect([code, statSync(file).size > COUNT * IMAGE_BYTES]).toEqual([0, true])
  expect(Number(/peak (\d+) KiB/.exec(stderr)?.[1]) * 1024).toBeLessThan(MAX_RESIDENT)
})
