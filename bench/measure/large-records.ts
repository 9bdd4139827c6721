import { OWNER } from '../../e2e/harness/server.ts'
import type { BenchServer } from '../lib/bench-server.ts'
import { addSettings } from '../lib/bench-server.ts'
import type { Client } from '../lib/http.ts'
import { receive } from '../lib/http.ts'
import type { Line } from '../lib/stats.ts'
import { percentile, spread } from '../lib/stats.ts'
import { PENDING } from './reads.ts'

const RECORDS = 120
/** The size of the image in each record, in bytes: somewhat below the maximum of a field's value. */
const IMAGE_BYTES = 4_860_000
const MEMORY = 600e6
const AIM_MS = 500

const SETTINGS = {
  guidelines: '',
  fields: [{ name: 'image', title: 'Image', required: true, settings: { type: 'image' } }],
  questions: [{ name: 'note', title: 'Note', required: true, settings: { type: 'text', use_markdown: false } }],
  metadata: [],
  vectors: [],
}

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'p50' | 'p95' | 'max' | 'aim' | 'met'>

const createLargeRecords = async (owner: Client, workspaceId: string): Promise<string> => {
  const { body } = await owner.call('POST', '/datasets', { name: 'bench-large-records', workspace_id: workspaceId })
  const { id } = body as { id: string }
  await addSettings(owner, id, SETTINGS)
  const image = `data:image/png;base64,${'A'.repeat(IMAGE_BYTES)}`
  for (let i = 0; i < RECORDS; i++) await owner.call('POST', `/datasets/${id}/records/bulk`, { items: [{ fields: { image } }] })
  return id
}

/**
 * Reads a dataset of large records in every way: in a list, in search results and in downloads. At the same time, another user
 * opens pages of another dataset. Returns how long this user waits and the peak memory of the server.
 */
export const largeRecordLines = async (
  server: BenchServer,
  other: Client,
  dataset: { readonly id: string; readonly workspaceId: string },
): Promise<Measured[]> => {
  const id = await createLargeRecords(server.owner, dataset.workspaceId)
  const path = `${server.url}/api/v1/datasets/${id}/records`
  let isRunning = true
  const read = async () => {
    try {
      const sizes = [
        await receive(OWNER.apiKey, `${path}?limit=${RECORDS}`),
        await receive(OWNER.apiKey, `${path}/search?limit=${RECORDS}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }),
      ]
      for (const format of ['jsonl', 'csv', 'parquet'])
        sizes.push(await receive(OWNER.apiKey, `${path}/download?format=${format}`))
      return sizes
    } finally {
      isRunning = false
    }
  }
  const reading = read()
  const payload = Buffer.from(JSON.stringify(PENDING))
  const times: number[] = []
  let memory = 0
  while (isRunning) {
    times.push((await other.send('POST', `/me/datasets/${dataset.id}/records/search?limit=10`, payload)).ms)
    if (times.length % 10 === 0) memory = Math.max(memory, (await server.look()).rss)
  }
  const sizes = await reading
  const during = `while ${RECORDS} records of ${IMAGE_BYTES / 1e6} MB are read`
  const p99 = percentile(times, 99)
  return [
    { what: `next page ${during}`, value: p99, unit: 'ms', ...spread(times), aim: `p99 < ${AIM_MS} ms`, met: p99 < AIM_MS },
    { what: `memory ${during}`, value: memory / 2 ** 20, unit: 'MiB', aim: '< 600 MB', met: memory < MEMORY },
    { what: `smallest response ${during}`, value: Math.min(...sizes) / 2 ** 20, unit: 'MiB' },
  ]
}
