import type { Bare } from '../bare/bare.ts'
import type { DataSet } from '../data/packages.ts'
import type { Client } from '../lib/http.ts'
import { BULK } from '../lib/sizing.ts'
import type { Line } from '../lib/stats.ts'
import type { BenchDataset, BenchServer } from '../lib/world.ts'
import { wireRecord } from '../lib/world.ts'

export const BATCH = 500
/** So many batches are inserted by the bare driver: more do not fit into memory, and do not change its rate. */
const MOST_BARE = 200

/** Sends all records in batches of 500, one after the other. Bodies are made before the clock runs. */
export const sendAll = async (
  server: Pick<BenchServer, 'owner'>,
  dataset: BenchDataset,
  data: DataSet,
): Promise<{ readonly ms: number; readonly records: number }> => {
  const path = `/datasets/${dataset.id}/records/bulk`
  let ms = 0
  let records = 0
  let items: unknown[] = []
  const flush = async () => {
    if (items.length === 0) return
    ms += (await server.owner.send('PUT', path, Buffer.from(JSON.stringify({ items })))).ms
    records += items.length
    items = []
  }
  for await (const record of data.records()) {
    items.push(wireRecord(record, dataset))
    if (items.length === BATCH) await flush()
  }
  await flush()
  return { ms, records }
}

/** Batches whose bodies are made before a turn of the clock. */
const A_TURN = 20

/** The same by several clients, each of which sends its next batch when it has its answer: the stages of one batch overlap with those of another. */
export const sendTogether = async (
  clients: readonly Client[],
  dataset: BenchDataset,
  data: DataSet,
): Promise<{ readonly ms: number; readonly records: number }> => {
  const path = `/datasets/${dataset.id}/records/bulk`
  let ms = 0
  let records = 0
  let items: unknown[] = []
  const bodies: Buffer[] = []
  const turn = async () => {
    const began = performance.now()
    await Promise.all(
      clients.map(async (client) => {
        for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) await client.send('PUT', path, body)
      }),
    )
    ms += performance.now() - began
  }
  const flush = () => {
    bodies.push(Buffer.from(JSON.stringify({ items })))
    records += items.length
    items = []
  }
  for await (const record of data.records()) {
    items.push(wireRecord(record, dataset))
    if (items.length === BATCH) flush()
    if (bodies.length === A_TURN) await turn()
  }
  if (items.length > 0) flush()
  await turn()
  return { ms, records }
}

const perSecond = ({ ms, records }: { readonly ms: number; readonly records: number }): number => (records / ms) * 1000

/** The rate of several clients. @param plain that of the plain INSERT */
export const togetherLine = (sent: { readonly ms: number; readonly records: number }, clients: number, plain: number) => {
  const value = perSecond(sent)
  const ratio = value / plain
  return {
    what: `${BULK}, by ${clients} clients`,
    value,
    unit: 'records/s',
    bare: plain,
    ratio,
    aim: 'ratio ≥ 0.5',
    met: ratio >= 0.5,
  }
}

/** The rate of the product beside that of the plain INSERT of the same rows. */
export const bulkLine = async (
  sent: { readonly ms: number; readonly records: number },
  bare: Bare,
): Promise<Pick<Line, 'what' | 'value' | 'unit' | 'bare' | 'ratio' | 'aim' | 'met'>> => {
  const batches = await bare.batches(BATCH, MOST_BARE)
  const value = perSecond(sent)
  const plain = perSecond({ records: Math.min(sent.records, MOST_BARE * BATCH), ms: await bare.insert(batches) })
  const ratio = value / plain
  return {
    what: BULK,
    value,
    unit: 'records/s',
    bare: plain,
    ratio,
    aim: 'ratio ≥ 0.5',
    met: ratio >= 0.5,
  }
}
