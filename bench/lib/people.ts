import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './http.ts'
import type { Meter } from './meter.ts'

type Work = {
  /** The answer to every record, as it is sent. */
  readonly values: object
  /** Mean of seconds between a record and its answer. */
  readonly think: number
  /** By the clock of `performance.now()`. */
  readonly until: number
}
type Handed = { readonly items: readonly { readonly record: { readonly id: string } }[] }

/** So many are asked for at a time, and again when so many are left, as the page does. */
const AT_ONCE = 6
const AHEAD = 2
const MOST_SECONDS = 60

/** Waiting times of people: most are short, some are long. @returns milliseconds */
const thinking = (mean: number): number => Math.min(MOST_SECONDS, -Math.log(1 - Math.random()) * mean) * 1000

/** One annotator who takes records from the queue and answers them until the time is over, or nothing is left. */
export const workLikePeople = async (
  client: Client,
  dataset: string,
  { values, think, until }: Work,
  meter: Meter,
): Promise<void> => {
  const answer = Buffer.from(JSON.stringify({ status: 'submitted', values }))
  const hand: string[] = []
  const take = async (): Promise<void> => {
    const body = { limit: AT_ONCE, exclude: hand, drafts: false }
    const got = await meter.timed('next', () => client.call('POST', `/me/datasets/${dataset}/queue`, body))
    for (const { record } of (got?.body as Handed | undefined)?.items ?? []) if (!hand.includes(record.id)) hand.push(record.id)
  }
  // They do not all sit down in the same second.
  await pause(Math.random() * think * 1000)
  while (performance.now() < until) {
    if (hand.length <= AHEAD) await take()
    const id = hand.shift()
    await pause(id === undefined ? 1000 : thinking(think))
    if (id !== undefined) await meter.timed('submit', () => client.send('POST', `/records/${id}/responses`, answer))
  }
}
