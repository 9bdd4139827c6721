import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './http.ts'
import type { Meter } from './meter.ts'

type Work = {
  /** The body of every answer, as sent. */
  readonly values: object
  /** Mean seconds between a record and its answer. */
  readonly think: number
  /** When to stop, as a `performance.now()` timestamp. */
  readonly until: number
}
type LeaseResponse = { readonly items: readonly { readonly record: { readonly id: string } }[] }

/**
 * The number of records per request. Like the annotation page, a simulated annotator requests more when only `REFILL_BELOW` are
 * left.
 */
const LEASE_BATCH = 6
const REFILL_BELOW = 2
const MAX_THINK_SECONDS = 60

/** A random delay like a person's: usually short, sometimes long. @returns milliseconds */
const thinkTime = (mean: number): number => Math.min(MAX_THINK_SECONDS, -Math.log(1 - Math.random()) * mean) * 1000

export const simulateAnnotator = async (
  client: Client,
  dataset: string,
  { values, think, until }: Work,
  meter: Meter,
): Promise<void> => {
  const answer = Buffer.from(JSON.stringify({ status: 'submitted', values }))
  const hand: string[] = []
  const take = async (): Promise<void> => {
    const body = { limit: LEASE_BATCH, exclude: hand, drafts: false }
    const next = await meter.timed('next', () => client.call('POST', `/me/datasets/${dataset}/queue`, body))
    for (const { record } of (next?.body as LeaseResponse | undefined)?.items ?? [])
      if (!hand.includes(record.id)) hand.push(record.id)
  }
  // Annotators don't all start in the same second.
  await pause(Math.random() * think * 1000)
  while (performance.now() < until) {
    if (hand.length <= REFILL_BELOW) await take()
    const id = hand.shift()
    await pause(id === undefined ? 1000 : thinkTime(think))
    if (id !== undefined) await meter.timed('submit', () => client.send('POST', `/records/${id}/responses`, answer))
  }
}
