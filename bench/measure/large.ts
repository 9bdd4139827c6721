import { setTimeout as pause } from 'node:timers/promises'
import { FILTER, PAGE, WORDS } from '../bare/bare.ts'
import type { BenchDataset } from '../lib/bench-server.ts'
import type { Client } from '../lib/http.ts'
import { DISK } from '../lib/sizing.ts'
import type { Line } from '../lib/stats.ts'
import { percentile, spread, timed } from '../lib/stats.ts'
import { PENDING } from './reads.ts'

/* Results of operations that are expensive on a large dataset. They aren't compared with the same operation in the bare database,
   but only with an aim. */

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'p50' | 'p95' | 'max' | 'aim' | 'met'>

const TIMES = 40
const COLD_MS = 1000

const section = { type: 'terms', scope: { entity: 'metadata', metadata_property: 'archive_section' }, values: [FILTER.section] }

type Measurement = { readonly what: string; readonly aim: number; readonly call: () => Promise<number> }

const measure = async ({ what, aim, call }: Measurement): Promise<Measured[]> => {
  const cold = await call()
  const { p50, p95, max } = spread(await timed(TIMES, call))
  return [
    { what: `${what}, cold`, value: cold, unit: 'ms', aim: `< ${COLD_MS} ms`, met: cold < COLD_MS },
    { what, value: p50, unit: 'ms', p50, p95, max, aim: `p95 < ${aim} ms`, met: p95 < aim },
  ]
}

type Property = { readonly id: string; readonly name: string }

/** Measures searches with several conditions, facets, and the disk space per record. */
export const largeLines = async (
  owner: Client,
  { id }: BenchDataset,
  records: number,
  vector: readonly number[],
): Promise<Measured[]> => {
  const searching = (body: object) => {
    const payload = Buffer.from(JSON.stringify(body))
    return async () => (await owner.send('POST', `/datasets/${id}/records/search?limit=${PAGE}`, payload)).ms
  }
  const { items } = (await owner.call('GET', `/me/datasets/${id}/metadata-properties`)).body as { items: Property[] }
  const facet = (name: string) => {
    const property = items.find((one) => one.name === name)
    return async () => (await owner.call('GET', `/metadata-properties/${property?.id}/metrics`)).ms
  }
  const filters = { and: [section] }
  const measurements: Measurement[] = [
    { what: 'text and filter with total', aim: 150, call: searching({ query: { text: { q: WORDS.medium } }, filters }) },
    {
      what: 'similarity and filter',
      aim: 250,
      call: searching({ query: { vector: { name: 'words', value: vector } }, filters }),
    },
    { what: 'metadata facet, terms', aim: 150, call: facet('archive_section') },
    { what: 'metadata facet, numbers', aim: 150, call: facet('installed_size') },
  ]
  const lines: Measured[] = []
  for (const one of measurements) lines.push(...(await measure(one)))
  const { store } = (await owner.call('GET', '/instance')).body as { store: { bytes: number | null } | null }
  if (store?.bytes) lines.push({ what: DISK, value: (store.bytes / records / 2 ** 30) * 1e6, unit: 'GiB' })
  return lines
}

const MEASURE_MS = 10_000
const POLL_MS = 250

/** Waits until no jobs are left. @returns the milliseconds that it took */
const waitForJobs = async (owner: Client): Promise<number> => {
  const began = performance.now()
  for (;;) {
    const { jobs } = (await owner.call('GET', '/status')).body as { jobs: { queued: number; started: number } }
    if (jobs.queued + jobs.started === 0) return performance.now() - began
    await pause(POLL_MS)
  }
}

const answerFor = async (client: Client, datasetId: string, values: object, ms: number): Promise<number> => {
  const search = Buffer.from(JSON.stringify(PENDING))
  const answer = Buffer.from(JSON.stringify({ status: 'submitted', values }))
  const times: number[] = []
  const end = performance.now() + ms
  while (performance.now() < end) {
    const page = await client.send('POST', `/me/datasets/${datasetId}/records/search?limit=10`, search)
    const [first] = (page.body as { items: { record: { id: string } }[] }).items
    if (first === undefined) break
    const submitted = await client.send('POST', `/records/${first.record.id}/responses`, answer)
    times.push(page.ms + submitted.ms)
  }
  return percentile(times, 95)
}

/**
 * Deletes the large dataset. Measures how long an annotator of another dataset waits to get a page and to submit an answer,
 * before the deletion and during it. Returns when the deletion is complete, so that it doesn't affect later measurements.
 */
export const deletionLines = async (
  { owner, annotator }: { readonly owner: Client; readonly annotator: Client },
  large: string,
  other: string,
  values: object,
): Promise<(Measured & Pick<Line, 'bare' | 'ratio'>)[]> => {
  const before = await answerFor(annotator, other, values, MEASURE_MS)
  await owner.call('DELETE', `/datasets/${large}`)
  const during = await answerFor(annotator, other, values, MEASURE_MS)
  const rest = await waitForJobs(owner)
  const ratio = during / before
  return [
    {
      what: 'page and submit in another dataset during a deletion',
      value: during,
      unit: 'ms',
      p95: during,
      bare: before,
      ratio,
      aim: 'ratio < 2',
      met: ratio < 2,
    },
    { what: 'deletion, until all rows are removed', value: (MEASURE_MS + rest) / 1000, unit: 's' },
  ]
}
