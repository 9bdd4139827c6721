import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { LeasesResult, QueueResult } from '@postil/contract/queue.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Client, Response } from '@postil/testkit/client.ts'
import { createClient } from '@postil/testkit/client.ts'
import type { ExclusiveGate } from '@postil/testkit/exclusive-gate.ts'
import type { ServerGroup } from './server-group.ts'

export type Work = {
  readonly dataset: string
  readonly leaseMs: number
  readonly most: number
  readonly thinkMs: number
  /** Makes all other annotators pause while one annotator acts alone. All annotators of the run share this gate. */
  readonly floor: ExclusiveGate
}
export type Annotator = { readonly id: string; readonly api_key: string }
type Item = QueueResult['items'][number]

/** Statistics shared by all annotators of a run. */
export type RunLog = {
  /** Durations of successful requests for the next records, in milliseconds. */
  readonly asks: number[]
  readonly submits: number[]
  /** Number of confirmed answers. */
  answers: number
  /** Number of requests that were repeated after a failure. */
  repeated: number
  /** Number of records that were lost because the lease expired. */
  lost: number
  /** Number of times that the server assigned nothing although records were left. */
  waits: number
}

/**
 * The time, in milliseconds, after which a killed server's transaction has ended and any lease granted by that transaction has
 * expired.
 */
const LONGEST_WAIT_MS = 5000

/**
 * Sends a request to any running process. Repeats the request after connection and server errors until it succeeds.
 * @throws if the server rejects the request
 */
const waitUntil = async <T>(
  fleet: ServerGroup,
  person: Annotator,
  log: RunLog,
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
 * Simulates a person who works through a queue in the web app. The person requests the next records, answers them in time,
 * releases some, and stops when none are left. @throws if no record is assigned although records are left and nobody else is
 * active
 */
export const workThrough = async (
  fleet: ServerGroup,
  person: Annotator,
  { dataset, leaseMs, most, thinkMs, floor }: Work,
  log: RunLog,
): Promise<void> => {
  const queue = `/me/datasets/${dataset}/queue`
  const request = <T>(send: (client: Client) => Promise<Response<T>>) =>
    floor.runShared(() => waitUntil(fleet, person, log, send))
  const isInTime = ({ lease }: Item) => lease !== null && Date.parse(`${lease.until}Z`) - Date.now() > leaseMs / 2

  /** Extends the lease of a record. Returns false if the lease is lost. */
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
    let leased = isInTime(item) || (await keep(id))
    while (leased) {
      const url = await fleet.anyUrl()
      const began = performance.now()
      const send = () => createClient(url, person).put(`/records/${id}/responses/mine`, sent)
      const leaseNext = await floor.runShared(send).catch(() => null)
      if (leaseNext !== null && leaseNext.status < 300) {
        log.submits.push(performance.now() - began)
        log.answers += 1
        return
      }
      if (leaseNext !== null && leaseNext.status < 500)
        throw new Error(`refused: ${leaseNext.status} ${JSON.stringify(leaseNext.body)}`)
      log.repeated += 1
      leased = await keep(id)
    }
    // The lease may be gone because the server stored the answer but was killed before it responded.
    if (await isAnswered(id)) log.answers += 1
    else log.lost += 1
  }

  const requestRecord = (client: Client) => client.post<QueueResult>(queue, { limit: randomInt(1, most + 1) })
  /**
   * Repeats the request until a record is assigned or none are left. All other annotators must pause in the meantime, so that
   * they can't take the records.
   */
  const leaseExclusively = async (): Promise<readonly Item[]> => {
    for (const began = performance.now(); performance.now() - began < LONGEST_WAIT_MS; await pause(20)) {
      const { body } = await waitUntil(fleet, person, log, requestRecord)
      if (body.items.length > 0 || body.left === 0) return body.items
    }
    throw new Error('the queue returns no record, but records are left')
  }

  for (;;) {
    const { body, ms } = await request(requestRecord)
    log.asks.push(ms)
    const isWaiting = body.items.length === 0 && body.left > 0
    if (isWaiting) log.waits += 1
    const items = isWaiting ? await floor.runExclusive(leaseExclusively) : body.items
    if (items.length === 0) return
    for (const item of items) {
      if (thinkMs > 0) await pause(randomInt(Math.ceil(thinkMs / 2), Math.ceil(thinkMs * 1.5)))
      if (randomInt(30) > 0) await answer(item)
      else await request((client) => client.delete(`${queue}/leases?ids=${item.record.id}`))
    }
  }
}
