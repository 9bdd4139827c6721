import { OWNER } from '../../e2e/harness/server.ts'
import type { BenchServer } from '../lib/bench-server.ts'
import { addSettings } from '../lib/bench-server.ts'
import type { Client } from '../lib/http.ts'
import { receive } from '../lib/http.ts'
import type { Line } from '../lib/stats.ts'
import { percentile, spread, timeOf } from '../lib/stats.ts'
import { PENDING } from './reads.ts'

/** How often the answer was changed before it is read. */
const VERSIONS = 40
/** The size of each version, in bytes: somewhat below the maximum of an answer. */
const ANSWER_BYTES = 980_000
const PAGES = 200
const AIM_MS = 500

const SETTINGS = {
  guidelines: '',
  fields: [{ name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } }],
  questions: [{ name: 'note', title: 'Note', required: true, settings: { type: 'text', use_markdown: false } }],
  metadata: [],
  vectors: [],
}

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'p50' | 'p95' | 'max' | 'aim' | 'met'>

const createLargeHistory = async (owner: Client, workspaceId: string): Promise<string> => {
  const { body } = await owner.call('POST', '/datasets', { name: 'bench-large-history', workspace_id: workspaceId })
  const { id } = body as { id: string }
  await addSettings(owner, id, SETTINGS)
  const made = await owner.call('POST', `/datasets/${id}/records/bulk`, { items: [{ fields: { text: 'one' } }] })
  const [record] = (made.body as { items: { id: string }[] }).items
  const values = (version: number) => ({ status: 'draft', values: { note: { value: `${version}`.padEnd(ANSWER_BYTES, 'x') } } })
  const answer = await owner.call('POST', `/records/${record?.id}/responses`, values(0))
  for (let version = 1; version <= VERSIONS; version++)
    await owner.call('PUT', `/responses/${(answer.body as { id: string }).id}`, values(version))
  return record?.id ?? ''
}

/** How long one user waits for the next page while another user's clients read the history of a large answer. */
export const largeHistoryLines = async (
  server: BenchServer,
  readers: number,
  other: Client,
  dataset: { readonly id: string; readonly workspaceId: string },
): Promise<Measured[]> => {
  const record = await createLargeHistory(server.owner, dataset.workspaceId)
  let isRunning = true
  const reads: number[] = []
  const url = `${server.url}/api/v1/records/${record}/history?limit=50`
  const repeat = async () => {
    while (isRunning) reads.push(await timeOf(() => receive(OWNER.apiKey, url)))
  }
  const running = Promise.all(Array.from({ length: readers }, repeat))
  const payload = Buffer.from(JSON.stringify(PENDING))
  const pages: number[] = []
  for (let i = 0; i < PAGES; i++)
    pages.push((await other.send('POST', `/me/datasets/${dataset.id}/records/search?limit=10`, payload)).ms)
  isRunning = false
  await running
  const p99 = percentile(pages, 99)
  const what = `next page while ${readers} clients of another user read the history of an answer of ${ANSWER_BYTES / 1e6} MB`
  return [
    { what, value: p99, unit: 'ms', ...spread(pages), aim: `p99 < ${AIM_MS} ms`, met: p99 < AIM_MS },
    { what: `history of a large answer, ${readers} clients`, value: spread(reads).p50, unit: 'ms', ...spread(reads) },
  ]
}
