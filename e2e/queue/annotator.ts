import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { LeasesResult, QueueResult } from '@postil/contract/queue.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Client, Response } from '@postil/testkit/client.ts'
import { createClient } from '@postil/testkit/client.ts'
import type { Floor } from '@postil/testkit/floor.ts'
import type { Fleet } from './fleet.ts'

export type Work = {
  readonly dataset: string
  readonly leaseMs: number
  readonly most: number
  readonly thinkMs: number
  /** Where all annotators of the run act. */
  readonly floor: Floor
}
export type Person = { readonly id: string; readonly api_key: string }
type Item = QueueResult['items'][number]

/** What all annotators of a run write down together. */
export type Log = {
  /** Of every call for the next records that was answered, in milliseconds. */
  readonly asks: number[]
  readonly submits: number[]
  /** Answers that were confirmed. */
  answers: number
  /** Requests that were cut off and sent again. */
  repeated: number
  /** Records that were lost to somebody else because their time was over. */
  lost: number
  /** How often somebody was given nothing of what was left. */
  waits: number
}

/** A transaction of a server that was killed is over by then, and the lease of who asked it. */
const LONGEST_WAIT_MS = 5000

/** A request that is sent until it is answered, to whichever process runs. @throws on a refusal */
const until = async <T>(
  fleet: Fleet,
  person: Person,
  log: Log,
  send: (client: Client) => Promise<Response<T>>,
): Promise<{ readonly body: T; readonly ms: number }> => {
  for (;;) {
    const url = await fleet.anyUrl()
    const began = performance.now()
    const answer = await send(createClient(url, person)).catch(() => null)
    const ms = performance.now() - began
    if (answer !== null && answer.status < 300) return { body: answer.body, ms }
    if (answer !== null && answer.status < 500) throw new Error(`refused: ${answer.status} ${JSON.stringify(answer.body)}`)
    log.repeated += 1
    await pause(randomInt(5, 30))
  }
}

/**
 * A person who works through a queue as the page does: asks for the next records, answers them in time, gives some back, and
 * stops when told that none are left. @throws where nothing is handed out of what is left though nobody else does anything
 */
export const workThrough = async (
  fleet: Fleet,
  person: Person,
  { dataset, leaseMs, most, thinkMs, floor }: Work,
  log: Log,
): Promise<void> => {
  const queue = `/me/datasets/${dataset}/queue`
  const request = <T>(send: (client: Client) => Promise<Response<T>>) => floor.among(() => until(fleet, person, log, send))
  const isInTime = ({ lease }: Item) => Date.parse(`${lease.until}Z`) - Date.now() > leaseMs / 2

  /** Whether the record is still in hand, for long enough to answer it. */
  const keep = async (id: string): Promise<boolean> => {
    const { body } = await request((client) => client.put<LeasesResult>(`${queue}/leases`, { record_ids: [id] }))
    return body.items[0]?.lease != null
  }
  const isAnswered = async (id: string): Promise<boolean> => {
    const { body } = await request((client) => client.get<RecordPayload>(`/records/${id}`))
    return body.responses?.some(({ user_id, status }) => user_id === person.id && status === 'submitted') === true
  }

  const answer = async (item: Item): Promise<void> => {
    const { id } = item.record
    const values = { label: { value: randomInt(2) === 0 ? 'yes' : 'no' } }
    const sent = { mutation_id: randomUUID(), base_version: null, status: 'submitted', values }
    let inHand = isInTime(item) || (await keep(id))
    while (inHand) {
      const url = await fleet.anyUrl()
      const began = performance.now()
      const send = () => createClient(url, person).put(`/records/${id}/responses/mine`, sent)
      const got = await floor.among(send).catch(() => null)
      if (got !== null && got.status < 300) {
        log.submits.push(performance.now() - began)
        log.answers += 1
        return
      }
      if (got !== null && got.status < 500) throw new Error(`refused: ${got.status} ${JSON.stringify(got.body)}`)
      log.repeated += 1
      inHand = await keep(id)
    }
    // NOTE: a lease that is gone may have ended with the answer that was cut off
    if (await isAnswered(id)) log.answers += 1
    else log.lost += 1
  }

  const ask = (client: Client) => client.post<QueueResult>(queue, { limit: randomInt(1, most + 1) })
  /** Asks again while nobody else does anything, until there is something or nothing is left. */
  const askAlone = async (): Promise<readonly Item[]> => {
    for (const began = performance.now(); performance.now() - began < LONGEST_WAIT_MS; await pause(20)) {
      const { body } = await until(fleet, person, log, ask)
      if (body.items.length > 0 || body.left === 0) return body.items
    }
    throw new Error('nothing is handed out of what is left')
  }

  for (;;) {
    const { body, ms } = await request(ask)
    log.asks.push(ms)
    const isWaiting = body.items.length === 0 && body.left > 0
    if (isWaiting) log.waits += 1
    const items = isWaiting ? await floor.alone(askAlone) : body.items
    if (items.length === 0) return
    for (const item of items) {
      if (thinkMs > 0) await pause(randomInt(Math.ceil(thinkMs / 2), Math.ceil(thinkMs * 1.5)))
      if (randomInt(30) > 0) await answer(item)
      else await request((client) => client.delete(`${queue}/leases?ids=${item.record.id}`))
    }
  }
}
