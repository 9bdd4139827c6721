import type { Bare } from '../bare/bare.ts'
import type { DataSet } from '../data/packages.ts'
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

/** The rate of the product beside that of the plain INSERT of the same rows. */
export const bulkLine = async (
  sent: { readonly ms: number; readonly records: number },
  bare: Bare,
): Promise<Pick<Line, 'what' | 'value' | 'unit' | 'bare' | 'ratio' | 'aim' | 'met'>> => {
  const batches = await bare.batches(BATCH, MOST_BARE)
  const rate = (records: number, ms: number) => (records / ms) * 1000
  const value = rate(sent.records, sent.ms)
  const plain = rate(Math.min(sent.records, MOST_BARE * BATCH), await bare.insert(batches))
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
