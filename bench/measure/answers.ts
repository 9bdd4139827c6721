import type { Bare } from '../bare/bare.ts'
import type { BenchServer } from '../lib/bench-server.ts'
import type { Client } from '../lib/http.ts'
import type { Line } from '../lib/stats.ts'
import { spread, timed } from '../lib/stats.ts'
import { PENDING } from './reads.ts'

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'p50' | 'p95' | 'max' | 'bare' | 'ratio' | 'aim' | 'met'>
type Found = { readonly items: readonly { readonly record: { readonly id: string } }[]; readonly total: number }

const SUBMITS = 200
const ANNOTATORS = 16

const next = async (client: Client, datasetId: string, limit: number): Promise<Found> =>
  (await client.call('POST', `/me/datasets/${datasetId}/records/search?limit=${limit}`, PENDING)).body as Found

/** One annotator submits answers one by one to records that were fetched in advance. */
export const submitLine = async (client: Client, datasetId: string, values: object, bare: Bare): Promise<Measured> => {
  const { items } = await next(client, datasetId, SUBMITS + 10)
  const payload = Buffer.from(JSON.stringify({ status: 'submitted', values }))
  let at = 0
  const ownRate = await timed(
    SUBMITS,
    async () => {
      const { record } = items[at++ % items.length] ?? { record: { id: '' } }
      return (await client.send('POST', `/records/${record.id}/responses`, payload)).ms
    },
    5,
  )
  let plain = 0
  const bares = await timed(SUBMITS, () => bare.submit(plain++), 5)
  const { p50, p95, max } = spread(ownRate)
  const base = spread(bares).p50
  return { what: 'submit', value: p50, unit: 'ms', p50, p95, max, bare: base, ratio: p50 / base, aim: 'p95 < 8 ms', met: p95 < 8 }
}

export type Loops = {
  readonly loops: number
  readonly pages: readonly number[]
  readonly submits: readonly number[]
  readonly seconds: number
}

/** Annotators repeatedly fetch the next ten records and answer the first. */
export const annotate = async (
  clients: readonly Client[],
  datasetId: string,
  values: object,
  seconds: number,
): Promise<Loops> => {
  const payload = Buffer.from(JSON.stringify({ status: 'submitted', values }))
  const search = Buffer.from(JSON.stringify(PENDING))
  const pages: number[] = []
  const submits: number[] = []
  const began = performance.now()
  const end = began + seconds * 1000
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const page = await client.send('POST', `/me/datasets/${datasetId}/records/search?limit=10`, search)
        const first = (page.body as Found).items[0]
        if (!first) return
        const answer = await client.send('POST', `/records/${first.record.id}/responses`, payload)
        pages.push(page.ms)
        submits.push(answer.ms)
      }
    }),
  )
  return { loops: submits.length, pages, submits, seconds: (performance.now() - began) / 1000 }
}

/**
 * The load of a team: loops per second, the time to fetch and the time to submit in each loop, and the server's event loop
 * delay and memory.
 */
export const annotatorLines = async (
  server: BenchServer,
  clients: readonly Client[],
  datasetId: string,
  values: object,
  seconds: number,
  bare: Bare,
): Promise<Measured[]> => {
  await server.look()
  const { loops, pages, submits, seconds: took } = await annotate(clients.slice(0, ANNOTATORS), datasetId, values, seconds)
  const { p99, max, rss } = await server.look()
  const rate = loops / took
  let i = 10_000_000
  const bareMs = spread(await timed(500, async () => (await bare.query('next')) + (await bare.submit(i++)))).p50
  const halves = [
    ['page', pages],
    ['submit', submits],
  ] as const
  return [
    {
      what: `${ANNOTATORS} annotators for ${seconds} s`,
      value: rate,
      unit: 'loops/s',
      bare: 1000 / bareMs,
      ratio: (rate * bareMs) / 1000,
      aim: '≥ 300',
      met: rate >= 300,
    },
    ...halves.map(([half, all]): Measured => {
      const { p50, p95, max: slowest } = spread(all)
      return { what: `${ANNOTATORS} annotators: ${half}`, value: p50, unit: 'ms', p50, p95, max: slowest }
    }),
    { what: `${ANNOTATORS} annotators: event loop delay`, value: p99, unit: 'ms', max, aim: 'p99 < 20 ms', met: p99 < 20 },
    { what: `${ANNOTATORS} annotators: memory`, value: rss / 2 ** 20, unit: 'MiB', aim: '< 350 MB', met: rss < 350e6 },
  ]
}
