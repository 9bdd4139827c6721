import type { Bare, BareQuery } from '../bare/bare.ts'
import { FILTER, PAGE, SCORE, WORDS } from '../bare/bare.ts'
import type { Client } from '../lib/http.ts'
import type { Line } from '../lib/stats.ts'
import { spread, timed } from '../lib/stats.ts'

type Filter = {
  readonly type: 'terms' | 'range'
  readonly scope: object
  readonly values?: readonly string[]
  readonly ge?: number
  readonly le?: number
}
type Search = {
  readonly query?: object
  readonly filters?: { readonly and: readonly Filter[] }
  readonly sort?: readonly object[]
}

/**
 * The number of runs of a read that has a target for its 95th percentile. With this many runs, a single pause of the machine
 * doesn't determine the 95th percentile.
 */
const TIMES = 200
/** How often a slow read runs. */
const FEW_TIMES = 60

const response = (status: string): Filter => ({
  type: 'terms',
  scope: { entity: 'response', property: 'status' },
  values: [status],
})
const recordStatus = (status: string): Filter => ({
  type: 'terms',
  scope: { entity: 'record', property: 'status' },
  values: [status],
})

/** The annotation page's search for pending records. */
export const PENDING: Search = { filters: { and: [response('pending'), recordStatus('pending')] } }

const metadata = (name: string) => ({ entity: 'metadata', metadata_property: name })

type Read = {
  readonly what: string
  readonly bare: BareQuery
  readonly search: (vector: readonly number[]) => Search
  readonly limit?: number
  readonly mine?: boolean
  /**
   * The limit for the 95th percentile, in milliseconds. Similarity searches have no limit. They are judged by how much longer
   * they take than the bare scan.
   */
  readonly aim?: number
}

const SIMILARITY: Read = {
  what: 'similarity',
  bare: 'similar',
  search: (value) => ({ query: { vector: { name: 'words', value } } }),
}

const READS: readonly Read[] = [
  { what: 'next page of 10 pending with total', bare: 'next', search: () => PENDING, limit: 10, mine: true, aim: 5 },
  ...(['rare', 'medium', 'common'] as const).map(
    (word): Read => ({
      what: `text query, ${word} word`,
      bare: `text-${word}`,
      search: () => ({ query: { text: { q: WORDS[word] } } }),
      aim: 30,
    }),
  ),
  {
    what: 'metadata terms and range',
    bare: 'metadata',
    search: () => ({
      filters: {
        and: [
          { type: 'terms', scope: metadata('archive_section'), values: [FILTER.section] },
          { type: 'range', scope: metadata('installed_size'), ge: FILTER.from, le: FILTER.to },
        ],
      },
    }),
    aim: 30,
  },
  {
    what: 'suggestion score',
    bare: 'score',
    search: () => ({
      filters: { and: [{ type: 'range', scope: { entity: 'suggestion', question: 'section', property: 'score' }, ge: SCORE }] },
    }),
    aim: 30,
  },
  {
    what: 'sort by metadata',
    bare: 'sort',
    search: () => ({ sort: [{ scope: metadata('installed_size'), order: 'asc' }] }),
    aim: 30,
  },
  SIMILARITY,
]

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'p50' | 'p95' | 'max' | 'bare' | 'ratio' | 'aim' | 'met'>

const compareLines = (what: string, ownTimes: readonly number[], bare: readonly number[], aim?: number): Measured => {
  const { p50, p95, max } = spread(ownTimes)
  const plain = spread(bare).p50
  const line = { what, value: p50, unit: 'ms', p50, p95, max, bare: plain, ratio: p50 / plain }
  return aim === undefined ? line : { ...line, aim: `p95 < ${aim} ms`, met: p95 < aim }
}

const measureRead = async (
  client: Client,
  datasetId: string,
  read: Read,
  vector: readonly number[],
  bare: Bare,
): Promise<Measured[]> => {
  const path = `${read.mine ? '/me' : ''}/datasets/${datasetId}/records/search?limit=${read.limit ?? PAGE}`
  const payload = Buffer.from(JSON.stringify(read.search(vector)))
  const call = async () => (await client.send('POST', path, payload)).ms
  const cold = await call()
  const times = read.aim === undefined ? FEW_TIMES : TIMES
  const ownTimes = await timed(times, call)
  const plain = await timed(times, () => bare.query(read.bare))
  return [{ what: `${read.what}, cold`, value: cold, unit: 'ms' }, compareLines(read.what, ownTimes, plain, read.aim)]
}

const OFFSETS = [5_000, 50_000] as const

/**
 * Measures pages far into an unfiltered list and far into a filtered search. For comparison, the bare driver reads a page that
 * begins after a given `seq`, because no other bare query is comparable.
 */
const measureOffsets = async (client: Client, datasetId: string, records: number, bare: Bare): Promise<Measured[]> => {
  const lines: Measured[] = []
  for (const offset of OFFSETS.filter((one) => one < records)) {
    const plain = await timed(TIMES, () => bare.query('offset', offset))
    const list = `/datasets/${datasetId}/records?offset=${offset}&limit=${PAGE}`
    lines.push(
      compareLines(`list at offset ${offset}`, await timed(TIMES, async () => (await client.call('GET', list)).ms), plain, 50),
    )
    const search = `/datasets/${datasetId}/records/search?offset=${Math.min(offset, Math.floor(records / 2))}&limit=${PAGE}`
    const payload = Buffer.from(JSON.stringify({ filters: { and: [recordStatus('pending')] } }))
    lines.push(
      compareLines(
        `filtered search at offset ${offset}`,
        await timed(TIMES, async () => (await client.send('POST', search, payload)).ms),
        plain,
        50,
      ),
    )
  }
  return lines
}

/** Measures every read in the report. `annotator` reads the queue, and `owner` reads everything else. */
export const readLines = async (
  clients: { readonly owner: Client; readonly annotator: Client },
  datasetId: string,
  records: number,
  vector: readonly number[],
  bare: Bare,
): Promise<Measured[]> => {
  const lines: Measured[] = []
  for (const read of READS)
    lines.push(...(await measureRead(read.mine ? clients.annotator : clients.owner, datasetId, read, vector, bare)))
  return [...lines, ...(await measureOffsets(clients.owner, datasetId, records, bare))]
}

/** Measures similarity search after the index is built. The first search makes the database build it in the background. */
export const settledSimilarityLine = async (
  client: Client,
  datasetId: string,
  vector: readonly number[],
  bare: Bare,
): Promise<Measured> => {
  await bare.settle()
  const [, warm] = await measureRead(client, datasetId, { ...SIMILARITY, what: 'similarity, later' }, vector, bare)
  if (warm === undefined) throw new Error('nothing was measured')
  return warm
}
