import { setTimeout as pause } from 'node:timers/promises'
import type { Bare } from '../bare/bare.ts'
import type { DataSet } from '../data/packages.ts'
import type { BenchDataset, BenchServer } from '../lib/bench-server.ts'
import { toWireRecord } from '../lib/bench-server.ts'
import type { Client } from '../lib/http.ts'
import { BULK } from '../lib/sizing.ts'
import type { Line } from '../lib/stats.ts'

export const BATCH = 500
/** The maximum number of batches that the bare driver inserts. This is enough to measure its rate. */
const MAX_BARE_BATCHES = 200
/**
 * The server and the bare driver take turns. In each turn, the same batches are first sent to the server and then inserted by the
 * bare driver. A temporarily slow machine therefore affects both. This is the number of batches per turn.
 */
const BATCHES_PER_TURN = 5
/**
 * Milliseconds to wait after a response until the server has finished its deferred work, which would otherwise slow down the
 * bare driver.
 */
const SETTLE_MS = 200

type Sent = { readonly ms: number; readonly records: number }

/** Yields the bodies of all batches, in order. */
async function* batchesOf(
  dataset: BenchDataset,
  data: DataSet,
): AsyncGenerator<{ readonly body: Buffer; readonly records: number }> {
  let items: unknown[] = []
  const batch = () => ({ body: Buffer.from(JSON.stringify({ items })), records: items.length })
  for await (const record of data.records()) {
    items.push(toWireRecord(record, dataset))
    if (items.length < BATCH) continue
    yield batch()
    items = []
  }
  if (items.length > 0) yield batch()
}

/** Yields groups of batches that are sent back to back. */
async function* groupsOf<T>(all: AsyncGenerator<T>): AsyncGenerator<readonly T[]> {
  let some: T[] = []
  for await (const one of all) {
    some.push(one)
    if (some.length < BATCHES_PER_TURN) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

const sumOf = (sent: readonly Sent[]): Sent =>
  sent.reduce((sum, { ms, records }) => ({ ms: sum.ms + ms, records: sum.records + records }), { ms: 0, records: 0 })

const pathOf = ({ id }: BenchDataset): string => `/datasets/${id}/records/bulk`

type BulkTarget = Pick<BenchServer, 'owner'>

/** Sends all records in batches of 500, one after the other. Building the bodies is not measured. */
export const sendAll = async ({ owner }: BulkTarget, dataset: BenchDataset, data: DataSet): Promise<Sent> => {
  const sent: Sent[] = []
  for await (const { body, records } of batchesOf(dataset, data))
    sent.push({ ms: (await owner.send('PUT', pathOf(dataset), body)).ms, records })
  return sumOf(sent)
}

type BulkComparison = {
  readonly sent: Sent
  /** The batches that the bare driver has also inserted. `ms` is the time that the product took to store them. */
  readonly firsts: Sent
  readonly plain: Sent
}

/**
 * Like `sendAll`, but also measures the bare driver. After the product has stored a group of batches, the bare driver inserts the
 * same batches, up to `MAX_BARE_BATCHES` in total.
 */
export const sendWithBare = async (
  { owner }: BulkTarget,
  dataset: BenchDataset,
  data: DataSet,
  bare: Bare,
): Promise<BulkComparison> => {
  const sent: Sent[] = []
  const plain: Sent[] = []
  let copied = 0
  const copy = async () => {
    const upTo = Math.min(sent.length, MAX_BARE_BATCHES)
    if (upTo === copied) return
    await pause(SETTLE_MS)
    const { records } = sumOf(sent.slice(copied, upTo))
    plain.push({ ms: await bare.insert(await bare.batches(BATCH, upTo - copied, copied)), records })
    copied = upTo
  }
  for await (const batches of groupsOf(batchesOf(dataset, data))) {
    for (const { body, records } of batches) sent.push({ ms: (await owner.send('PUT', pathOf(dataset), body)).ms, records })
    await copy()
  }
  return { sent: sumOf(sent), firsts: sumOf(sent.slice(0, copied)), plain: sumOf(plain) }
}

/**
 * Sends the batches from several clients. Each sends its next batch when the previous one is confirmed, so the stages of
 * different batches overlap. All bodies are built in memory before the clock starts, so use this only for a few records.
 */
export const sendConcurrently = async (clients: readonly Client[], dataset: BenchDataset, data: DataSet): Promise<Sent> => {
  const batches = await Array.fromAsync(batchesOf(dataset, data))
  const records = batches.reduce((sum, batch) => sum + batch.records, 0)
  const waiting = batches.values()
  const began = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      for (const { body } of waiting) await client.send('PUT', pathOf(dataset), body)
    }),
  )
  return { ms: performance.now() - began, records }
}

const perSecond = ({ ms, records }: Sent): number => (records / ms) * 1000

type RateLine = Pick<Line, 'what' | 'value' | 'unit' | 'bare' | 'ratio' | 'aim' | 'met'> & { readonly bare: number }

const rateLine = (what: string, value: number, ratio: number, bare: number): RateLine => ({
  what,
  value,
  unit: 'records/s',
  bare,
  ratio,
  aim: 'ratio ≥ 0.5',
  met: ratio >= 0.5,
})

/** The line for several clients that send records concurrently. @param plain the plain INSERT's rate, in records per second */
export const concurrentLine = (sent: Sent, clients: number, plain: number): RateLine =>
  rateLine(`${BULK}, by ${clients} clients`, perSecond(sent), perSecond(sent) / plain, plain)

/**
 * A line named `what` with two rates: the product's rate for all records, and the plain INSERT's rate for the first batches. The
 * ratio compares the rates for the first batches only.
 */
export const bulkLine = (what: string, { sent, firsts, plain }: BulkComparison): RateLine =>
  rateLine(what, perSecond(sent), perSecond(firsts) / perSecond(plain), perSecond(plain))
