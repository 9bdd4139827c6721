import { setTimeout as pause } from 'node:timers/promises'
import type { Bare } from '../bare/bare.ts'
import type { DataSet } from '../data/packages.ts'
import type { Client } from '../lib/http.ts'
import { BULK } from '../lib/sizing.ts'
import type { Line } from '../lib/stats.ts'
import type { BenchDataset, BenchServer } from '../lib/world.ts'
import { wireRecord } from '../lib/world.ts'

export const BATCH = 500
/** So many batches are inserted by the bare driver as well: enough for its rate. */
const MOST_BARE = 200
/** So many are sent, and then inserted by the bare driver: a machine that is slower for a while is so for both. */
const IN_TURN = 5
/** Milliseconds after which a server has done what it puts off until it has answered: it is not to hold up the bare driver. */
const PUT_OFF = 200

type Sent = { readonly ms: number; readonly records: number }

/** The bodies of all batches, in their order. */
async function* batchesOf(
  dataset: BenchDataset,
  data: DataSet,
): AsyncGenerator<{ readonly body: Buffer; readonly records: number }> {
  let items: unknown[] = []
  const batch = () => ({ body: Buffer.from(JSON.stringify({ items })), records: items.length })
  for await (const record of data.records()) {
    items.push(wireRecord(record, dataset))
    if (items.length < BATCH) continue
    yield batch()
    items = []
  }
  if (items.length > 0) yield batch()
}

/** As many at once as are sent one right behind the other. */
async function* inTurnsOf<T>(all: AsyncGenerator<T>): AsyncGenerator<readonly T[]> {
  let some: T[] = []
  for await (const one of all) {
    some.push(one)
    if (some.length < IN_TURN) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

const sumOf = (sent: readonly Sent[]): Sent =>
  sent.reduce((sum, { ms, records }) => ({ ms: sum.ms + ms, records: sum.records + records }), { ms: 0, records: 0 })

const pathOf = ({ id }: BenchDataset): string => `/datasets/${id}/records/bulk`

type To = Pick<BenchServer, 'owner'>

/** Sends all records in batches of 500, one after the other. Bodies are made before the clock runs. */
export const sendAll = async ({ owner }: To, dataset: BenchDataset, data: DataSet): Promise<Sent> => {
  const sent: Sent[] = []
  for await (const { body, records } of batchesOf(dataset, data))
    sent.push({ ms: (await owner.send('PUT', pathOf(dataset), body)).ms, records })
  return sumOf(sent)
}

type Beside = {
  readonly sent: Sent
  /** Those that the bare driver inserted as well, and how long it took for them. */
  readonly firsts: Sent
  readonly plain: Sent
}

/** As `sendAll`; the bare driver inserts the first batches too, a few at a time, when they have been stored. */
export const sendBeside = async ({ owner }: To, dataset: BenchDataset, data: DataSet, bare: Bare): Promise<Beside> => {
  const sent: Sent[] = []
  const plain: Sent[] = []
  let copied = 0
  const copy = async () => {
    const upTo = Math.min(sent.length, MOST_BARE)
    if (upTo === copied) return
    await pause(PUT_OFF)
    const { records } = sumOf(sent.slice(copied, upTo))
    plain.push({ ms: await bare.insert(await bare.batches(BATCH, upTo - copied, copied)), records })
    copied = upTo
  }
  for await (const batches of inTurnsOf(batchesOf(dataset, data))) {
    for (const { body, records } of batches) sent.push({ ms: (await owner.send('PUT', pathOf(dataset), body)).ms, records })
    await copy()
  }
  return { sent: sumOf(sent), firsts: sumOf(sent.slice(0, copied)), plain: sumOf(plain) }
}

/**
 * The same by several clients, each of which sends its next batch when it has its answer: the stages of one batch overlap with those of another.
 * All bodies are made before the clock runs: for few records.
 */
export const sendTogether = async (clients: readonly Client[], dataset: BenchDataset, data: DataSet): Promise<Sent> => {
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

/** The rate of several clients. @param plain that of the plain INSERT */
export const togetherLine = (sent: Sent, clients: number, plain: number): RateLine =>
  rateLine(`${BULK}, by ${clients} clients`, perSecond(sent), perSecond(sent) / plain, plain)

/** The rate of the product, as `what`; beside it that of the plain INSERT of the first rows, and how the product's rate for those compares with it. */
export const bulkLine = (what: string, { sent, firsts, plain }: Beside): RateLine =>
  rateLine(what, perSecond(sent), perSecond(firsts) / perSecond(plain), perSecond(plain))
