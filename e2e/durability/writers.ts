import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Response } from '@postil/contract/responses.ts'
import type { Response as Answer, Client } from '@postil/testkit/client.ts'

const statuses = ['draft', 'submitted', 'discarded'] as const
type Body = {
  readonly status: (typeof statuses)[number]
  readonly values: { readonly [question: string]: { readonly value: unknown } }
}
/** An answer as it should stand; null where there should be none. */
export type Standing = (Body & { readonly version: number }) | null

type Unsure = {
  readonly after: Standing
  /** Sends the same again; for requests that may be repeated. */
  readonly repeat: ((client: Client) => Promise<Answer<unknown>>) | null
}

/** What one user knows of one record. */
type Known = {
  standing: Standing
  /** The highest version that was ever confirmed, of a deletion too. */
  last: number
  /** What was sent and neither confirmed nor refused. */
  unsure: Unsure | null
}

const newBody = (): Body => {
  const status = statuses[randomInt(3)] as Body['status']
  const stars = { stars: { value: randomInt(1, 3) } }
  return { status, values: { label: { value: ['yes', 'no'][randomInt(2)] }, ...(randomInt(2) === 0 && stars) } }
}

type Act = { readonly after: Standing; readonly send: (client: Client) => Promise<Answer<unknown>>; readonly mayRepeat: boolean }

const putMine = (record: string, { standing, last }: Known): Act => {
  const body = newBody()
  const sent = { mutation_id: randomUUID(), base_version: standing?.version ?? null, ...body }
  return {
    after: { ...body, version: last + 1 },
    send: (client) => client.put(`/records/${record}/responses/mine`, sent),
    mayRepeat: true,
  }
}
const clearMine = (record: string, known: Known): Act => {
  if (known.standing === null) return putMine(record, known)
  const path = `/records/${record}/responses/mine?mutation_id=${randomUUID()}&base_version=${known.standing.version}`
  return { after: null, send: (client) => client.delete(path), mayRepeat: true }
}
const create = (record: string, known: Known): Act => {
  if (known.standing !== null) return putMine(record, known)
  const body = newBody()
  return {
    after: { ...body, version: known.last + 1 },
    send: (client) => client.post(`/records/${record}/responses`, body),
    mayRepeat: false,
  }
}
const bulk = (record: string, { last }: Known): Act => {
  const body = newBody()
  const items = [{ record_id: record, ...body }]
  return {
    after: { ...body, version: last + 1 },
    send: (client) => client.post('/me/responses/bulk', { items }),
    mayRepeat: false,
  }
}
const acts = [putMine, putMine, putMine, clearMine, create, bulk]

/** A user who answers records one after the other and remembers what the server has confirmed. */
export class Writer {
  readonly user: { readonly id: string; readonly api_key: string }
  readonly #known: Map<string, Known>
  readonly #records: readonly string[]
  confirmed = 0
  constructor(user: Writer['user'], records: readonly string[]) {
    this.user = user
    this.#records = records
    this.#known = new Map(records.map((record) => [record, { standing: null, last: 0, unsure: null }]))
  }

  #confirm(known: Known, after: Standing): void {
    known.standing = after
    known.last += 1
    known.unsure = null
    this.confirmed += 1
  }

  /** Repeats what was left unsure; every such request must be granted, and done exactly once. */
  async repeat(client: Client, { inTrouble = false } = {}): Promise<void> {
    for (const [record, known] of this.#known) {
      if (known.unsure?.repeat == null) continue
      const { status, body } = await known.unsure.repeat(client)
      if (inTrouble && status >= 500) return
      if (status >= 300) throw new Error(`a repeated answer to ${record} was refused: ${status} ${JSON.stringify(body)}`)
      const version = (body as Response).version
      if (known.unsure.after !== null && version !== known.last + 1) {
        throw new Error(`a repeated answer to ${record} has version ${version} instead of ${known.last + 1}`)
      }
      this.#confirm(known, known.unsure.after)
    }
  }

  /** Answers until the server is gone or `signal` says stop. A failed request leaves its record alone until `settle`. */
  async work(client: Client, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const sure = this.#records.filter((one) => this.#known.get(one)?.unsure === null)
      const record = sure[randomInt(Math.max(1, sure.length))]
      if (record === undefined) {
        // In a fault that lasts everything becomes unsure: what may be repeated is, until the server is back.
        await pause(20)
        await this.repeat(client, { inTrouble: true }).catch((error: unknown) => {
          if (!(error instanceof TypeError)) throw error
        })
        continue
      }
      const known = this.#known.get(record) as Known
      const act = (acts[randomInt(acts.length)] as (typeof acts)[number])(record, known)
      known.unsure = { after: act.after, repeat: act.mayRepeat ? act.send : null }
      try {
        const { status, body } = await act.send(client)
        if (status < 300) this.#confirm(known, act.after)
        else if (status < 500) throw new Refused(`${status} ${JSON.stringify(body)} for ${record} at version ${known.last}`)
      } catch (error) {
        if (error instanceof Refused) throw error
        if (signal.aborted) return
        await pause(5)
      }
    }
  }

  /**
   * Compares what the server has with what it confirmed. A request that was cut off may have been carried out or not; nothing
   * else is allowed.
   * @param stored the user's answers by record
   */
  settle(stored: ReadonlyMap<string, Response>): void {
    for (const [record, known] of this.#known) {
      const found = stored.get(record)
      const now: Standing =
        found === undefined ? null : { status: found.status, values: found.values as Body['values'], version: found.version }
      const isAs = (wanted: Standing) => JSON.stringify(ordered(now)) === JSON.stringify(ordered(wanted))
      if (known.unsure !== null && isAs(known.unsure.after) && !(known.unsure.after === null && known.standing === null)) {
        if (known.unsure.repeat === null) this.#confirm(known, known.unsure.after)
        continue
      }
      if (!isAs(known.standing)) {
        const expected = { standing: known.standing, unsure: known.unsure?.after }
        throw new Error(`record ${record}: stored ${JSON.stringify(now)}, expected ${JSON.stringify(expected)}`)
      }
      if (known.unsure?.repeat === null) known.unsure = null
    }
  }
}

class Refused extends Error {}

const ordered = (standing: Standing) =>
  standing && { ...standing, values: Object.entries(standing.values).sort(([a], [b]) => (a < b ? -1 : 1)) }
